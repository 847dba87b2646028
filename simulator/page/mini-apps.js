import * as api from './api.js';
import { askChat } from './mini-asks.js';
import { MiniSheet } from './mini-sheet.js';
import { themeParams } from './mini-theme.js';
import { complain, toast } from './notice.js';
import { word } from './words.js';

/** Links that this page follows itself. */
const TELEGRAM = /^(https?:\/\/(www\.)?(t\.me|telegram\.me)\/|tg:)/i;

/** The apps of this page: one is open at a time. */
export class MiniApps {
  /** @param {{me: () => number, place: () => object, chats: () => object[], openChat: (key: string) => void}} page */
  constructor(page) {
    this.page = page;
    this.sheet = undefined;
    document.addEventListener('click', (event) => this.onClick(event));
  }

  /** Opens an app by a button, a key or the menu button of a chat. */
  async open(request) {
    try {
      this.show(await api.act('openApp', { ...request, theme_params: themeParams() }));
    } catch (error) {
      complain(error);
    }
  }

  show(app) {
    this.sheet?.end();
    const user = this.page.me();
    const sheet = new MiniSheet({
      app,
      act: (name, action) => api.act(name, { user, ...action }),
      follow: (link, from) => this.follow(link, from),
      onClose: () => {
        if (this.sheet === sheet) this.sheet = undefined;
      },
      onChat: (bot) => this.page.openChat(`${bot}:${user}`),
    });
    this.sheet = sheet;
    sheet.show();
  }

  /** Follows a link of Telegram's: into an app, a chat, to somebody, or out of here. */
  async follow(link, from) {
    try {
      const place = from ? { user: this.page.me(), bot: from.app.bot.id } : this.page.place();
      const led = await api.act('follow', { ...place, link, theme_params: themeParams() });
      if (led.to === 'app') this.show(led.app);
      else if (led.to === 'share') await this.share(led.text);
      else if (led.to === 'away') window.open(led.link, '_blank', 'noopener');
      else {
        from?.end();
        this.page.openChat(led.chat);
      }
    } catch (error) {
      complain(error);
    }
  }

  async share(text) {
    const chat = await askChat(this.page.chats(), text);
    if (!chat) return;
    const user = this.page.me();
    await api.act('text', chat.bot ? { user, bot: chat.bot, text } : { user, chat: chat.chat.id, text });
    toast(word('shared'));
  }

  /** Links of messages and buttons that lead into Telegram stay here. */
  onClick(event) {
    const link = event.target instanceof Element ? event.target.closest('a[href]') : null;
    const plain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey;
    if (!link || !plain || !TELEGRAM.test(link.href)) return;
    event.preventDefault();
    void this.follow(link.href);
  }
}
