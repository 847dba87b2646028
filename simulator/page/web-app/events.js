/** What the app listens to, by Telegram's names: `mainButtonClicked`, `themeChanged` and so on. */
const listeners = new Map();

/** Listens; the same listener twice is one. */
export function on(name, listener) {
  if (!listeners.has(name)) listeners.set(name, new Set());
  listeners.get(name).add(listener);
}

export function off(name, listener) {
  listeners.get(name)?.delete(listener);
}

/** Tells everybody; `this` is the WebApp, as apps expect. */
export function emit(name, data) {
  for (const listener of [...(listeners.get(name) ?? [])]) listener.call(window.Telegram.WebApp, data);
}
