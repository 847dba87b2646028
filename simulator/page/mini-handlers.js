import { askContact, askPopup, askWriting } from './mini-asks.js';
import { themeParams } from './mini-theme.js';
import { isKnown } from './mini-versions.js';
import { complain, toast } from './notice.js';
import { word } from './words.js';

/** What this page cannot do, with the answer that says so: an app that waits must not wait for ever. */
const UNABLE = {
  web_app_request_fullscreen: ['fullscreen_failed', { error: 'UNSUPPORTED' }],
  web_app_check_home_screen: ['home_screen_checked', { status: 'unsupported' }],
  web_app_open_scan_qr_popup: ['scan_qr_popup_closed', {}],
  web_app_biometry_get_info: ['biometry_info_received', { available: false }],
  web_app_check_location: ['location_checked', { available: false }],
  web_app_start_accelerometer: ['accelerometer_failed', { error: 'UNSUPPORTED' }],
  web_app_start_gyroscope: ['gyroscope_failed', { error: 'UNSUPPORTED' }],
  web_app_start_device_orientation: ['device_orientation_failed', { error: 'UNSUPPORTED' }],
  web_app_send_prepared_message: ['prepared_message_failed', { error: 'UNSUPPORTED' }],
};

const VIBRATION_MS = { light: 10, soft: 10, medium: 20, rigid: 20, heavy: 30, error: 60, warning: 40, success: 30 };

function vibrate({ impact_style: style, notification_type: type }) {
  navigator.vibrate?.(VIBRATION_MS[style ?? type] ?? 5);
}

/** Colours that an app names instead of telling them. */
function namedColor({ color, color_key: key }) {
  return color ?? themeParams()[key];
}

/** Questions and their answers. */
function askingHandlers(sheet) {
  const { act } = sheet.parts;
  const bot = sheet.app.bot.id;
  const post = (...event) => sheet.bridge.post(...event);
  let popup = false;
  return {
    async web_app_open_popup(params) {
      if (popup) return;
      popup = true;
      const answer = await askPopup(sheet.name, params);
      popup = false;
      post('popup_closed', answer);
    },
    async web_app_request_phone() {
      const yes = await askContact();
      const sent = yes && (await act('contact', { bot }).catch(complain));
      post('phone_requested', { status: sent ? 'sent' : 'cancelled' });
    },
    async web_app_request_write_access() {
      sheet.app.may_write ||= (await askWriting()) && Boolean(await act('allowWriting', { bot }).catch(complain));
      post('write_access_requested', { status: sheet.app.may_write ? 'allowed' : 'cancelled' });
    },
    async web_app_invoke_custom_method({ req_id: id, method, params }) {
      try {
        post('custom_method_invoked', { req_id: id, result: await act('customMethod', { bot, method, params }) });
      } catch (error) {
        post('custom_method_invoked', { req_id: id, error: error.message });
      }
    },
    web_app_read_text_from_clipboard: ({ req_id: id }) => post('clipboard_text_received', { req_id: id }),
    web_app_open_invoice: ({ slug }) => post('invoice_closed', { slug, status: 'failed' }),
  };
}

/** What the app does to its frame. */
function frameHandlers(sheet) {
  return {
    iframe_ready: ({ reload_supported: reloads }) => {
      sheet.reloads = Boolean(reloads);
    },
    web_app_ready: () => sheet.ready(),
    web_app_expand: () => sheet.tellViewport(),
    web_app_request_theme: () => sheet.bridge.post('theme_changed', { theme_params: themeParams() }),
    web_app_request_viewport: () => sheet.tellViewport(),
    web_app_request_safe_area: () => sheet.bridge.post('safe_area_changed', NO_INSETS),
    web_app_request_content_safe_area: () => sheet.bridge.post('content_safe_area_changed', NO_INSETS),
    web_app_setup_main_button: (wish) => sheet.bar.set('main', wish),
    web_app_setup_secondary_button: (wish) => sheet.bar.set('secondary', wish),
    web_app_setup_back_button: ({ is_visible: visible }) => {
      sheet.back.hidden = !visible;
    },
    web_app_setup_settings_button: ({ is_visible: visible }) => {
      sheet.settings = Boolean(visible);
    },
    web_app_setup_closing_behavior: ({ need_confirmation: needed }) => {
      sheet.confirms = Boolean(needed);
    },
    web_app_set_header_color: (wish) => sheet.paint('header', namedColor(wish)),
    web_app_set_background_color: (wish) => sheet.paint('background', namedColor(wish)),
    web_app_set_bottom_bar_color: (wish) => sheet.paint('bar', namedColor(wish)),
    web_app_trigger_haptic_feedback: vibrate,
  };
}

/** The frame lies below the sheet's header and above its bar: nothing covers the app's edges. */
const NO_INSETS = { top: 0, bottom: 0, left: 0, right: 0 };

/** Ways out of the app. */
function leavingHandlers(sheet) {
  const { act, follow } = sheet.parts;
  const { bot, button_text: text } = sheet.app;
  return {
    web_app_close: () => sheet.end(),
    web_app_open_link: ({ url }) => {
      if (/^https?:/i.test(url)) window.open(url, '_blank', 'noopener');
    },
    web_app_open_tg_link: ({ path_full: path }) => follow(`https://t.me${path}`, sheet),
    async web_app_data_send({ data }) {
      if (text === undefined) return toast(word('dataLost'));
      await act('webAppData', { bot: bot.id, data, button_text: text }).catch(complain);
      sheet.end();
    },
  };
}

/** Everything that an app can say to its client, by event type. An older client hears nothing of what came later. */
export function handlersOf(sheet) {
  const unable = Object.entries(UNABLE).map(([asked, answer]) => [asked, () => sheet.bridge.post(...answer)]);
  const all = {
    ...Object.fromEntries(unable),
    ...frameHandlers(sheet),
    ...askingHandlers(sheet),
    ...leavingHandlers(sheet),
  };
  const { version } = sheet.app;
  return Object.fromEntries(Object.entries(all).filter(([type]) => isKnown(type, version)));
}
