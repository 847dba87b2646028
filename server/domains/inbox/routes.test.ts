import { expect, test } from 'vitest';
import { createHttp } from '../../../kernel/http.ts';
import { realKit } from '../../../kernel/kit.ts';
import { createLog } from '../../../kernel/log.ts';
import { webhookRoutes } from './routes.ts';

const secret = 'the right one';

/** The route alone; whoever has to wait is let go on by `release`. */
function door() {
  const app = createHttp(realKit(createLog({ level: 'silent' })), { trustedProxies: ['127.0.0.1'] });
  const waiting: { ms: number; then: () => void }[] = [];
  const stored: number[] = [];
  const counted: string[] = [];
  webhookRoutes(app, {
    admit: (_publicId, presented) => (presented === secret ? { id: 1, bucket: 1 } : undefined),
    store: async (incoming) => {
      stored.push(incoming.integrationId);
      return 'stored';
    },
    accepts: () => true,
    counted: (result) => void counted.push(result),
    random: () => 0.5,
    refusedPerMinuteMax: 40,
    after: (ms, then) => waiting.push({ ms, then }),
  });
  const post = (presented: string, from = '10.0.0.1', payload: string | Buffer = '{"update_id":1}') =>
    app.inject({
      method: 'POST',
      url: '/v1/telegram/webhooks/anything',
      headers: { 'x-telegram-bot-api-secret-token': presented, 'x-forwarded-for': from },
      payload,
    });
  return { app, post, waiting, stored, counted };
}

test('what is no JSON is stored and answered like everything else, so that its chat goes on', async () => {
  const { post, stored, counted } = door();
  for (const payload of ['{"update_id":', '\ufeff{"update_id":1}', '']) {
    const answer = await post(secret, '10.0.0.1', payload);
    expect([answer.statusCode, answer.json()]).toEqual([200, { ok: true, duplicate: false }]);
  }
  expect(stored).toEqual([1, 1, 1]);
  expect(counted).toEqual(['broken', 'broken', 'broken']);
});

test('whoever guesses is answered at once thirty times a minute, then waits, then is sent away', async () => {
  const { post, waiting, stored } = door();
  for (let count = 0; count < 30; count += 1) expect((await post('a guess')).statusCode).toBe(401);
  expect(waiting).toEqual([]);

  const answers = Array.from({ length: 12 }, () => post('a guess'));
  await expect.poll(() => waiting.length).toBe(12);
  expect(waiting.every(({ ms }) => ms >= 100)).toBe(true);
  for (const { then } of waiting) then();
  const said = await Promise.all(answers);
  expect(said.map((each) => each.statusCode).sort()).toEqual([...Array(10).fill(401), 429, 429]);
  expect(said.find((each) => each.statusCode === 429)?.headers['retry-after']).toBe('60');
  expect(stored).toEqual([]);
});

test('nobody else waits: neither another address nor Telegram behind the same one', async () => {
  const { post, waiting, stored } = door();
  for (let count = 0; count < 30; count += 1) await post('a guess');
  expect((await post('a guess', '10.0.0.2')).statusCode).toBe(401);
  expect((await post(secret)).json()).toEqual({ ok: true, duplicate: false });
  expect(waiting).toEqual([]);
  expect(stored).toEqual([1]);
});
