import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import type { Installation, TestBot } from '../fault/installation.ts';
import type { ServerProcess } from '../fault/servers.ts';
import { until } from '../fault/waiting.ts';
import type { TestDatabase } from '../support/database.ts';
import {
  alike,
  beginToDeliver,
  deliver,
  get,
  getJson,
  type Probed,
  secretOf,
  startProbed,
  textUpdate,
  untilBotsAre,
} from './webhook.ts';

let probed: Probed;
let database: TestDatabase;
let installation: Installation;
let server: ServerProcess;
let bot: TestBot;
let secret: string;

beforeAll(async () => {
  probed = await startProbed();
  ({ database, installation, server, bot, secret } = probed);
});
afterAll(() => probed?.close());

const stored = async (): Promise<number> =>
  (await database.db.one<{ rows: number }>({ text: 'select count(*)::int as rows from inbox', values: [] }))?.rows ??
  -1;

describe('what a process says of itself', () => {
  test('it lives', async () => {
    const answer = await get(server.port, '/livez');
    expect([answer.status, answer.text]).toEqual([200, 'ok\n']);
  });

  test('it is ready, and why', async () => {
    expect(await getJson(server.port, '/readyz')).toEqual({
      ready: true,
      checks: { database: 'ok', intake: 'ok', buckets: 'ok' },
    });
  });

  test('what it is: version, schema, roles, identity', async () => {
    const row = await database.db.one<{ id: string; level: number; node: string }>({
      text: `select (select id::text from installation) as id, (select max(number) from roost_migration)::int as level,
        (select id::text from node where ended is null) as node`,
      values: [],
    });
    expect(await getJson(server.port, '/_info')).toEqual({
      version: packageJson.version,
      schemaLevel: row?.level,
      codeLevel: expect.any(Number),
      roles: ['edge', 'core', 'control'],
      identity: row?.id,
      node: row?.node,
      startedAt: expect.stringMatching(/^\d{4}-.*Z$/),
    });
  });

  test('its metrics count what happened, under the names that operators know', async () => {
    expect((await deliver(server.port, bot.publicId, secret, textUpdate(600_001))).status).toBe(200);
    const answered = (): boolean => (installation.simulator.counters().calls.by_method['sendMessage'] ?? 0) > 0;
    await until('the answer', answered, (came) => came);
    const wanted = [
      /^roost_sends_total\{result="sent"\} 1$/m,
      /^roost_updates_received_total\{integration_kind="webhook",result="stored"\} 1$/m,
      /^roost_turns_total\{result="handled"\} 1$/m,
      /^roost_update_processing_seconds_count 1$/m,
      /^roost_telegram_requests_total\{method="sendMessage",code_class="2xx"\} 1$/m,
      /^roost_telegram_request_seconds_count [1-9]/m,
      /^roost_telegram_retry_after_seconds 0$/m,
      /^roost_inbox_depth 0$/m,
      /^roost_inbox_oldest_age_seconds 0$/m,
      /^roost_outbox_depth 0$/m,
      /^roost_dead_letters 0$/m,
      /^roost_unknown_sends 0$/m,
      /^roost_db_pool_in_use \d+$/m,
      /^roost_db_pool_waiting 0$/m,
      /^roost_event_loop_lag_seconds [\d.e-]+$/m,
      /^roost_bots 1$/m,
      /^roost_buckets_owned 256$/m,
      /^roost_build_info\{version="[^"]+",roles="edge,core,control",schema_level="\d+"\} 1$/m,
      /^process_resident_memory_bytes \d+$/m,
    ];
    let text = '';
    // Figures of one answer are not of one moment: some are counted here, some asked of the database.
    await until(
      'all of it to be counted',
      async () => {
        ({ text } = await get(server.port, '/metrics'));
        return wanted.filter((pattern) => !pattern.test(text)).map(String);
      },
      (missing) => missing.length === 0,
    );
    expect(text, 'nothing tells who wrote').not.toMatch(/(?<!\d)600001(?!\d)|int_/);
  });
});

