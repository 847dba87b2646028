import * as api from './api.js';
import { Composer } from './composer.js';
import { doingsOf } from './doings.js';
import { avatar, el, iconButton, reconcile } from './dom.js';
import { grouped, messageNode } from './message.js';
import { alertDialog, complain, menu, toast } from './notice.js';
import { count, dayOf, word } from './words.js';

const TYPING_MS = 5_000;
/** Nearer than this to the lower end counts as reading the newest. */
const NEAR_PX = 80;
/** Events kept for an answer that is overtaken by them. */
const RECENT_MAX = 50;

/** One open chat: its messages, kept as they come, change and go. */
export class ChatScreen {
  /** @param {{summary: object, me: number, onBack: Function, openApp: Function}} parts */
  constructor({ summary, me, onBack, openApp }) {
    this.summary = summary;
    this.me = me;
    this.messages = new Map();
    this.reactions = {};
    /** What stands in the list, by message: drawn again only when it changes. */
    this.drawn = new Map();
    this.recent = [];
    this.chat = summary;
    this.place = summary.bot ? { user: me, bot: summary.bot } : { user: me, chat: summary.chat.id };
    this.act = (name, action) => api.act(name, { ...this.place, ...action });
    this.openApp = (request) => openApp({ ...this.place, ...request });
    this.composer = new Composer({ act: this.act, openApp: this.openApp });
    this.list = el('div', {
      class: 'messages',
      role: 'log',
      'aria-live': 'polite',
      tabindex: '0',
      'aria-label': summary.title ?? '',
      onscroll: () => this.onScroll(),
    });
    this.subtitle = el('small', { class: 'subtitle' });
    this.newest = iconButton('down', word('newest'), () => this.toEnd(true), {
      class: 'icon-button newest',
      hidden: true,
    });
    this.node = el(
      'section',
      { class: 'chat', 'aria-label': this.title() },
      this.header(onBack),
      el('div', { class: 'messages-frame' }, this.list, this.newest),
      this.composer.node,
    );
    this.doings = doingsOf(this);
    this.showSubtitle();
    this.atEnd = true;
    // A keyboard that opens, or the line on top, must not hide the newest message.
    new ResizeObserver(() => this.atEnd && this.toEnd(false)).observe(this.list);
  }

  title() {
    return this.summary.title ?? this.summary.chat?.title ?? '';
  }

  header(onBack) {
    const name = el('div', { class: 'header-text' }, el('h1', { text: this.title() }), this.subtitle);
    const more = iconButton('more', word('more'), (event) => this.openMenu(event.currentTarget), {
      'aria-haspopup': 'menu',
    });
    return el(
      'header',
      { class: 'header' },
      iconButton('back', word('back'), onBack, { class: 'icon-button back' }),
      avatar(this.title(), this.summary.bot ?? this.summary.chat?.id),
      name,
      this.summary.bot ? more : null,
    );
  }

  openMenu(anchor) {
    const blocked = this.chat.ban === 'blocked';
    menu(anchor, [
      {
        label: word(blocked ? 'unblock' : 'block'),
        danger: !blocked,
        run: () => this.act(blocked ? 'unblock' : 'block', {}).catch(complain),
      },
    ]);
  }

  /** Reads the chat anew. */
  async load() {
    const chat = await api.chat(this.summary.key);
    this.chat = chat;
    this.reactions = chat.reactions;
    this.messages = new Map(chat.messages.map((message) => [message.message_id, message]));
    this.more = chat.more;
    // What happened while the answer was on its way came through the stream already, and must not be undone by it.
    const taken = Number(chat.mark.split('-')[1]);
    for (const event of this.recent) if (event.seq > taken) this.apply(event);
    this.render();
    this.composer.update(chat);
    this.showSubtitle();
    this.toEnd(false);
    return chat.mark;
  }

  async loadEarlier() {
    const first = this.messages.keys().next().value;
    const earlier = await api.chat(this.summary.key, first);
    this.messages = new Map([...earlier.messages.map((message) => [message.message_id, message]), ...this.messages]);
    this.more = earlier.more;
    const before = this.list.scrollHeight;
    this.render();
    this.list.scrollTop += this.list.scrollHeight - before;
  }

  render() {
    const context = { me: this.me, group: !this.chat.bot, reactions: this.reactions, doings: this.doings };
    const kept = new Map();
    const keep = (key, state, make) => {
      const before = this.drawn.get(key);
      const same =
        before && before.state.length === state.length && before.state.every((part, at) => part === state[at]);
      const drawn = same ? before : { state, node: make() };
      kept.set(key, drawn);
      return drawn.node;
    };
    const nodes = [];
    if (this.more) nodes.push(keep('earlier', [], () => this.earlierButton()));
    let day = '';
    for (const messages of grouped([...this.messages.values()])) {
      const now = dayOf(messages[0].date);
      if (now !== day)
        nodes.push(keep(`day ${now}`, [], () => el('div', { class: 'service day' }, el('span', { text: now }))));
      day = now;
      const reactions = JSON.stringify(messages.map(({ message_id: id }) => reactionsTo(this.reactions, id)));
      nodes.push(keep(messages[0].message_id, [reactions, ...messages], () => messageNode(messages, context)));
    }
    if (this.messages.size === 0) nodes.push(keep('empty', [], () => this.emptyState()));
    this.drawn = kept;
    reconcile(this.list, nodes);
  }

