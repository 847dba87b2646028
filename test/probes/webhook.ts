import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Simulator } from '../../simulator/simulator.ts';
import { type Installation, openInstallation, type TestBot } from '../fault/installation.ts';
import type { ServerProcess } from '../fault/servers.ts';
import { until } from '../fault/waiting.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

/** A real process with all roles that is ready and knows one bot, to be asked from outside. */
export type Probed = {
  readonly database: TestDatabase;
  readonly installation: Installation;
  readonly server: ServerProcess;
  readonly bot: TestBot;
  readonly secret: string;
  close(): Promise<void>;
};

export async function startProbed(): Promise<Probed> {
  const database = await createTestDatabase();
  const installation = await openInstallation({ url: database.url, simulator: { autoChats: true } });
  const close = async (): Promise<void> => {
    await installation.close();
    await database.close();
  };
  try {
    const server = await installation.serve(['edge', 'core', 'control']);
    const [bot] = (await installation.connect(1)) as [TestBot];
    await untilBotsAre(server.port, 1);
    await until(
      'the process to be ready',
      () => readiness(server.port),
      (found) => found.ready,
    );
    return { database, installation, server, bot, secret: secretOf(installation.simulator, bot), close };
  } catch (error) {
    await close();
    throw error;
  }
}

export type Ready = { readonly ready: boolean; readonly checks: Record<string, string> };

/** What a process says of itself at `/readyz`. */
export const readiness = (port: number): Promise<Ready> => getJson<Ready>(port, '/readyz');

/** An answer with its whole text. */
export type Answer = { readonly status: number; readonly headers: Headers; readonly text: string };

export async function get(port: number, path: string): Promise<Answer> {
  return answerOf(await fetch(`http://127.0.0.1:${port}${path}`));
}

export async function getJson<Body>(port: number, path: string): Promise<Body> {
  return JSON.parse((await get(port, path)).text) as Body;
}

/** Resolves when a process knows of so many bots: those that another one connected it finds by looking. */
export async function untilBotsAre(port: number, count: number): Promise<void> {
  const known = new RegExp(`^roost_bots ${count}$`, 'm');
  await until(
    `port ${port} to know of ${count} bots`,
    () => get(port, '/metrics'),
    ({ text }) => known.test(text),
  );
}

/** What answers that say the same have in common: all but the number of the request, which also has its length. */
export function alike({ status, headers, text }: Answer): string {
  const names = [...headers.keys()].filter((name) => !['date', 'x-request-id', 'content-length'].includes(name));
  const body = text.replace(/"requestId":"[^"]*"/, '"requestId":""');
  return [status, ...names.map((name) => `${name}: ${headers.get(name)}`), body].join('\n');
}

/** The secret that Telegram was told for this bot. */
export function secretOf(simulator: Simulator, bot: TestBot): string {
  const secret = simulator.world.bots.get(bot.id)?.webhook?.secret;
  if (secret === undefined) throw new Error(`Telegram was told no webhook for bot ${bot.id}.`);
  return secret;
}

let updates = 5_000_000;

/** A text that somebody writes, as Telegram would deliver it. */
export function textUpdate(chat: number, text = 'm'): string {
  updates += 1;
  const who = { id: chat, first_name: 'Anna' };
  const message = { message_id: updates, date: 1_796_000_000, chat: { ...who, type: 'private' }, from: who, text };
  return JSON.stringify({ update_id: updates, message });
}

/** Delivers as Telegram would, to one process and with any secret, or none. */
export async function deliver(
  port: number,
  publicId: string,
  secret: string | undefined,
  body: string | Uint8Array<ArrayBuffer>,
): Promise<Answer> {
  const response = await fetch(`http://127.0.0.1:${port}/v1/telegram/webhooks/${publicId}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(secret === undefined ? {} : { 'x-telegram-bot-api-secret-token': secret }),
    },
    body,
  });
  return answerOf(response);
}

/**
 * Begins to deliver a body that is said to be so large, and waits for the answer before the rest: a server that refuses
 * ends the connection, and whoever is still writing then may lose the answer.
 */
export function beginToDeliver(
  port: number,
  publicId: string,
  secret: string,
  body: { first: string; bytes: number },
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const headers = { 'x-telegram-bot-api-secret-token': secret, 'content-length': body.bytes };
    const options = { host: '127.0.0.1', port, path: `/v1/telegram/webhooks/${publicId}`, method: 'POST' };
    const asked = request({ ...options, headers: { 'content-type': 'application/json', ...headers } }, (response) => {
      text(response)
        .then((said) => {
          asked.destroy();
          const pairs = Object.entries(response.headers).map(([name, value]): [string, string] => [
            name,
            String(value),
          ]);
          resolve({ status: response.statusCode ?? 0, headers: new Headers(pairs), text: said });
        })
        .catch(reject);
    });
    asked.on('error', reject);
    asked.write(body.first);
  });
}

const answerOf = async (response: Response): Promise<Answer> => ({
  status: response.status,
  headers: response.headers,
  text: await response.text(),
});
