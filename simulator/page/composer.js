import * as api from './api.js';
import { el, icon, iconButton } from './dom.js';
import { replyKeyboard } from './keyboard.js';
import { summaryOf } from './media.js';
import { complain, menu } from './notice.js';
import { word } from './words.js';

const ALBUM_MAX = 10;
const FIELD_HEIGHT_MAX = 140;
/** Between one line and two. */
const FIELD_HEIGHT_LINE = 50;

/** The lower edge of a chat: the field, what can be attached, the keyboard that the bot put there. */
export class Composer {
  /** @param {{act: Function, openApp: Function}} parts the chat's calls */
  constructor(parts) {
    this.parts = parts;
    this.mode = null;
    this.keysShown = true;
    this.banner = el('div', { class: 'banner', hidden: true });
    this.field = el('textarea', {
      class: 'field',
      rows: '1',
      placeholder: word('write'),
      'aria-label': word('write'),
      maxlength: '4096',
      oninput: () => this.grow(),
      onkeydown: (event) => this.onKey(event),
    });
    this.files = el('input', { type: 'file', hidden: true, multiple: true, onchange: () => this.sendFiles() });
    this.keysButton = iconButton('keys', word('keys'), () => this.toggleKeys(), {
      hidden: true,
      'aria-pressed': 'true',
    });
    this.commandsButton = iconButton('commands', word('commands'), (event) => this.openCommands(event.currentTarget), {
      hidden: true,
      class: 'icon-button commands-button',
      'aria-haspopup': 'menu',
    });
    this.menuButton = el(
      'button',
      { type: 'button', class: 'menu-button', hidden: true, onclick: () => parts.openApp({ by: 'menu' }) },
      icon('app'),
      el('span'),
    );
    this.attachButton = iconButton('attach', word('attach'), (event) => this.openAttach(event.currentTarget), {
      'aria-haspopup': 'menu',
    });
    this.form = el(
      'form',
      { class: 'composer', onsubmit: (event) => this.submit(event) },
      this.menuButton,
      this.attachButton,
      this.commandsButton,
      this.field,
      this.keysButton,
      el('button', { class: 'icon-button send', 'aria-label': word('send'), title: word('send') }, icon('send')),
    );
    this.starter = el('button', { type: 'button', class: 'button main-button wide', hidden: true });
    this.keyboard = el('div', { class: 'keyboard', hidden: true });
    this.node = el('footer', { class: 'bottom' }, this.banner, this.form, this.starter, this.keyboard, this.files);
    this.commands = [];
  }

  /** Shows what the chat's state asks for: a Start button, an Unblock button, or the field. */
  update(chat) {
    const blocked = chat.ban === 'blocked';
    const closed = blocked || (chat.bot && !chat.opened);
    // Who pressed Start by keyboard goes on in the field; a finger would only call up its keyboard.
    const goOn = !closed && this.starter.matches(':focus-visible');
    this.form.hidden = Boolean(closed);
    this.starter.hidden = !closed;
    if (goOn) this.field.focus();
    this.starter.textContent = blocked ? word('unblock') : word('start');
    this.starter.onclick = () =>
      (blocked ? this.parts.act('unblock', {}) : this.parts.act('start', {})).catch(complain);
    this.commands = chat.commands ?? this.commands;
    this.commandsButton.hidden = this.commands.length === 0;
    if (chat.menu_button) this.showMenuButton(chat.menu_button);
    const keys = closed ? null : chat.keyboard;
    const has = Boolean(keys?.keyboard?.length);
    this.keysButton.hidden = !has;
    this.keyboard.hidden = !has || !this.keysShown;
    this.showKeys(has ? keys : null);
    this.field.placeholder = keys?.input_field_placeholder ?? word('write');
  }

  /** The same keys stay, so that no press is lost when a message comes at that moment. */
  showKeys(keys) {
    const now = JSON.stringify(keys);
    if (this.shownKeys === now) return;
    this.shownKeys = now;
    this.keyboard.replaceChildren(...(keys ? [replyKeyboard(keys, (key) => this.sendKey(key))] : []));
  }

