import { emit, off, on } from './events.js';
import { isVersionAtLeast } from './launch.js';
import { colorOf, look } from './look.js';
import { hear, post } from './wire.js';

/** What a button of the client's frame can be told: its own fields, and which of them setParams takes. */
const PARAMS = {
  text: 'text',
  color: 'color',
  text_color: 'textColor',
  has_shine_effect: 'hasShineEffect',
  position: 'position',
  is_active: 'isActive',
  is_visible: 'isVisible',
};

/** The colours that a button has until the app says otherwise. */
function colorsOf(type) {
  const { button_color: accent = '#2481cc', button_text_color: onAccent = '#ffffff' } = look.themeParams;
  const { bottom_bar_bg_color: bar, secondary_bg_color: ground = '#ffffff' } = look.themeParams;
  return type === 'main' ? { color: accent, textColor: onAccent } : { color: bar ?? ground, textColor: accent };
}

/** MainButton and SecondaryButton: drawn by the client below the app. */
class BottomButton {
  #state;
  #sent = '{"is_visible":false}';

  constructor(type, text) {
    this.type = type;
    this.#state = { text, isVisible: false, isActive: true, isProgressVisible: false, hasShineEffect: false };
    if (type === 'secondary') this.#state.position = 'left';
    hear(`${type}_button_pressed`, () => this.#state.isActive && emit(`${type}ButtonClicked`));
    on('themeChanged', () => this.#tell());
    for (const name of Object.values(PARAMS)) {
      const get = () => this.#state[name] ?? colorsOf(type)[name];
      Object.defineProperty(this, name, { enumerable: true, get, set: (value) => this.#set({ [name]: value }) });
    }
  }

  get isProgressVisible() {
    return this.#state.isProgressVisible;
  }

  #set(change) {
    for (const name of ['color', 'textColor']) {
      if (change[name] === undefined) continue;
      change[name] = change[name] === false ? undefined : colorOf(change[name]);
    }
    if (change.text !== undefined) change.text = String(change.text).trim();
    if (change.text === '' || change.text?.length > 64) throw new Error('WebAppBottomButtonParamInvalid');
    Object.assign(this.#state, change);
    this.#tell();
    return this;
  }

  #tell() {
    if (this.type === 'secondary' && !isVersionAtLeast('7.10')) return;
    const { isVisible, isActive, isProgressVisible, text, hasShineEffect, position } = this.#state;
    const shown = {
      is_visible: true,
      is_active: isActive,
      is_progress_visible: isProgressVisible,
      text,
      color: this.color,
      text_color: this.textColor,
      has_shine_effect: hasShineEffect && isActive && !isProgressVisible,
      ...(position ? { position } : {}),
    };
    const told = isVisible ? shown : { is_visible: false };
    if (JSON.stringify(told) === this.#sent) return;
    this.#sent = JSON.stringify(told);
    post(`web_app_setup_${this.type}_button`, told);
  }

  setText(text) {
    return this.#set({ text });
  }
  onClick(listener) {
    on(`${this.type}ButtonClicked`, listener);
    return this;
  }
  offClick(listener) {
    off(`${this.type}ButtonClicked`, listener);
    return this;
  }
  show() {
    return this.#set({ isVisible: true });
  }
  hide() {
    return this.#set({ isVisible: false });
  }
  enable() {
    return this.#set({ isActive: true });
  }
  disable() {
    return this.#set({ isActive: false });
  }
  showProgress(leaveActive = false) {
    return this.#set({ isProgressVisible: true, isActive: leaveActive });
  }
  hideProgress() {
    return this.#set({ isProgressVisible: false, isActive: true });
  }
  setParams(params) {
    const known = Object.entries(params).filter(([name, value]) => PARAMS[name] && value !== undefined);
    return this.#set(Object.fromEntries(known.map(([name, value]) => [PARAMS[name], value])));
  }
}

const HEADER_SINCE = { back: '6.1', settings: '6.10' };

/** BackButton and SettingsButton: in the client's header. */
class HeaderButton {
  #name;
  #isVisible = false;

  constructor(name) {
    this.#name = name;
    hear(`${name}_button_pressed`, () => emit(`${name}ButtonClicked`));
  }

  get isVisible() {
    return this.#isVisible;
  }
  set isVisible(visible) {
    if (!isVersionAtLeast(HEADER_SINCE[this.#name])) return;
    if (this.#isVisible === Boolean(visible)) return;
    this.#isVisible = Boolean(visible);
    post(`web_app_setup_${this.#name}_button`, { is_visible: this.#isVisible });
  }

  show() {
    this.isVisible = true;
    return this;
  }
  hide() {
    this.isVisible = false;
    return this;
  }
  onClick(listener) {
    on(`${this.#name}ButtonClicked`, listener);
    return this;
  }
  offClick(listener) {
    off(`${this.#name}ButtonClicked`, listener);
    return this;
  }
}

export const MainButton = new BottomButton('main', 'Continue');
export const SecondaryButton = new BottomButton('secondary', 'Cancel');
export const BackButton = new HeaderButton('back');
export const SettingsButton = new HeaderButton('settings');

function haptic(type, facts = {}) {
  if (isVersionAtLeast('6.1')) post('web_app_trigger_haptic_feedback', { type, ...facts });
  return HapticFeedback;
}

export const HapticFeedback = {
  impactOccurred: (style) => haptic('impact', { impact_style: style }),
  notificationOccurred: (type) => haptic('notification', { notification_type: type }),
  selectionChanged: () => haptic('selection_change'),
};
