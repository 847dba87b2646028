// An installation with one project that has pages, for the tests of the routes.
import { createHmac } from 'node:crypto';
import type { RoleName } from '../../../kernel/config.ts';
import { connectBot } from '../../../server/domains/bots/bots.ts';
import { type Roost, startRoost } from '../../../test/support/roost.ts';
import { sha256Of } from '../projects/files.ts';
import { onePixel } from '../projects/fixtures.ts';
import { importProject, type Project, publish } from '../projects/projects.ts';
import { shopDocument } from './fixtures.ts';
import { botAppId } from './miniapps.ts';

export type TestApp = {
  readonly roost: Roost;
  readonly project: Project;
  readonly bot: { readonly id: number; readonly token: string; readonly publicId: string };
  /** Public id of the bot's app. */
  readonly app: string;
  readonly address: string;
  get(path: string, headers?: Record<string, string>): Promise<Response>;
  /** Stores and publishes another document of the project. */
  publish(document: object): Promise<void>;
  /** As somebody of Telegram. */
  initData(user?: Record<string, unknown>, more?: Record<string, string>): string;
  send(event: object, headers?: Record<string, string>): Promise<{ status: number; body: Answer }>;
  close(): Promise<void>;
};

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of many shapes
export type Answer = any;

let names = 0;

export async function startTestApp(
  document: object = shopDocument(),
  options: { roles?: readonly RoleName[]; env?: Record<string, string> } = {},
): Promise<TestApp> {
  const roost = await startRoost(options);
  const name = `Shop ${(names += 1)}`;
  const bundle = (content: object) => ({
    document: withHash(content),
    files: new Map([[sha256Of(onePixel), onePixel]]),
  });
  const project = await roost.db.tx(async (tx) => {
    const imported = await importProject(tx, { name, bundle: bundle(document) });
    await publish(tx, imported.project.id, {});
    return imported.project;
  });
  const bot = roost.simulator.createBot();
  const { address } = roost.running;
  const { bot: connected } = await connectBot(roost.running.bots, {
    project: project.publicId,
    token: bot.token,
    webhookBase: address,
  });
  const initData = (user: Record<string, unknown> = {}, more: Record<string, string> = {}): string =>
    signed({ user: JSON.stringify({ id: 77, first_name: 'Анна', language_code: 'ru', ...user }), ...more }, bot.token);
  const app = botAppId(project.publicId, bot.id);
  return {
    roost,
    project,
    bot: { id: bot.id, token: bot.token, publicId: connected.publicId },
    app,
    address,
    get: (path, headers = {}) => fetch(`${address}${path}`, { headers, redirect: 'manual' }),
    async publish(next) {
      await roost.db.tx(async (tx) => {
        await importProject(tx, { name: project.publicId, bundle: bundle(next), into: true });
        await publish(tx, project.id, {});
      });
    },
    initData,
    async send(event, headers = { authorization: `tma ${initData()}` }) {
      const response = await fetch(`${address}/v1/apps/${app}/events`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(event),
      });
      return { status: response.status, body: await response.json() };
    },
    close: () => roost.close(),
  };
}

function withHash(document: object): object {
  const copy = structuredClone(document) as { media?: Record<string, { sha256?: string }> };
  for (const entry of Object.values(copy.media ?? {})) entry.sha256 ??= sha256Of(onePixel);
  return copy;
}

/** Init data as Telegram signs it with the bot's token. */
export function signed(fields: Record<string, string>, token: string, nowMs = Date.now()): string {
  const all: Record<string, string> = { auth_date: String(Math.floor(nowMs / 1_000)), query_id: 'AAF', ...fields };
  const text = Object.keys(all)
    .sort()
    .map((name) => `${name}=${all[name]}`)
    .join('\n');
  const secret = createHmac('sha256', 'WebAppData').update(token).digest();
  const hash = createHmac('sha256', secret).update(text).digest('hex');
  return Object.entries({ ...all, hash })
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&');
}

let keys = 0;

/** A key that no other event of this test file has. */
export const freshKey = (): string => `key-${Date.now()}-${(keys += 1)}`;
