import { afterAll, beforeAll, expect, test } from 'vitest';
import { audit } from '../fault/audit.ts';
import { type Crowd, createCrowd } from '../fault/crowd.ts';
import { gather, isFinished, unfinished } from '../fault/evidence.ts';
import { type Installation, openInstallation, type TestBot } from '../fault/installation.ts';
import { createProxy, type TcpProxy } from '../fault/proxy.ts';
import type { ServerProcess } from '../fault/servers.ts';
import { until } from '../fault/waiting.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { alike, deliver, get, type Ready, readiness, secretOf, textUpdate, untilBotsAre } from './webhook.ts';

// The server reaches its database over a wire that can be cut, so that everything else stays as it is.
let database: TestDatabase;
let wire: TcpProxy;
let installation: Installation;
let crowd: Crowd;
let server: ServerProcess;
let bot: TestBot;
let secret: string;

beforeAll(async () => {
  database = await createTestDatabase();
  wire = await createProxy();
  mend();
  installation = await openInstallation({ url: database.url });
  const url = new URL(database.tcpUrl);
  url.port = String(wire.port);
  server = await installation.serve(['edge', 'core', 'control'], { url: url.href });
  crowd = createCrowd(installation.simulator, await installation.connect(2), { chatsABot: 5 });
  [bot] = installation.bots as [TestBot];
  secret = secretOf(installation.simulator, bot);
  await untilBotsAre(server.port, 2);
});
afterAll(async () => {
  mend();
  await installation?.close();
  await wire?.close();
  await database?.close();
});

const mend = (): void => wire.set([{ port: Number(new URL(database.tcpUrl).port) }]);
const tear = (): void => {
  wire.set([]);
  wire.cut();
};

const ready = (): Promise<Ready> => readiness(server.port);

test('without its database it takes nothing, says so, and lives on', async () => {
  crowd.sayAll(1);
  tear();
  const answer = await deliver(server.port, bot.publicId, secret, textUpdate(1));
  expect(answer.status).toBe(503);
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
  expect(Number(answer.headers.get('retry-after'))).toBeLessThanOrEqual(60);
  expect(JSON.parse(answer.text)).toMatchObject({ ok: false, error: { code: 'DATABASE_UNAVAILABLE' } });
  const state = await until('it to notice', ready, (found) => !found.ready);
  expect(state.checks.database).not.toBe('ok');
  expect((await get(server.port, '/livez')).status).toBe(200);
  // A figure that cannot be read is not shown as zero; what this process counts itself is shown all the same.
  const metrics = await until(
    'figures of the queue to be left out',
    () => get(server.port, '/metrics'),
    ({ text }) => !/^roost_inbox_depth/m.test(text),
  );
  expect(metrics.status).toBe(200);
  expect(metrics.text).toMatch(
    /^roost_updates_received_total\{integration_kind="webhook",result="unavailable"\} [1-9]/m,
  );
});

test('strangers are refused all the same: that takes no database', async () => {
  const body = textUpdate(1);
  const answers = [
    await deliver(server.port, bot.publicId, 'wrong', body),
    await deliver(server.port, bot.publicId, undefined, body),
    await deliver(server.port, `int_${'x'.repeat(24)}`, secret, body),
  ];
  expect(answers.map(({ status }) => status)).toEqual([401, 401, 401]);
  expect(new Set(answers.map(alike)).size).toBe(1);
});

test('it recovers by itself, and nothing of what people wrote meanwhile is lost or comes twice', async () => {
  crowd.sayAll(1);
  mend();
  await until('it to be ready', ready, (found) => found.ready);
  await until(
    'a delivery to be taken',
    () => deliver(server.port, bot.publicId, secret, '{"update_id":1}'),
    ({ status }) => status === 200,
  );
  crowd.sayAll(1);
  await until('everything to be answered', () => unfinished(installation), isFinished);
  expect(audit(await gather(installation, crowd))).toEqual([]);
  expect(server.alive()).toBe(true);
});
