import type { AddressInfo } from 'node:net';
import { connect, createServer, type Server, type Socket } from 'node:net';
import chromium from '@sparticuz/chromium';
import { type Browser, type BrowserContextOptions, type Page, chromium as playwright } from 'playwright-core';
import { unpackedBrowser } from './chromium.ts';

/** The package's own arguments but those that let one page's end take the browser along. */
const ARGS = chromium.args.filter((arg) => arg !== '--single-process' && arg !== '--no-zygote');

export async function startBrowser(): Promise<Browser> {
  return playwright.launch({ executablePath: await unpackedBrowser(), args: [...ARGS, '--no-sandbox'] });
}

/** A page and everything that went wrong in it. */
export type Watched = { page: Page; troubles: string[]; close(): Promise<void> };

export async function openPage(
  browser: Browser,
  address: string,
  options: BrowserContextOptions = {},
): Promise<Watched> {
  // Nothing moves or fades while it is looked at.
  const still = { reducedMotion: 'reduce' } as const;
  const phone = { viewport: { width: 360, height: 740 }, locale: 'ru-RU' };
  const context = await browser.newContext({ ...still, ...phone, ...options });
  context.setDefaultTimeout(90_000);
  await context.addInitScript(noteTexts);
  const page = await context.newPage();
  const troubles: string[] = [];
  page.on('pageerror', (error) => troubles.push(String(error)));
  page.on('console', (message) => message.type() === 'error' && troubles.push(message.text()));
  await page.goto(address);
  return { page, troubles, close: () => context.close() };
}

type Noting = typeof globalThis & { notedTexts: string[] };

/** Notes every text that comes into sight, since some go again by themselves. */
const noteTexts = `{
  const texts = (globalThis.notedTexts = []);
  const note = (node) => {
    const element = node instanceof Element ? node : node.parentElement;
    if (element?.checkVisibility({ visibilityProperty: true })) texts.push(node.textContent);
  };
  new MutationObserver((changes) => changes.forEach(({ addedNodes }) => addedNodes.forEach(note)))
    .observe(document, { subtree: true, childList: true });
}`;

/** Waits for words that may be gone before anybody looks, such as those of a toast. */
export async function seen(page: Page, words: string): Promise<void> {
  await page.waitForFunction((part) => (globalThis as Noting).notedTexts.some((text) => text.includes(part)), words);
}

/** A wire that can be cut and mended between the page and the simulator. */
export class Wire {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #whole = true;

  constructor(port: number) {
    this.#server = createServer((socket) => {
      if (!this.#whole) return void socket.destroy();
      const far = connect(port, '127.0.0.1');
      for (const end of [socket, far]) {
        this.#sockets.add(end);
        end.on('error', () => end.destroy());
        end.on('close', () => {
          this.#sockets.delete(end);
          socket.destroy();
          far.destroy();
        });
      }
      socket.pipe(far).pipe(socket);
    });
  }

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  cut(): void {
    this.#whole = false;
    for (const socket of this.#sockets) socket.destroy();
  }

  mend(): void {
    this.#whole = true;
  }

  async close(): Promise<void> {
    this.cut();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
