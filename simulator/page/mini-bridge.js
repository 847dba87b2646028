/**
 * The wire to an app's frame: events travel as JSON strings `{eventType, eventData}`, as in Telegram's web clients.
 * Only the page that was opened is heard: whoever the frame went on to belongs to somebody else.
 */
export class Bridge {
  /** @param {HTMLIFrameElement} frame @param {string} address @param {Record<string, Function>} handlers by event type */
  constructor(frame, address, handlers) {
    this.frame = frame;
    this.origin = new URL(address).origin;
    this.handlers = handlers;
    this.onMessage = (event) => this.receive(event);
    addEventListener('message', this.onMessage);
  }

  receive(event) {
    if (event.source !== this.frame.contentWindow || event.origin !== this.origin) return;
    let message;
    try {
      message = JSON.parse(event.data);
    } catch {
      return;
    }
    const handler = Object.hasOwn(this.handlers, message?.eventType) ? this.handlers[message.eventType] : undefined;
    handler?.(message.eventData ?? {});
  }

  post(eventType, eventData = null) {
    this.frame.contentWindow?.postMessage(JSON.stringify({ eventType, eventData }), this.origin);
  }

  end() {
    removeEventListener('message', this.onMessage);
  }
}
