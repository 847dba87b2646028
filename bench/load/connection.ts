import { connect, type Socket } from 'node:net';

/** One keep-alive connection with one request at a time: enough of HTTP for the answers of a webhook. */
export class Connection {
  readonly #socket: Socket;
  #received = '';
  #done: ((status: number) => void) | undefined;
  #broken = false;

  constructor(port: number) {
    this.#socket = connect({ port, host: '127.0.0.1', noDelay: true });
    this.#socket.setEncoding('latin1');
    this.#socket.on('data', (part) => this.#take(String(part)));
    this.#socket.on('error', () => this.#fail());
    this.#socket.on('close', () => this.#fail());
  }

  get broken(): boolean {
    return this.#broken;
  }

  opened(): Promise<void> {
    return new Promise((resolve, reject) => {
      if (!this.#socket.connecting) resolve();
      this.#socket.once('connect', resolve);
      this.#socket.once('error', reject);
    });
  }

  /** `done` gets the status; 0 when the connection broke first. */
  send(request: string, done: (status: number) => void): void {
    this.#done = done;
    if (this.#broken) this.#fail();
    else this.#socket.write(request, 'latin1');
  }

  #take(part: string): void {
    this.#received = this.#received === '' ? part : this.#received + part;
    const head = this.#received.indexOf('\r\n\r\n');
    if (head < 0) return;
    const at = this.#received.search(/\r\ncontent-length: */i);
    const length = at < 0 || at > head ? 0 : Number.parseInt(this.#received.slice(at + 17, head), 10);
    if (this.#received.length < head + 4 + length) return;
    const status = Number(this.#received.slice(9, 12));
    this.#received = '';
    const done = this.#done;
    this.#done = undefined;
    done?.(status);
  }

  #fail(): void {
    this.#broken = true;
    const done = this.#done;
    this.#done = undefined;
    done?.(0);
  }

  close(): void {
    this.#socket.destroy();
  }
}