describe('who may deliver', () => {
  test('a wrong secret, none, an empty one, an unknown address and a bot that is gone are answered alike', async () => {
    const before = await stored();
    const body = textUpdate(600_002);
    const answers = [
      await deliver(server.port, bot.publicId, 'wrong', body),
      await deliver(server.port, bot.publicId, undefined, body),
      await deliver(server.port, bot.publicId, '', body),
      await deliver(server.port, bot.publicId, `${secret}x`, body),
      await deliver(server.port, `int_${'x'.repeat(24)}`, secret, body),
      await deliver(server.port, 'nobody', secret, body),
      await deliver(server.port, '..%2f..%2fetc', secret, '{'),
    ];
    const [first] = answers.map(alike);
    expect(answers.map(alike)).toEqual(answers.map(() => first));
    expect(answers[0]?.status).toBe(401);
    expect(JSON.parse(answers[0]?.text ?? '')).toMatchObject({ ok: false, error: { code: 'UNAUTHORIZED' } });
    expect(await stored()).toBe(before);
  });

  test('it is refused before its body is read', async () => {
    const socket = connect(server.port, '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    socket.write(
      `POST /v1/telegram/webhooks/${bot.publicId} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 5000000\r\n\r\n{`,
    );
    const first = await new Promise<string>((resolve) => socket.once('data', (piece) => resolve(piece.toString())));
    expect(first.split('\r\n')[0]).toBe('HTTP/1.1 401 Unauthorized');
  });

  test('whoever keeps trying is told to stay away, and Telegram from the same address is not', async () => {
    // Counted by the minute, and each waits a quarter of a second: so many at once that a slow machine comes as far within
    // one. Should it end meanwhile, the count begins anew.
    const codes = new Set<number>();
    const atOnce = Array.from({ length: 300 });
    while (!codes.has(429)) {
      const answers = await Promise.all(atOnce.map(() => deliver(server.port, bot.publicId, 'wrong', '{}')));
      for (const { status } of answers) codes.add(status);
    }
    expect([...codes]).toEqual([401, 429]);
    expect((await deliver(server.port, bot.publicId, secret, textUpdate(600_003))).status).toBe(200);
  });
});

describe('what may be delivered', () => {
  const padded = (bytes: number): string => {
    const [start, end] = textUpdate(600_004, '#').split('#') as [string, string];
    return `${start}${'x'.repeat(bytes - start.length - end.length)}${end}`;
  };

  test.each(['{"update_id":1', '', 'hello', '{"update_id":1}}', '\u{feff}{}'])(
    '%j is no JSON: it is kept as a dead letter, so that Telegram does not repeat it for a day',
    async (body) => {
      const before = await stored();
      const answer = await deliver(server.port, bot.publicId, secret, body);
      expect([answer.status, JSON.parse(answer.text)]).toEqual([200, { ok: true, duplicate: false }]);
      expect(await stored()).toBe(before + 1);
      const again = await deliver(server.port, bot.publicId, secret, body);
      expect([again.status, JSON.parse(again.text)]).toEqual([200, { ok: true, duplicate: true }]);
      expect(await stored()).toBe(before + 1);
    },
  );

  test('one MiB is taken, a byte more is not', async () => {
    const before = await stored();
    const most = 1024 * 1024;
    expect((await deliver(server.port, bot.publicId, secret, padded(most))).status).toBe(200);
    const answer = await beginToDeliver(server.port, bot.publicId, secret, { first: '{', bytes: most + 1 });
    expect(answer.status).toBe(413);
    expect(JSON.parse(answer.text)).toMatchObject({ ok: false, error: { code: 'BODY_TOO_LARGE' } });
    expect(await stored()).toBe(before + 1);
  });

  test('the same again is a duplicate, and another bot may have the same number', async () => {
    const [other] = (await installation.connect(1)) as [TestBot];
    await untilBotsAre(server.port, 2);
    const body = textUpdate(600_005);
    const answers = [
      await deliver(server.port, bot.publicId, secret, body),
      await deliver(server.port, bot.publicId, secret, body),
      await deliver(server.port, other.publicId, secretOf(installation.simulator, other), body),
    ];
    expect(answers.map(({ text }) => (JSON.parse(text) as { duplicate: boolean }).duplicate)).toEqual([
      false,
      true,
      false,
    ]);
  });
});

test('connections are kept for longer than Telegram and proxies keep them', async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => agent.destroy());
  const ask = (): Promise<{ keeps: string | string[] | undefined; port: number | undefined }> =>
    new Promise((resolve, reject) => {
      const path = `/v1/telegram/webhooks/${bot.publicId}`;
      const headers = { 'x-telegram-bot-api-secret-token': secret, 'content-type': 'application/json' };
      const call = request(
        { agent, port: server.port, host: '127.0.0.1', method: 'POST', path, headers },
        (response) => {
          response.resume();
          const port = response.socket.localPort;
          response.on('end', () => resolve({ keeps: response.headers['keep-alive'], port }));
        },
      );
      call.on('error', reject);
      call.end(textUpdate(600_006));
    });
  const [first, second] = [await ask(), await ask()];
  expect(first.keeps).toBe('timeout=75');
  expect(second.port).toBe(first.port);
});

test('updates that are polled are counted like those that are delivered, by their way in', async () => {
  const [polled] = await installation.connect(1, { polled: true });
  installation.simulator.people.text({
    user: installation.simulator.people.create().id,
    bot: polled?.id ?? 0,
    text: 'hi',
  });
  const { text } = await until(
    'a polled update to be counted',
    () => get(server.port, '/metrics'),
    (answer) => answer.text.includes('\nroost_updates_received_total{integration_kind="polling",result="stored"} 1\n'),
  );
  expect(text).toContain('\nroost_updates_received_total{integration_kind="polling",result="unavailable"} 0\n');
});
