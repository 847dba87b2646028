import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** How a call goes wrong. All but `reset` tell back everything that the request held. */
export type Trouble = '400' | '401' | '403' | '404' | '409' | '429' | '500' | 'html' | 'garbage' | 'redirect' | 'reset';

/**
 * Stands before the simulated Telegram and repeats, where it is told to fail, the whole request in its answer: the
 * path with the token, the headers, the body. Real fronts and libraries do.
 */
export type EchoFront = {
  readonly address: string;
  /** Where calls go that are not to fail. */
  target: string;
  /** From now on this bot's calls of this method fail so; undefined: they work again. */
  fail(bot: number, method: string, trouble: Trouble | undefined): void;
  /** Which troubles were really made, as `method trouble`. */
  readonly made: Set<string>;
  /** The webhook secrets that were told to Telegram, whatever it answered. */
  readonly secrets: Set<string>;
  close(): Promise<void>;
};

export async function openEchoFront(): Promise<EchoFront> {
  const troubles = new Map<string, Trouble>();
  const made = new Set<string>();
  const secrets = new Set<string>();
  const server = createServer((request, response) => {
    void handle(request, response).catch(() => response.destroy());
  });
  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await bodyOf(request);
    const secret = /"secret_token":"([^"]+)"/.exec(body.toString())?.[1];
    if (secret !== undefined) secrets.add(secret);
    const [, bot, method = ''] = /^\/bot(\d+)[^/]*\/(\w+)/.exec(request.url ?? '') ?? [];
    // A text that somebody wrote to the bot, which says it back, chooses as well: `trouble:html`.
    const said = /trouble:(\w+)/.exec(body.toString())?.[1] as Trouble | undefined;
    const trouble = troubles.get(`${bot} ${method}`) ?? said;
    if (trouble === undefined) return pass(front.target, request, body, response);
    made.add(`${method} ${trouble}`);
    fail(trouble, echoOf(request, body), request, response);
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const front: EchoFront = {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    target: '',
    made,
    secrets,
    fail(bot, method, trouble) {
      if (trouble === undefined) troubles.delete(`${bot} ${method}`);
      else troubles.set(`${bot} ${method}`, trouble);
    },
    close: () => closed(server),
  };
  return front;
}

const closed = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.closeAllConnections();
    server.close(() => resolve());
  });

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  return Buffer.concat(pieces);
}

function echoOf(request: IncomingMessage, body: Buffer): string {
  const url = `http://${request.headers.host}${request.url}`;
  // The body first: what follows may be cut off.
  return `${body.toString()} ${url} ${encodeURIComponent(url)} ${JSON.stringify(request.headers)}`;
}

function fail(trouble: Trouble, echo: string, request: IncomingMessage, response: ServerResponse): void {
  if (trouble === 'reset') return void request.socket.resetAndDestroy();
  if (trouble === 'html') {
    response.writeHead(502, { 'content-type': 'text/html' }).end(`<html><body>502 for ${echo}</body></html>`);
  } else if (trouble === 'garbage') response.writeHead(200).end(`{"ok":true,"result":"${echo}`);
  else if (trouble === 'redirect') response.writeHead(302, { location: `http://127.0.0.1:1${request.url}` }).end(echo);
  else {
    const code = Number(trouble);
    const description = `${descriptions[code] ?? 'Error'}: ${echo}`;
    const parameters = code === 429 ? { parameters: { retry_after: 1 } } : {};
    response.writeHead(code, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ ok: false, error_code: code, description, ...parameters }));
  }
}

const descriptions: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  409: 'Conflict',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
};

async function pass(target: string, request: IncomingMessage, body: Buffer, response: ServerResponse): Promise<void> {
  const answer = await fetch(`${target}${request.url}`, {
    method: request.method ?? 'POST',
    headers: { 'content-type': request.headers['content-type'] ?? 'application/json' },
    ...(body.length > 0 ? { body: new Uint8Array(body) } : {}),
  });
  response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? 'application/json' });
  response.end(Buffer.from(await answer.arrayBuffer()));
}
