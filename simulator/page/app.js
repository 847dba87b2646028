import * as api from './api.js';
import { ChatScreen } from './chat.js';
import { el } from './dom.js';
import { noChat } from './empty.js';
import { keepKey } from './key.js';
import { MiniApps } from './mini-apps.js';
import { complain } from './notice.js';
import { Side } from './side.js';
import { currentLanguage, setLanguage, word } from './words.js';

/** Changes of lists are gathered for this long before the lists are read again. */
const GATHER_MS = 150;

const app = document.getElementById('app');
const main = document.getElementById('main');
const line = document.getElementById('line');

/** Everything the page knows. */
const state = { users: [], me: undefined, chats: [], open: undefined, connected: true };
let screen;
let stop;
let gather;

const side = new Side(document.getElementById('side'), {
  onOpen: openChat,
  onPerson: becomePerson,
  onLanguage: changeLanguage,
});

const minis = new MiniApps({
  me: () => state.me,
  place: () => screen?.place ?? { user: state.me },
  chats: () => state.chats,
  openChat: (key) => void readLists().then(() => openChat(key)),
});

function remembered(name) {
  const asked = new URLSearchParams(location.search).get(name);
  if (asked) return asked;
  try {
    return sessionStorage.getItem(`roost-${name}`) ?? undefined;
  } catch {
    return undefined;
  }
}

function remember(name, value) {
  try {
    sessionStorage.setItem(`roost-${name}`, String(value ?? ''));
  } catch {
    // Not remembered, then.
  }
}

/** The thin line on top: no network, or no simulator. */
function showLine() {
  const text = !navigator.onLine ? word('offline') : state.connected ? '' : word('lost');
  line.textContent = text;
  line.hidden = text === '';
  line.classList.toggle('trouble', navigator.onLine);
}

/** A simulator that was started anew may have another key: nothing here works until its address is opened. */
function askForKey() {
  stop?.();
  clearTimeout(gather);
  setConnected(true);
  state.me = undefined;
  main.replaceChildren(noChat(word('noKey'), word('noKeyHint')));
}

/** The stream of what happens came, or went. */
function onStream(connected) {
  setConnected(connected);
  if (!connected) api.users().catch((error) => error.status === 401 && askForKey());
}

function setConnected(connected) {
  state.connected = connected;
  showLine();
}

async function readLists() {
  if (state.me === undefined) return;
  const { users, chats, mark } = await api.view(state.me);
  state.users = users;
  state.chats = chats;
  side.render(state);
  return mark;
}

function readListsSoon() {
  clearTimeout(gather);
  gather = setTimeout(() => readLists().catch(() => setConnected(false)), GATHER_MS);
}

async function openChat(key, focus = true) {
  const summary = state.chats.find((chat) => chat.key === key);
  if (!summary) return;
  state.open = key;
  remember('chat', key);
  app.classList.add('in-chat');
  screen = new ChatScreen({ summary, me: state.me, onBack: closeChat, openApp: (request) => minis.open(request) });
  main.replaceChildren(screen.node);
  side.render(state);
  try {
    await screen.load();
    if (focus && matchMedia('(hover: hover)').matches) screen.composer.field.focus();
  } catch (error) {
    complain(error);
  }
}

/** Nothing is open: the list on a phone, a hint beside the list on a wide screen. */
function showLists() {
  state.open = undefined;
  remember('chat', '');
  screen = undefined;
  app.classList.remove('in-chat');
  showNothing();
  side.render(state);
}

function closeChat() {
  const { open } = state;
  showLists();
  document.querySelector(`.row[data-key="${open}"]`)?.focus();
}

function showNothing() {
  const empty = state.chats.length === 0;
  main.replaceChildren(noChat(word(empty ? 'noBots' : 'noChat'), word(empty ? 'noBotsHint' : 'noChatHint')));
}

/** The page of one person: lists, the chat that was open, and the stream of what happens. */
async function becomePerson(id) {
  stop?.();
  state.me = id;
  remember('user', id);
  const mark = await readLists();
  stop = api.listen(mark, onEvent, onStream);
  const wanted = state.open ?? remembered('chat');
  const key = wanted?.includes(':') ? `${wanted.split(':')[0]}:${id}` : wanted;
  const known = state.chats.find((chat) => chat.key === key);
  if (known) await openChat(known.key, false);
  else if (state.chats.length === 1) await openChat(state.chats[0].key, false);
  else showLists();
}

function concernsMe({ chat, type }) {
  return type === 'bot' || type === 'user' || chat.endsWith(`:${state.me}`) || (chat !== '' && !chat.includes(':'));
}

async function onEvent(event) {
  // The simulator was started anew, or we were away too long: nothing known here need be true any more.
  if (event.type === 'reset') return begin();
  if (!concernsMe(event)) return;
  if (event.type !== 'typing' && event.type !== 'press_answer') readListsSoon();
  if (event.chat !== '' && event.chat === state.open) await screen?.onEvent(event);
  // Its menu button or its commands may be other ones now.
  if (event.type === 'bot' && event.data.id === screen?.summary.bot) await screen.readState();
}

function changeLanguage(language) {
  setLanguage(language);
  showLine();
  side.list.setAttribute('aria-label', word('chats'));
  if (state.me === undefined) return void begin();
  side.render(state);
  if (state.open) openChat(state.open, false).catch(complain);
  else showNothing();
}

async function begin() {
  try {
    state.users = await api.users();
  } catch (error) {
    if (error.status === 401) return askForKey();
    setConnected(false);
    const again = el('button', { type: 'button', class: 'button main-button', text: word('tryAgain'), onclick: begin });
    main.replaceChildren(noChat(word('gone'), word('goneHint'), again));
    setTimeout(() => state.me === undefined && begin(), 2_000);
    return;
  }
  setConnected(true);
  const wanted = Number(remembered('user'));
  try {
    await becomePerson((choosePerson(wanted) ?? (await newGuest())).id);
    followAsked();
  } catch (error) {
    complain(error);
  }
}

/** `?link=https://t.me/...` opens what a link from outside would open; once. */
function followAsked() {
  const address = new URL(location.href);
  const link = address.searchParams.get('link');
  if (!link) return;
  address.searchParams.delete('link');
  history.replaceState(null, '', address);
  void minis.follow(link);
}

/** Who was here before, else somebody who speaks the page's language, else anybody. */
function choosePerson(wanted) {
  const { users } = state;
  const speaks = (user) => user.language_code === currentLanguage();
  return users.find(({ id }) => id === wanted) ?? users.find(speaks) ?? users[0];
}

/** Somebody must be writing: the first visitor of an empty simulator is a guest, named in the list of people. */
function newGuest() {
  return api.addUser({ first_name: word('guest'), language_code: currentLanguage() });
}

// The printed address, opened again in this tab, brings a key of now.
addEventListener('hashchange', () => keepKey() && location.reload());
addEventListener('online', showLine);
addEventListener('offline', showLine);
document.title = `Roost · ${word('title')}`;
document.documentElement.lang = currentLanguage();
void begin();
