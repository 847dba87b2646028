import { el } from './dom.js';
import { hexColor } from './mini-theme.js';

const PLACES = new Set(['left', 'right', 'top', 'bottom']);

/** The bar below an app with its main and secondary button, drawn as the app asks. */
export class BottomBar {
  /** @param {(type: 'main' | 'secondary') => void} onPress */
  constructor(onPress) {
    this.buttons = {};
    for (const type of ['main', 'secondary']) {
      const press = () => this.buttons[type].getAttribute('aria-disabled') !== 'true' && onPress(type);
      this.buttons[type] = el(
        'button',
        { type: 'button', class: `mini-button mini-${type}`, hidden: true, onclick: press },
        el('span', { class: 'mini-button-text' }),
      );
    }
    const { main, secondary } = this.buttons;
    this.node = el('div', { class: 'mini-bar', hidden: true }, secondary, main);
  }

  set(type, wish) {
    const button = this.buttons[type];
    button.hidden = wish.is_visible !== true || !String(wish.text ?? '').trim();
    button.firstChild.textContent = wish.text ?? '';
    button.setAttribute('aria-disabled', String(wish.is_active === false));
    button.setAttribute('aria-busy', String(wish.is_progress_visible === true));
    button.classList.toggle('shining', wish.has_shine_effect === true);
    button.style.backgroundColor = hexColor(wish.color) ?? '';
    button.style.color = hexColor(wish.text_color) ?? '';
    if (type === 'secondary') this.node.dataset.place = PLACES.has(wish.position) ? wish.position : 'left';
    this.node.hidden = this.buttons.main.hidden && this.buttons.secondary.hidden;
  }

  setColor(color) {
    this.node.style.backgroundColor = hexColor(color) ?? '';
  }

  /** A new page begins without buttons. */
  clear() {
    for (const type of ['main', 'secondary']) this.set(type, { is_visible: false });
  }
}
