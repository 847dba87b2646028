import * as api from './api.js';
import { avatar, el, icon, reconcile } from './dom.js';
import { summaryOf } from './media.js';
import { complain, dialog } from './notice.js';
import { currentLanguage, timeOf, word } from './words.js';

/** A search field is worth its place from this many chats on. */
const SEARCH_FROM = 8;

/** The left side: who writes, in which language, and all chats. */
export class Side {
  /** @param {{onOpen: Function, onPerson: Function, onLanguage: Function}} doings */
  constructor(node, doings) {
    this.node = node;
    this.doings = doings;
    this.find = '';
    /** What stands there, by its name: made anew only when what it shows changes. */
    this.drawn = new Map();
    this.list = el('nav', { class: 'chats', 'aria-label': word('chats') });
  }

  /** @param {{users: object[], me: number | undefined, chats: object[], open: string | undefined}} state */
  render(state) {
    this.state = state;
    const me = state.users.find(({ id }) => id === state.me);
    const search = state.chats.length >= SEARCH_FROM;
    reconcile(this.node, [
      this.keep('top', [], () => this.top()),
      ...(me ? [this.keep('me', [me.id, me.first_name, me.last_name], () => this.personButton(me))] : []),
      ...(search ? [this.keep('search', [], () => this.searchField())] : []),
      this.list,
    ]);
    this.renderList();
  }

  /** Nobody's press or focus is lost because something happens in a chat at that moment. */
  keep(name, facts, make) {
    const now = JSON.stringify([currentLanguage(), ...facts]);
    const before = this.drawn.get(name);
    if (before?.now === now) return before.node;
    const node = make();
    this.drawn.set(name, { now, node });
    return node;
  }

  top() {
    const languages = ['ru', 'en'].map((language) =>
      el('button', {
        type: 'button',
        'aria-pressed': String(currentLanguage() === language),
        text: language.toUpperCase(),
        onclick: () => this.doings.onLanguage(language),
      }),
    );
    return el(
      'div',
      { class: 'side-top' },
      el('img', { src: 'bird.svg', alt: '', width: 28, height: 28 }),
      el('h2', {}, el('span', { text: 'Roost' }), el('small', { text: word('title') })),
      el('div', { class: 'languages', role: 'group', 'aria-label': word('language') }, ...languages),
    );
  }

  personButton(me) {
    const name = [me.first_name, me.last_name].filter(Boolean).join(' ');
    return el(
      'button',
      {
        type: 'button',
        class: 'person',
        title: word('switchPerson'),
        'aria-haspopup': 'dialog',
        onclick: () => openPeople(this.state, this.doings.onPerson),
      },
      avatar(name, me.id),
      el('span', { class: 'person-text' }, el('small', { text: word('you') }), el('strong', { text: name })),
      icon('down'),
    );
  }

  searchField() {
    const field = el('input', {
      type: 'search',
      placeholder: word('find'),
      'aria-label': word('find'),
      value: this.find,
    });
    field.addEventListener('input', () => {
      this.find = field.value;
      this.renderList();
    });
    return el('label', { class: 'search' }, icon('search'), field);
  }

  renderList() {
    const { chats, open } = this.state;
    const wanted = this.find.trim().toLowerCase();
    const shown = chats
      .filter((chat) => titleOf(chat).toLowerCase().includes(wanted))
      .sort((one, other) => (other.last?.date ?? 0) - (one.last?.date ?? 0));
    reconcile(
      this.list,
      shown.map((chat) => this.row(chat, chat.key === open)),
    );
  }

  row(chat, isOpen) {
    const { last } = chat;
    const text = last ? summaryOf(last) : chat.username ? `@${chat.username}` : '';
    const facts = [titleOf(chat), text, last?.date, isOpen];
    return this.keep(`chat ${chat.key}`, facts, () => this.rowNode(chat, text, isOpen));
  }

  rowNode(chat, text, isOpen) {
    const { last } = chat;
    return el(
      'button',
      {
        type: 'button',
        class: 'row',
        'data-key': chat.key,
        'aria-current': isOpen ? 'true' : null,
        onclick: () => this.doings.onOpen(chat.key),
      },
      avatar(titleOf(chat), chat.bot ?? chat.chat?.id),
      el('span', { class: 'row-text' }, el('strong', { text: titleOf(chat) }), el('small', { text })),
      last ? el('time', { text: timeOf(last.date) }) : null,
    );
  }
}

export function titleOf(chat) {
  return chat.title ?? chat.chat?.title ?? '';
}

/** Chooses who writes, or adds somebody. */
export function openPeople(state, onPerson) {
  const choose = (id) => {
    box.close();
    onPerson(id);
  };
  const rows = state.users.map((user) => {
    const name = [user.first_name, user.last_name].filter(Boolean).join(' ');
    const facts = user.username ? `@${user.username}` : String(user.id);
    return el(
      'button',
      {
        type: 'button',
        class: 'row',
        'aria-current': user.id === state.me ? 'true' : null,
        onclick: () => choose(user.id),
      },
      avatar(name, user.id),
      el('span', { class: 'row-text' }, el('strong', { text: name }), el('small', { text: facts })),
    );
  });
  const field = el('input', {
    class: 'field',
    name: 'name',
    required: true,
    maxlength: '64',
    placeholder: word('name'),
    'aria-label': word('newPerson'),
    autocomplete: 'off',
  });
  const add = async (event) => {
    event.preventDefault();
    const [first_name, ...rest] = field.value.trim().split(/\s+/);
    if (!first_name) return;
    try {
      const last_name = rest.join(' ');
      const user = await api.addUser({
        first_name,
        ...(last_name ? { last_name } : {}),
        language_code: currentLanguage(),
      });
      choose(user.id);
    } catch (error) {
      complain(error);
    }
  };
  const form = el(
    'form',
    { class: 'add-person', onsubmit: add },
    field,
    el('button', { class: 'button main-button', text: word('add') }),
  );
  const cancel = el('button', { type: 'button', class: 'button', text: word('cancel'), onclick: () => box.close() });
  const people = el('div', { class: 'people' }, ...rows);
  const box = dialog(word('switchPerson'), people, form, el('div', { class: 'dialog-buttons' }, cancel));
}