  showMenuButton(button) {
    this.menuButton.hidden = button.type !== 'web_app';
    this.menuButton.lastChild.textContent = button.text ?? '';
    this.menuButton.setAttribute('aria-label', button.text ?? '');
  }

  async sendKey(key) {
    try {
      if (key.web_app) await this.parts.openApp({ by: 'key', text: key.text });
      else await this.parts.act('key', { text: key.text });
    } catch (error) {
      complain(error);
    }
  }

  toggleKeys() {
    this.keysShown = !this.keysShown;
    this.keyboard.hidden = !this.keysShown;
    this.keysButton.setAttribute('aria-pressed', String(this.keysShown));
  }

  /** A draft of several lines gets a row of its own where the window is narrow. Asked of the narrow field, so that it never flips. */
  grow() {
    this.field.style.height = 'auto';
    this.form.classList.remove('long');
    this.form.classList.toggle('long', this.field.scrollHeight > FIELD_HEIGHT_LINE);
    this.field.style.height = `${Math.min(this.field.scrollHeight, FIELD_HEIGHT_MAX)}px`;
  }

  onKey(event) {
    const plainEnter = event.key === 'Enter' && !event.shiftKey && !event.isComposing;
    if (plainEnter && matchMedia('(hover: hover)').matches) void this.submit(event);
    if (event.key === 'Escape' && this.mode) this.setMode(null);
  }

  async submit(event) {
    event.preventDefault();
    const text = this.field.value.trim();
    if (text === '') return;
    const { mode } = this;
    this.field.value = '';
    this.grow();
    this.setMode(null);
    try {
      if (mode?.kind === 'edit') await this.parts.act('edit', { message_id: mode.message.message_id, text });
      else await this.parts.act('text', { text, ...(mode ? { reply_to: mode.message.message_id } : {}) });
    } catch (error) {
      // What was written comes back rather than getting lost.
      this.field.value = text;
      this.grow();
      this.setMode(mode);
      complain(error);
    }
  }

  /** Replying to or editing a message: said above the field, left by its cross or Escape. */
  setMode(mode) {
    this.mode = mode;
    this.banner.hidden = !mode;
    if (!mode) return;
    if (mode.kind === 'edit') this.field.value = mode.message.text;
    const title = mode.kind === 'edit' ? word('editing') : `${word('replying')} ${mode.message.from?.first_name ?? ''}`;
    const leave = () => {
      if (mode.kind === 'edit') this.field.value = '';
      this.setMode(null);
    };
    this.banner.replaceChildren(
      el('div', { class: 'quote' }, el('strong', { text: title }), el('span', { text: summaryOf(mode.message) })),
      iconButton('close', word('cancel'), leave),
    );
    this.grow();
    this.field.focus();
  }

  openCommands(anchor) {
    menu(
      anchor,
      this.commands.map(({ command, description }) => ({
        label: `/${command}  ${description}`,
        run: () => this.parts.act('text', { text: `/${command}` }).catch(complain),
      })),
    );
  }

  openAttach(anchor) {
    const pick = (accept) => {
      this.files.accept = accept;
      this.files.click();
    };
    menu(anchor, [
      { label: word('photo'), picture: icon('photo'), run: () => pick('image/*,video/*') },
      { label: word('file'), picture: icon('file'), run: () => pick('') },
      { label: word('contact'), picture: icon('person'), run: () => this.parts.act('contact', {}).catch(complain) },
      { label: word('place'), picture: icon('place'), run: () => this.parts.act('location', {}).catch(complain) },
    ]);
  }

  async sendFiles() {
    const files = [...this.files.files].slice(0, ALBUM_MAX);
    const asFile = this.files.accept === '';
    this.files.value = '';
    const caption = this.field.value.trim();
    try {
      const items = await Promise.all(files.map(api.upload));
      if (asFile) for (const item of items) item.kind = 'document';
      if (items[0] && caption) items[0].caption = caption;
      if (items.length === 1) await this.parts.act('media', items[0]);
      else if (items.length > 1) await this.parts.act('album', { items });
      if (caption) this.field.value = '';
    } catch (error) {
      complain(error);
    }
  }
}
