import { avatar, el, iconButton } from './dom.js';
import { askClosing } from './mini-asks.js';
import { Bridge } from './mini-bridge.js';
import { BottomBar } from './mini-buttons.js';
import { handlersOf } from './mini-handlers.js';
import { hexColor, onThemeChange, textOn, themeParams } from './mini-theme.js';
import { menu } from './notice.js';
import { word } from './words.js';

/** As Telegram's web clients: the app runs its own scripts under its own origin, and cannot lead this page away. */
const SANDBOX = 'allow-scripts allow-same-origin allow-forms allow-popups allow-popups-to-escape-sandbox allow-modals';

/** An open app: a sheet over the chat with a header, the app's frame and the buttons that the app asks for. */
export class MiniSheet {
  /** @param {{app: object, act: Function, follow: Function, onClose: Function, onChat: Function}} parts */
  constructor(parts) {
    this.parts = parts;
    this.app = parts.app;
    this.confirms = false;
    this.opener = document.activeElement;
    this.bar = new BottomBar((type) => this.bridge.post(`${type}_button_pressed`));
    this.back = iconButton('back', word('miniBack'), () => this.bridge.post('back_button_pressed'), { hidden: true });
    this.close = iconButton('close', word('miniClose'), () => void this.requestClose());
    this.header = this.headerNode();
    this.body = el('div', { class: 'mini-body' });
    this.sheet = el(
      'section',
      { class: 'mini', role: 'dialog', 'aria-modal': 'true', 'aria-label': this.name },
      this.header,
      this.body,
      this.bar.node,
    );
    this.node = el('div', { class: 'mini-layer' }, this.sheet);
    this.node.addEventListener('click', (event) => event.target === this.node && void this.requestClose());
    this.node.addEventListener('keydown', (event) => this.onKey(event));
    this.stopTheme = onThemeChange(() => this.bridge.post('theme_changed', { theme_params: themeParams() }));
    this.sizes = new ResizeObserver(() => this.tellViewport());
    this.sizes.observe(this.body);
  }

  get name() {
    return this.app.bot.first_name;
  }

  headerNode() {
    const more = iconButton('more', word('miniMore'), (event) => this.openMenu(event.currentTarget), {
      'aria-haspopup': 'menu',
    });
    const names = el(
      'div',
      { class: 'header-text' },
      el('h2', { text: this.name }),
      el('small', { text: word('miniApp') }),
    );
    return el('header', { class: 'mini-header' }, this.back, names, more, this.close);
  }

  /** Shows it, with everything behind it out of reach. */
  show() {
    document.getElementById('app').inert = true;
    document.body.append(this.node);
    this.load();
    this.close.focus();
  }

  /** Opens the app's page, from the beginning. */
  load() {
    this.bridge?.end();
    this.reloads = false;
    this.confirms = false;
    this.back.hidden = true;
    this.settings = false;
    this.bar.clear();
    for (const name of ['header', 'background', 'bar']) this.paint(name, undefined);
    this.frame = el('iframe', {
      class: 'mini-frame',
      title: this.name,
      sandbox: SANDBOX,
      allow: 'clipboard-write; geolocation; camera; microphone',
      src: this.app.address,
    });
    this.waiting = el(
      'div',
      { class: 'mini-waiting' },
      avatar(this.name, this.app.bot.id),
      el('p', { text: word('miniOpening') }),
    );
    this.frame.addEventListener('load', () => this.ready());
    this.bridge = new Bridge(this.frame, this.app.address, handlersOf(this));
    this.body.replaceChildren(this.frame, this.waiting);
  }

  /** The app can be seen. */
  ready() {
    this.waiting.remove();
  }

  tellViewport() {
    const { clientWidth: width, clientHeight: height } = this.body;
    this.bridge?.post('viewport_changed', { width, height, is_expanded: true, is_state_stable: true });
  }

  /** Gives a part the colour that the app asked for, or its own. */
  paint(part, color) {
    const known = hexColor(color ?? '');
    if (part === 'bar') return this.bar.setColor(known);
    const node = part === 'header' ? this.header : this.body;
    node.style.backgroundColor = known ?? '';
    node.style.color = known ? textOn(known) : '';
  }

  onKey(event) {
    if (event.key !== 'Escape') return;
    event.preventDefault();
    if (this.back.hidden) void this.requestClose();
    else this.bridge.post('back_button_pressed');
  }

  openMenu(anchor) {
    const settings = { label: word('miniSettings'), run: () => this.bridge.post('settings_button_pressed') };
    menu(anchor, [
      ...(this.settings ? [settings] : []),
      { label: word('miniReload'), run: () => this.reload() },
      { label: word('miniChat'), run: () => void this.requestClose(this.parts.onChat) },
    ]);
  }

  reload() {
    if (this.reloads) this.bridge.post('reload_iframe');
    else this.load();
  }

  /** The person wants to leave; the app may have asked for a question first. */
  async requestClose(then) {
    if (this.confirms && !(await askClosing())) return;
    this.end();
    then?.(this.app.bot.id);
  }

  /** Takes the sheet away. Twice is fine. */
  end() {
    if (!this.node.isConnected) return;
    this.bridge.end();
    this.stopTheme();
    this.sizes.disconnect();
    this.node.remove();
    document.getElementById('app').inert = false;
    if (this.opener?.isConnected) this.opener.focus();
    this.parts.onClose();
  }
}
