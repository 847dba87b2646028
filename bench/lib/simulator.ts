// The simulated Telegram as a process of its own, and its control API.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { type Child, lastLines, startChild } from './child.ts';
import { until } from './clock.ts';
import type { Scope } from './scope.ts';

export type SimulatedBot = { readonly id: number; readonly token: string; readonly username: string };

/** What the benches read of an entry of the call log. */
export type Call = {
  readonly arrived_mono: number;
  readonly bot_id: number | null;
  readonly method: string | null;
  readonly chat_id: number | string | null;
  readonly accepted: boolean | null;
  readonly code: number | null;
  readonly limit: string | null;
  readonly params: string | null;
};

export type Counters = {
  calls: {
    accepted: number;
    refused: number;
    by_method: Record<string, number>;
    by_code: Record<string, number>;
  };
};

export type Simulator = {
  readonly address: string;
  readonly pid: number;
  createBots(count: number): Promise<SimulatedBot[]>;
  /** Each bot's webhook, set by calls as the server would make them, without latency. */
  setWebhooks(
    webhooks: readonly { token: string; url: string; secret: string; allowedUpdates: readonly string[] }[],
  ): Promise<void>;
  set(settings: { latencyMs?: number; limits?: { on: boolean } }): Promise<void>;
  counters(): Promise<Counters>;
  /** Calls that arrived at this moment or later, in the order in which Telegram took them. */
  calls(sinceMono: number, method?: string): Promise<Call[]>;
  /** Forgets what was logged and counted so far. */
  forget(): Promise<void>;
};

const script = join(import.meta.dirname, '..', '..', 'simulator', 'main.ts');
const startMsMax = 30_000;
const callsAtOnce = 32;
/** Calls kept in the log: more than any bench makes between two readings. */
const callsMax = 400_000;

export async function startSimulator(scope: Scope, options: { folder: string; latencyMs: number }): Promise<Simulator> {
  const child = startChild(scope, {
    script,
    args: ['--latency', String(options.latencyMs), '--auto-chats', '--history-max', '2', '--log-max', String(callsMax)],
    logFile: join(options.folder, 'simulator.log'),
  });
  const { address, control_key: key } = await addressOf(child);
  const control = `${address}/control`;
  const ask = asking(key);
  return {
    address,
    pid: child.pid,
    async createBots(count) {
      const wishes = Array.from({ length: count }, () => ({}));
      return (await ask(`${control}/bots`, 'POST', wishes)) as SimulatedBot[];
    },
    setWebhooks: async (webhooks) => {
      await ask(`${control}/settings`, 'PATCH', { latencyMs: 0 });
      const waiting = webhooks.values();
      const workers = Array.from({ length: callsAtOnce }, async () => {
        for (const { token, url, secret, allowedUpdates } of waiting) {
          const params = { url, secret_token: secret, allowed_updates: allowedUpdates, max_connections: 10 };
          await ask(`${address}/bot${token}/setWebhook`, 'POST', params);
        }
      });
      await Promise.all(workers);
      await ask(`${control}/settings`, 'PATCH', { latencyMs: options.latencyMs });
    },
    set: async (settings) => void (await ask(`${control}/settings`, 'PATCH', settings)),
    counters: async () => (await ask(`${control}/counters`, 'GET')) as Counters,
    calls: (sinceMono, method) => readCalls(control, key, sinceMono, method),
    forget: async () => void (await ask(`${control}/logs`, 'DELETE')),
  };
}

type Said = { address: string; control_key: string };

async function addressOf(child: Child): Promise<Said> {
  const find = (): string | undefined => /^\{"address":.*\}$/m.exec(readFileSync(child.logFile, 'utf8'))?.[0];
  await until(() => find() !== undefined || child.ended(), { what: 'the simulator', withinMs: startMsMax });
  const said = find();
  if (said === undefined) throw new Error(`The simulator did not start:\n${lastLines(child)}`);
  return JSON.parse(said) as Said;
}

const asking = (key: string) => async (url: string, method: string, body?: unknown) => {
  const response = await fetch(url, {
    method,
    headers: { authorization: `Bearer ${key}`, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${method} ${url}: ${response.status} ${await response.text()}`);
  return response.json() as Promise<unknown>;
};

async function readCalls(control: string, key: string, sinceMono: number, method = 'sendMessage'): Promise<Call[]> {
  const headers = { authorization: `Bearer ${key}` };
  const response = await fetch(`${control}/calls.ndjson?since=${sinceMono}&method=${method}`, { headers });
  if (!response.ok || response.body === null) throw new Error(`The call log: ${response.status}`);
  const calls: Call[] = [];
  for await (const line of createInterface({ input: Readable.fromWeb(response.body as ReadableStream) })) {
    if (line !== '') calls.push(JSON.parse(line) as Call);
  }
  return calls;
}
