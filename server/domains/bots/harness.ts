// What the tests of the bots act in. Its Bot API of a few methods keeps each bot's webhook, remembers every call, and can
// be told to answer a method in another way. The product's simulator judges the whole; this one is for single answers.

import type { ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { WebhookInfo } from '@grammyjs/types';
import { onTestFinished } from 'vitest';
import type { Db } from '../../../kernel/db.ts';
import { createTelegram } from '../telegram/telegram.ts';
import type { BotsDeps } from './deps.ts';
import { createDirectory, type Directory } from './directory.ts';
import { emptyTables, type TestKit, testKit, testVault } from './fixtures.ts';

export type BotsWorld = {
  readonly kit: TestKit;
  readonly fake: FakeTelegram;
  readonly directory: Directory;
  readonly deps: BotsDeps & { readonly directory: Directory };
};

/**
 * What a test begins with: empty tables, clocks that stand still, a Telegram that knows nobody, and a directory that
 * looks only when it is told to. The connections are closed after the hooks of the test.
 */
export async function openBots(db: Db, publicUrl?: string): Promise<BotsWorld> {
  await emptyTables(db);
  const kit = testKit();
  const fake = await createFakeTelegram();
  const telegram = createTelegram({ ...kit, monotonicMs: () => performance.now() });
  onTestFinished(async () => {
    await telegram.close();
    await fake.close();
  });
  const settings = { vault: testVault(), apiRootDefault: fake.apiRoot };
  const directory = createDirectory(kit, db, settings);
  return { kit, fake, directory, deps: { ...settings, kit, db, telegram, publicUrl, directory } };
}

export type FakeCall = { readonly method: string; readonly token: string; readonly params: Record<string, unknown> };
/** undefined: answer as usual. `drop` closes the connection without an answer, after `carryOut`. */
export type FakeAnswer = { status?: number; body: unknown } | { drop: true; carryOut?: boolean } | undefined;

export type FakeTelegram = {
  readonly apiRoot: string;
  readonly calls: FakeCall[];
  readonly webhooks: Map<string, WebhookInfo & { secret?: string }>;
  /** Bots by token; another token is refused with 401. */
  readonly bots: Map<string, { id: number; username: string; first_name: string; is_bot: true }>;
  answer(method: string, how: ((call: FakeCall) => FakeAnswer | Promise<FakeAnswer>) | undefined): void;
  /** Resolves when the next call of this method has come. */
  next(method: string): Promise<FakeCall>;
  methods(): string[];
  close(): Promise<void>;
};

export const refusal = (code: number, description: string, parameters?: object): FakeAnswer => ({
  status: code,
  body: { ok: false, error_code: code, description, ...(parameters ? { parameters } : {}) },
});

async function createFakeTelegram(): Promise<FakeTelegram> {
  const calls: FakeCall[] = [];
  const webhooks: FakeTelegram['webhooks'] = new Map();
  const bots: FakeTelegram['bots'] = new Map();
  const answers = new Map<string, (call: FakeCall) => FakeAnswer | Promise<FakeAnswer>>();
  const waiting: { method: string; resolve(call: FakeCall): void }[] = [];

  function usual(call: FakeCall): unknown {
    switch (call.method) {
      case 'getMe':
        return bots.get(call.token);
      case 'getWebhookInfo':
        return webhooks.get(call.token) ?? { url: '', has_custom_certificate: false, pending_update_count: 0 };
      case 'deleteWebhook':
        webhooks.delete(call.token);
        return true;
      case 'setWebhook': {
        const { url, secret_token, max_connections, allowed_updates } = call.params;
        const info = {
          url,
          secret: secret_token,
          max_connections,
          allowed_updates,
          has_custom_certificate: false,
          pending_update_count: 0,
        };
        webhooks.set(call.token, info as WebhookInfo & { secret?: string });
        return true;
      }
      default:
        return call.method === 'getUpdates' ? [] : true;
    }
  }

  async function answerTo(call: FakeCall, response: ServerResponse): Promise<void> {
    // Decided before anybody is told of the call, who may then change what is known.
    const isKnown = bots.has(call.token);
    calls.push(call);
    for (const each of waiting.filter((waiter) => waiter.method === call.method)) {
      waiting.splice(waiting.indexOf(each), 1);
      each.resolve(call);
    }
    let how = await answers.get(call.method)?.(call);
    if (how === undefined && !isKnown) how = refusal(401, 'Unauthorized');
    if (how !== undefined && 'drop' in how) {
      if (how.carryOut) usual(call);
      response.socket?.destroy();
      return;
    }
    const body = how?.body ?? { ok: true, result: usual(call) };
    response
      .writeHead(how?.status ?? 200, { 'content-type': 'application/json' })
      .end(typeof body === 'string' ? body : JSON.stringify(body));
  }

  const server = createServer(async (request, response) => {
    const [, token = '', method = ''] = /^\/bot([^/]+)\/(\w+)$/.exec(request.url ?? '') ?? [];
    const body = await text(request).catch(() => '{}');
    await answerTo({ method, token, params: JSON.parse(body || '{}') as Record<string, unknown> }, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  return {
    apiRoot: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    webhooks,
    bots,
    answer: (method, how) => void (how === undefined ? answers.delete(method) : answers.set(method, how)),
    next: (method) => new Promise((resolve) => waiting.push({ method, resolve })),
    methods: () => calls.map((call) => call.method),
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