  earlierButton() {
    const load = () => this.loadEarlier().catch(complain);
    return el('button', { type: 'button', class: 'button earlier', text: word('earlier'), onclick: load });
  }

  emptyState() {
    const hint = this.chat.bot ? word('emptyHint') : word('emptyGroup');
    return el(
      'div',
      { class: 'empty' },
      avatar(this.title(), this.summary.bot ?? 0),
      el('strong', { text: word('empty') }),
      el('p', { text: hint }),
    );
  }

  /** Draws again, staying where the reader was. */
  refresh() {
    const stay = this.isNearEnd();
    const top = this.list.scrollTop;
    this.render();
    if (stay) this.toEnd(false);
    else this.list.scrollTop = top;
  }

  isNearEnd() {
    return this.list.scrollHeight - this.list.scrollTop - this.list.clientHeight < NEAR_PX;
  }

  onScroll() {
    this.atEnd = this.isNearEnd();
    this.newest.hidden = this.atEnd;
  }

  toEnd(smooth) {
    const behavior = smooth && !matchMedia('(prefers-reduced-motion: reduce)').matches ? 'smooth' : 'instant';
    this.list.scrollTo({ top: this.list.scrollHeight, behavior });
    // Pictures that load later must not push the newest message out of sight.
    if (!smooth)
      for (const image of this.list.querySelectorAll('img, video'))
        image.addEventListener('load', () => this.isNearEnd() && this.toEnd(false), { once: true });
  }

  jump(id) {
    const node = [...this.list.children].find((child) => child.dataset.ids?.split(' ').includes(String(id)));
    if (!node) return;
    node.scrollIntoView({ block: 'center' });
    node.classList.add('found');
    setTimeout(() => node.classList.remove('found'), 1_200);
  }

  showSubtitle(doing) {
    const members = Object.values(this.chat.members ?? {}).filter(
      (status) => status !== 'left' && status !== 'kicked',
    ).length;
    this.subtitle.textContent = doing ?? (this.chat.bot ? word('bot') : count('members', members));
    this.subtitle.classList.toggle('doing', Boolean(doing));
  }

  typing(action) {
    const doing = action.startsWith('record')
      ? word('recording')
      : action.startsWith('upload')
        ? word('sending')
        : word('typing');
    this.showSubtitle(doing);
    clearTimeout(this.typingTimer);
    this.typingTimer = setTimeout(() => this.showSubtitle(), TYPING_MS);
  }

  /** Brings the messages up to one event. */
  apply({ type, data }) {
    if (type === 'message' || type === 'edit') this.messages.set(data.message_id, data);
    else if (type === 'delete') this.messages.delete(data.message_id);
    else if (type === 'reaction') this.reactions[`${data.message_id}:${data.from}`] = data.reaction;
  }

  /** Something happened in this chat. */
  async onEvent(event) {
    const { type, data } = event;
    this.recent = [...this.recent.slice(-RECENT_MAX), event];
    this.apply(event);
    switch (type) {
      case 'message':
        return this.onMessage(data);
      case 'edit':
      case 'delete':
      case 'reaction':
        return this.refresh();
      case 'typing':
        return this.typing(data.action);
      case 'press_answer':
        return this.onPressAnswer(data);
      case 'checkout':
        return this.onCheckout(data);
      default:
        await this.load();
    }
  }

  onCheckout({ user_id: user, ok, error_message: complaint }) {
    if (user === this.me) toast(ok ? word('payDone') : `${word('payFailed')}: ${complaint}`);
  }

  async onMessage(message) {
    const mine = message.from?.id === this.me;
    const stay = this.isNearEnd() || mine;
    if (!mine) {
      clearTimeout(this.typingTimer);
      this.showSubtitle();
    }
    this.refresh();
    if (stay) this.toEnd(false);
    else this.newest.hidden = false;
    await this.readState();
  }

  /** Keyboards, the menu button and whether the chat is opened are not part of a message. */
  async readState() {
    const chat = await api.chatState(this.summary.key);
    this.chat = chat;
    this.composer.update(chat);
  }

  onPressAnswer({ text, show_alert: loud, url, user_id: user, message_id: id }) {
    if (user !== this.me) return;
    const node = [...this.list.children].find((child) => child.dataset.ids?.split(' ').includes(String(id)));
    for (const key of node?.querySelectorAll('[aria-busy]') ?? []) key.removeAttribute('aria-busy');
    if (text && loud) alertDialog(text);
    else if (text) toast(text);
    if (url && /^(https?|tg):/i.test(url)) toast(url);
  }
}

/** Reactions to one message. */
function reactionsTo(reactions, id) {
  return Object.entries(reactions).filter(([key]) => key.split(':')[0] === String(id));
}
