import {
  CloudStorage,
  invokeCustomMethod,
  requestContact,
  requestWriteAccess,
  showAlert,
  showConfirm,
  showPopup,
} from './asks.js';
import { BackButton, HapticFeedback, MainButton, SecondaryButton, SettingsButton } from './buttons.js';
import { emit, off, on } from './events.js';
import { fieldsOf, isVersionAtLeast, launch, mustBeHere } from './launch.js';
import { colorOf, look } from './look.js';
import { hear, post, receive } from './wire.js';

const DATA_BYTES_MAX = 4_096;

/** Colours of the client's frame; `bg_color` and the like follow the theme. */
const frame = { header: 'bg_color', background: 'bg_color', bottomBar: 'bottom_bar_bg_color' };
const switches = { closingConfirmation: false, verticalSwipes: true, active: true };

/** A colour that was set by name is told and read as the theme has it now. */
function frameColor(name) {
  return look.themeParams[frame[name]] ?? colorOf(frame[name]) ?? look.themeParams.bg_color ?? '#ffffff';
}

/** Since when a client takes a colour for each part of its frame, and since when any colour for the header. */
const FRAME_SINCE = { header: '6.1', background: '6.1', bottomBar: '7.10' };
const ANY_HEADER_SINCE = '6.9';

function setFrameColor(name, eventType, color) {
  if (!isVersionAtLeast(FRAME_SINCE[name])) return;
  const known = color === 'bg_color' || color === 'secondary_bg_color' || color === 'bottom_bar_bg_color';
  const read = known ? color : colorOf(color);
  if (!read) throw new Error('WebAppColorInvalid');
  if (name === 'header' && !known && !isVersionAtLeast(ANY_HEADER_SINCE)) return;
  frame[name] = read;
  post(eventType, known && name === 'header' ? { color_key: read } : { color: frameColor(name) });
}

function setClosing(needed) {
  if (!isVersionAtLeast('6.2')) return;
  switches.closingConfirmation = needed;
  post('web_app_setup_closing_behavior', { need_confirmation: needed });
}

function setSwipes(allowed) {
  if (!isVersionAtLeast('7.7')) return;
  switches.verticalSwipes = allowed;
  post('web_app_setup_swipe_behavior', { allow_vertical_swipe: allowed });
}

/** A call that clients have since that version, and that throws before. */
function later(version, eventType) {
  mustBeHere(version);
  post(eventType);
}

function openLink(address, options = {}) {
  const url = new URL(address, location.href);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new Error('WebAppTgUrlInvalid');
  if (!isVersionAtLeast('6.1')) return void window.open(url.href, '_blank');
  const instant = options.try_instant_view && isVersionAtLeast('6.4');
  post('web_app_open_link', { url: url.href, ...(instant ? { try_instant_view: true } : {}) });
}

function openTelegramLink(address) {
  const url = new URL(address, location.href);
  if (!/^https?:$/.test(url.protocol) || url.hostname !== 't.me') throw new Error('WebAppTgUrlInvalid');
  post('web_app_open_tg_link', { path_full: url.pathname + url.search });
}

function sendData(data) {
  const bytes = new TextEncoder().encode(data ?? '').length;
  if (bytes < 1 || bytes > DATA_BYTES_MAX) throw new Error('WebAppDataInvalid');
  post('web_app_data_send', { data });
}

const WebApp = {
  initData: launch.initData,
  initDataUnsafe: fieldsOf(launch.initData),
  version: launch.version,
  platform: launch.platform,
  MainButton,
  SecondaryButton,
  BackButton,
  SettingsButton,
  HapticFeedback,
  CloudStorage,
  isVersionAtLeast,
  onEvent: on,
  offEvent: off,
  ready: () => post('web_app_ready'),
  expand: () => post('web_app_expand'),
  close: (options = {}) => post('web_app_close', { return_back: options.return_back === true }),
  sendData,
  openLink,
  openTelegramLink,
  showPopup,
  showAlert,
  showConfirm,
  requestContact,
  requestWriteAccess,
  invokeCustomMethod,
  setHeaderColor: (color) => setFrameColor('header', 'web_app_set_header_color', color),
  setBackgroundColor: (color) => setFrameColor('background', 'web_app_set_background_color', color),
  setBottomBarColor: (color) => setFrameColor('bottomBar', 'web_app_set_bottom_bar_color', color),
  enableClosingConfirmation: () => setClosing(true),
  disableClosingConfirmation: () => setClosing(false),
  enableVerticalSwipes: () => setSwipes(true),
  disableVerticalSwipes: () => setSwipes(false),
  requestFullscreen: () => later('8.0', 'web_app_request_fullscreen'),
  exitFullscreen: () => later('8.0', 'web_app_exit_fullscreen'),
  hideKeyboard: () => later('9.1', 'web_app_hide_keyboard'),
};

/** Fields that change, and can only be read. */
const read = {
  ...Object.fromEntries(Object.keys(look).map((name) => [name, () => look[name]])),
  headerColor: () => frameColor('header'),
  backgroundColor: () => frameColor('background'),
  bottomBarColor: () => frameColor('bottomBar'),
  isClosingConfirmationEnabled: () => switches.closingConfirmation,
  isVerticalSwipesEnabled: () => switches.verticalSwipes,
  isActive: () => switches.active,
  isFullscreen: () => false,
};
for (const [name, get] of Object.entries(read)) Object.defineProperty(WebApp, name, { enumerable: true, get });

hear('visibility_changed', ({ is_visible: visible }) => {
  switches.active = Boolean(visible);
  emit(visible ? 'activated' : 'deactivated');
});
hear('fullscreen_failed', ({ error }) => emit('fullscreenFailed', { error }));
on('themeChanged', () => {
  for (const name of ['background', 'bottomBar']) {
    if (frame[name].startsWith('#')) continue;
    post(name === 'background' ? 'web_app_set_background_color' : 'web_app_set_bottom_bar_color', {
      color: frameColor(name),
    });
  }
});

window.Telegram = { ...window.Telegram, WebApp, WebView: { receiveEvent: receive } };
post('iframe_ready', { reload_supported: true });
