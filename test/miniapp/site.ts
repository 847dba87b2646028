// A server for block tests: pages as the real one makes them, without a database, and everything that was sent.

import { mkdtempSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AppEvent, AppPages, AppRows, AppStart, AppView } from '../../contract/app/view.ts';
import { drawPages, firstState, pageAt, renderPage, toHtml } from '../../miniapp/blocks/blocks.ts';
import { type Built, buildMiniapp } from '../../miniapp/build.ts';
import { telegramScript } from './telegram.ts';

export type Sent = { readonly event: AppEvent; readonly authorization: string | undefined };

export type Site = {
  readonly address: string;
  /** What came, in its order. */
  readonly sent: Sent[];
  readonly files: { readonly query: string; readonly type: string | undefined; readonly bytes: Buffer }[];
  /** What the next events are answered; then everything is accepted again. */
  readonly answers: object[];
  /** Requests by path, as they came. */
  readonly asked: string[];
  close(): Promise<void>;
};

export type SiteOptions = {
  readonly view: AppView;
  readonly rows: AppRows;
  /** Views of other languages, by `?lang=`. */
  readonly others?: { readonly [locale: string]: AppView };
  readonly media?: { readonly [path: string]: { readonly type: string; readonly body: Buffer | string } };
  readonly theme?: string;
  readonly slots?: (query: URLSearchParams) => object;
  /** As under `/a/`. */
  readonly telegram?: boolean;
  /** The page that the first address answers with, as a start parameter has it. */
  readonly meant?: string;
  readonly paint?: AppStart['paint'];
  /** Any when absent. */
  readonly port?: number;
  /** Time zone of the project; UTC when absent. */
  readonly zone?: string;
};

/** One build for all sites of a test file; it goes with the process. */
const folder = mkdtempSync(join(tmpdir(), 'roost-miniapp-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
let built: Promise<Built> | undefined;

export async function openSite(options: SiteOptions): Promise<Site> {
  built ??= buildMiniapp(folder);
  const list = await built;
  const read = (name: string): Promise<Buffer> => readFile(join(folder, name));
  const css = String(await read(list.css));
  const site = { sent: [], files: [], answers: [], asked: [] } as Pick<Site, 'sent' | 'files' | 'answers' | 'asked'>;

  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://site');
    site.asked.push(url.pathname);
    answer(request, response, url).catch((error) => response.writeHead(500).end(String(error)));
  });

  async function answer(request: IncomingMessage, response: ServerResponse, url: URL): Promise<void> {
    const { pathname } = url;
    const send = (type: string, body: string | Buffer, status = 200): void => {
      response.writeHead(status, { 'content-type': type }).end(body);
    };
    const json = (body: unknown): void => send('application/json', JSON.stringify(body));
    const view = options.others?.[url.searchParams.get('lang') ?? ''] ?? options.view;
    if (pathname === '/telegram.js') return send('text/javascript', telegramScript);
    if (pathname.startsWith('/_/view-')) return json(drawPages(options.others?.[pathname.slice(8)] ?? options.view));
    if (pathname === '/_/rows') return json(options.rows);
    const media = options.media?.[pathname];
    if (media) return send(media.type, media.body);
    if (pathname.startsWith('/_/')) {
      const name = pathname.slice(3);
      if (!list.files.includes(name)) return send('text/plain', 'none', 404);
      if (name === list.worker) response.setHeader('service-worker-allowed', '/');
      return send(name.endsWith('.css') ? 'text/css' : 'text/javascript', await read(name));
    }
    if (pathname.endsWith('/visitors')) return json({ ok: true });
    if (pathname.endsWith('/slots')) return json(options.slots?.(url.searchParams) ?? { ok: true, slots: [] });
    if (pathname.endsWith('/files')) {
      const bytes = await bodyOf(request);
      site.files.push({ query: url.search, type: request.headers['content-type'], bytes });
      return json({ ok: true, file: 'file_0000000000000000000000' });
    }
    if (pathname.endsWith('/events')) {
      const event = JSON.parse(String(await bodyOf(request))) as AppEvent;
      site.sent.push({ event, authorization: request.headers.authorization });
      return json(
        site.answers.shift() ?? { ok: true, duplicate: false, number: 17, done: 'Спасибо. Ответим сегодня.' },
      );
    }
    const at = pathname === '/' && options.meant ? { page: options.meant } : pageAt(view, pathname);
    if (!at) return send('text/plain', 'none', 404);
    send('text/html; charset=utf-8', page(drawPages(view), at, list, css));
  }

  function page(
    pages: AppPages,
    at: { page: string; item?: number | undefined },
    { runtime, desk }: Built,
    css: string,
  ): string {
    const { zone = 'UTC' } = options;
    const state = firstState({ ...at, telegram: options.telegram === true, zone });
    const body = toHtml(renderPage(pages, options.rows, state));
    const start: AppStart = {
      view: `/_/view-${pages.locale}`,
      rows: '/_/rows',
      zone,
      ...at,
      ...(options.telegram && { telegram: '/telegram.js', paint: options.paint }),
      ...(options.meant && { address: `${options.view.pages[options.meant]?.path}` }),
    };
    const json = JSON.stringify(start).replaceAll('<', '\\u003c');
    return `<!doctype html><html lang="${pages.locale}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>${at.page}</title><link rel="icon" href="data:,"><meta http-equiv="content-security-policy" content="default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; script-src 'self'; connect-src 'self'"><style>${css}</style><style>${options.theme ?? ''}</style><link rel="stylesheet" media="(min-width:900px)" href="/_/${desk}"></head><body><div id="r">${body}</div><script type="application/json" id="v">${json}</script><script src="/_/${runtime}" type="module" async></script></body></html>`;
  }

  await new Promise<void>((resolve) => server.listen(options.port ?? 0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    ...site,
    address: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts);
}
