import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { createSimulator, type Simulator, type SimulatorOptions } from './simulator.ts';

/** A simulator that listens until the test is over. */
export async function startSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  const simulator = createSimulator({ seed: 7, ...options });
  await simulator.listen();
  onTestFinished(() => simulator.close());
  return simulator;
}

/** What a call was answered. */
export type Answer = { status: number; headers: Headers; body: Record<string, unknown> & { result?: unknown } };

/** Calls a method with a JSON body. */
export async function call(
  simulator: Simulator,
  bot: { token: string },
  method: string,
  params: object = {},
): Promise<Answer> {
  const response = await fetch(`${simulator.address}/bot${bot.token}/${method}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(params),
  });
  return { status: response.status, headers: response.headers, body: (await response.json()) as Answer['body'] };
}

/** The result of a call that must go well. */
export async function ok<Result = Record<string, unknown>>(
  simulator: Simulator,
  bot: { token: string },
  method: string,
  params: object = {},
): Promise<Result> {
  const { body } = await call(simulator, bot, method, params);
  if (body.ok !== true) throw new Error(`${method}: ${JSON.stringify(body)}`);
  return body.result as Result;
}

/** The description of a call that must be refused. */
export async function refusal(
  simulator: Simulator,
  bot: { token: string },
  method: string,
  params: object = {},
): Promise<string> {
  const { body } = await call(simulator, bot, method, params);
  if (body.ok !== false) throw new Error(`${method} went well: ${JSON.stringify(body)}`);
  return String(body.description);
}

/** What whoever knows the key of the control API sends. */
export const owner = (simulator: Simulator): { authorization: string } => ({
  authorization: `Bearer ${simulator.controlKey}`,
});

/** The control API. */
export async function control<Result = unknown>(
  simulator: Simulator,
  method: string,
  path: string,
  body?: unknown,
): Promise<Result> {
  const response = await fetch(`${simulator.address}/control${path}`, {
    method,
    headers: {
      ...owner(simulator),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return (await response.json()) as Result;
}

/** A request that a webhook got and has not answered yet. */
export type Delivery = {
  headers: IncomingHttpHeaders;
  url: string;
  body: Buffer;
  update: Record<string, unknown> & { update_id: number };
  answer(status?: number, headers?: Record<string, string>, body?: string | Buffer): void;
  /** Takes the connection away instead of answering. */
  drop(): void;
};

/** A webhook whose requests are answered by the test, one by one. */
export type Hook = {
  url: string;
  next(): Promise<Delivery>;
  /** How many requests wait to be taken by `next`. */
  waiting(): number;
  close(): Promise<void>;
};

function deliveryOf(headers: IncomingHttpHeaders, url: string, chunks: Buffer[], response: ServerResponse): Delivery {
  const body = Buffer.concat(chunks);
  let update: Delivery['update'] = { update_id: 0 };
  try {
    update = JSON.parse(body.toString()) as Delivery['update'];
  } catch {
    // Some tests send what is no JSON.
  }
  return {
    headers,
    url,
    body,
    update,
    answer: (status = 200, extra = {}, text = '') => void response.writeHead(status, extra).end(text),
    drop: () => void response.socket?.destroy(),
  };
}

/** Starts a webhook; `port` lets one come back where an earlier one was. */
export async function startHook(port = 0): Promise<Hook> {
  const arrived: Delivery[] = [];
  const takers: ((delivery: Delivery) => void)[] = [];
  const server: Server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const delivery = deliveryOf(request.headers, request.url ?? '', chunks, response);
      const taker = takers.shift();
      if (taker) taker(delivery);
      else arrived.push(delivery);
    });
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.closeAllConnections();
      server.close(() => resolve());
    });
  onTestFinished(close);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    next: () =>
      new Promise((resolve) => {
        const first = arrived.shift();
        if (first) resolve(first);
        else takers.push(resolve);
      }),
    waiting: () => arrived.length,
    close,
  };
}

/** Waits for something that has no signal of its own; fails loudly when it never comes. */
export async function until(condition: () => boolean, what: string): Promise<void> {
  const deadline = performance.now() + 60_000;
  while (!condition()) {
    if (performance.now() > deadline) throw new Error(`never happened: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}
