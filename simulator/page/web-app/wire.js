/** The wire to the client that shows this page: the frame's parent, or the bridge that an app of a phone puts here. */
const hearers = new Map();

/** Tells the client something; what has no data says null, as the protocol has it. */
export function post(eventType, eventData = null) {
  const proxy = window.TelegramWebviewProxy;
  if (proxy) proxy.postEvent(eventType, JSON.stringify(eventData));
  else if (window.parent !== window) window.parent.postMessage(JSON.stringify({ eventType, eventData }), '*');
}

/** Hears what the client says under a name. */
export function hear(eventType, hearer) {
  hearers.set(eventType, hearer);
}

/** Something the client says; native apps call this themselves. */
export function receive(eventType, eventData) {
  hearers.get(eventType)?.(eventData ?? {});
}

function readMessage(data) {
  try {
    return JSON.parse(data);
  } catch {
    return undefined;
  }
}

addEventListener('message', (event) => {
  if (event.source !== window.parent || typeof event.data !== 'string') return;
  const message = readMessage(event.data);
  if (typeof message?.eventType === 'string') receive(message.eventType, message.eventData);
});
hear('reload_iframe', () => {
  post('iframe_will_reload');
  location.reload();
});
