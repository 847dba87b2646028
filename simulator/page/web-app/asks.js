import { emit } from './events.js';
import { fieldsOf, mustBeHere } from './launch.js';
import { hear, post } from './wire.js';

const MESSAGE_CHARS_MAX = 256;
const BUTTONS_MAX = 3;

/** Answers that are still to come, by the number of the request. */
const open = new Map();

/** Asks Telegram's servers something; the callback gets an error in a word, or the result. */
export function invokeCustomMethod(method, params, callback) {
  mustBeHere('6.9');
  const id = Math.random().toString(36).slice(2);
  open.set(id, callback);
  post('web_app_invoke_custom_method', { req_id: id, method, params });
}

hear('custom_method_invoked', ({ req_id: id, result, error }) => {
  const callback = open.get(id);
  open.delete(id);
  callback?.(error ?? null, error === undefined ? result : undefined);
});

const storage = (method, params, callback) => {
  invokeCustomMethod(method, params, (error, result) => callback?.(error, result));
  return CloudStorage;
};

/** What the app keeps for this person, whatever device the person has. */
export const CloudStorage = {
  setItem: (key, value, callback) => storage('saveStorageValue', { key, value }, callback),
  getItem: (key, callback) =>
    storage('getStorageValues', { keys: [key] }, (error, found) => callback?.(error, found?.[key])),
  getItems: (keys, callback) => storage('getStorageValues', { keys }, callback),
  removeItem: (key, callback) => storage('deleteStorageValues', { keys: [key] }, callback),
  removeItems: (keys, callback) => storage('deleteStorageValues', { keys }, callback),
  getKeys: (callback) => storage('getStorageKeys', {}, callback),
};

/** A question that the client asks in the page; one of each kind at a time. */
const waiting = {};

function ask(kind, eventType, data, callback) {
  if (waiting[kind]) throw new Error(`${kind} is asked already`);
  waiting[kind] = { callback };
  post(eventType, data);
}

function answered(kind) {
  const { callback } = waiting[kind] ?? {};
  delete waiting[kind];
  return callback;
}

function popupButton({ id = '', type = 'default', text = '' }) {
  if ((type === 'default' || type === 'destructive') && !text) throw new Error('WebAppPopupParamInvalid');
  return { id, type, ...(text ? { text } : {}) };
}

export function showPopup({ title = '', message, buttons = [{ type: 'close' }] }, callback) {
  mustBeHere('6.2');
  if (!message || message.length > MESSAGE_CHARS_MAX || buttons.length < 1 || buttons.length > BUTTONS_MAX)
    throw new Error('WebAppPopupParamInvalid');
  ask('popup', 'web_app_open_popup', { title, message, buttons: buttons.map(popupButton) }, callback);
}

export function showAlert(message, callback) {
  showPopup({ message }, callback && (() => callback()));
}

export function showConfirm(message, callback) {
  showPopup({ message, buttons: [{ id: 'ok', type: 'ok' }, { type: 'cancel' }] }, (id) => callback?.(id === 'ok'));
}

hear('popup_closed', ({ button_id: id = null }) => {
  answered('popup')?.(id);
  emit('popupClosed', { button_id: id });
});

export function requestWriteAccess(callback) {
  mustBeHere('6.9');
  ask('write access', 'web_app_request_write_access', undefined, callback);
}

hear('write_access_requested', ({ status }) => {
  answered('write access')?.(status === 'allowed');
  emit('writeAccessRequested', { status });
});

export function requestContact(callback) {
  mustBeHere('6.9');
  ask('contact', 'web_app_request_phone', undefined, callback);
}

function tellContact(event) {
  answered('contact')?.(event.status === 'sent', event);
  emit('contactRequested', event);
}

hear('phone_requested', ({ status }) => {
  if (status !== 'sent') return tellContact({ status });
  invokeCustomMethod('getRequestedContact', {}, (_error, response) =>
    tellContact(response ? { status, response, responseUnsafe: fieldsOf(response) } : { status }),
  );
});
