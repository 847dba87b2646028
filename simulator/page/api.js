/** Calls of the control API, and the stream of everything that happens. */
import { controlKey } from './key.js';

const withKey = (path, sign) => `${path}${sign}key=${encodeURIComponent(controlKey())}`;

async function call(method, path, body, type = 'application/json') {
  const response = await fetch(`control${path}`, {
    method,
    headers: {
      authorization: `Bearer ${controlKey()}`,
      ...(body === undefined ? {} : { 'content-type': type }),
    },
    body: body === undefined ? undefined : type === 'application/json' ? JSON.stringify(body) : body,
  });
  const answer = await response.json().catch(() => ({}));
  if (!response.ok) throw Object.assign(new Error(answer.error ?? `${response.status}`), { status: response.status });
  return answer;
}

export const view = (user) => call('GET', `/view?user=${user}`);
export const users = () => call('GET', '/users');
export const addUser = (user) => call('POST', '/users', user);
export const chat = (key, before) => call('GET', `/chats/${key}${before === undefined ? '' : `?before=${before}`}`);
/** A chat without its messages. */
export const chatState = (key) => call('GET', `/chats/${key}?limit=0`);
export const act = async (name, action) => (await call('POST', `/act/${name}`, action)).result;

/** Uploads one file; hands back what `act('media')` needs to send it. */
export async function upload(file) {
  const kind = kindOf(file.type);
  const query = new URLSearchParams({ kind, name: file.name, mime: file.type || 'application/octet-stream' });
  const { file_unique_id: id } = await call(
    'POST',
    `/files?${query}`,
    await file.arrayBuffer(),
    'application/octet-stream',
  );
  return { kind, file_unique_id: id };
}

function kindOf(mime) {
  if (mime === 'image/gif') return 'animation';
  if (/^image\/(png|jpeg|webp)$/.test(mime)) return 'photo';
  if (mime.startsWith('video/')) return 'video';
  if (mime.startsWith('audio/')) return 'audio';
  return 'document';
}

export const fileAddress = (uniqueId) => withKey(`control/files/${encodeURIComponent(uniqueId)}`, '?');

const RETRY_MS = 2_000;

/**
 * Listens to events from `mark` on and comes back by itself; `onState` hears whether there is a connection.
 * Hands back a function that ends it.
 */
export function listen(mark, onEvent, onState) {
  let source;
  let timer;
  let last = mark;
  let ended = false;
  const open = () => {
    source = new EventSource(withKey(`control/events?after=${encodeURIComponent(last)}`, '&'));
    source.onopen = () => onState(true);
    source.onmessage = (message) => {
      if (message.lastEventId) last = message.lastEventId;
      onEvent(JSON.parse(message.data));
    };
    source.onerror = () => {
      onState(false);
      // The browser's own retry would repeat the old mark of the address; a new stream says where we are.
      source.close();
      clearTimeout(timer);
      if (!ended) timer = setTimeout(open, RETRY_MS);
    };
  };
  open();
  return () => {
    ended = true;
    clearTimeout(timer);
    source.close();
  };
}
