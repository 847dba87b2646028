import { expect, test } from 'vitest';
import { realKit } from '../../../kernel/kit.ts';
import { createLog } from '../../../kernel/log.ts';
import type { BotEntry } from '../bots/bots.ts';
import type { Incoming } from '../inbox/inbox.ts';
import type { UrgentCall, UrgentEnd } from '../outbox/outbox.ts';
import { createAcknowledger } from './acknowledge.ts';

type Made = Parameters<UrgentCall>[1] & { botId: number; end(end: UrgentEnd): void };

/** The fast lane of bots that have published nothing yet, before calls that end when the test says so. */
function fastLane() {
  const lines: string[] = [];
  const made: Made[] = [];
  const acknowledger = createAcknowledger({
    kit: realKit(createLog({ level: 'debug', sink: { write: (line) => void lines.push(line) } })),
    call: (bot, call) => new Promise((end) => void made.push({ ...call, botId: bot.id, end })),
    bots: { byId: (id) => ({ id, project: { id, releaseNumber: null } }) as BotEntry },
    db: undefined as never,
    releases: undefined as never,
    mint: undefined as never,
  });
  return {
    acknowledger,
    made,
    of: (kind: 'press' | 'checkout') => made.filter((call) => call.kind === kind),
    logged: () => lines.map((line) => JSON.parse(line)).filter((line) => line.msg === 'acknowledge.unanswered'),
    /** Ends all that is under way, and tells what was not told. */
    async endAll(result: UrgentEnd['result'], reason = ''): Promise<void> {
      for (const call of made) call.end({ result, reason });
      await acknowledger.drained();
    },
  };
}

let ids = 0;

const rows = (kind: 'callback_query' | 'pre_checkout_query', count: number, botId: (index: number) => number) =>
  Array.from({ length: count }, (_, index) => {
    ids += 1;
    return { integrationId: botId(index), kind, update: { [kind]: { id: `${ids}` } } } as unknown as Incoming;
  });

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('more presses than may be under way keep no checkout out, and those left out are counted and logged', async () => {
  const { acknowledger, of, logged, endAll } = fastLane();
  acknowledger.take(rows('callback_query', 4_100, (index) => index % 10));
  acknowledger.take(rows('pre_checkout_query', 8, (index) => index % 10));
  await settled();
  expect(of('press')).toHaveLength(4_000);
  expect(of('checkout')).toHaveLength(8);
  await endAll('answered');
  expect(acknowledger.counts).toEqual({ 'press answered': 4_000, 'press skipped': 100, 'checkout answered': 8 });
  expect(logged()).toMatchObject([{ kind: 'press', skipped: 100, reason: 'Too many are under way.' }]);
});

test('checkouts of one bot that hang keep out no checkout of another', async () => {
  const { acknowledger, of, endAll } = fastLane();
  acknowledger.take(rows('pre_checkout_query', 1_000, () => 1));
  acknowledger.take(rows('pre_checkout_query', 8, () => 2));
  await settled();
  expect(of('checkout').filter((call) => call.botId === 2)).toHaveLength(8);
  await endAll('answered');
  expect(acknowledger.counts).toEqual({ 'checkout answered': 133, 'checkout skipped': 875 });
});

test('there is room again for as many as have ended', async () => {
  const { acknowledger, made, endAll } = fastLane();
  for (let round = 1; round <= 3; round += 1) {
    acknowledger.take(rows('pre_checkout_query', 125, () => 1));
    await settled();
    expect(made).toHaveLength(125 * round);
    await endAll('answered');
  }
  expect(acknowledger.counts).toEqual({ 'checkout answered': 375 });
});

test('a checkout that reached nobody is logged by itself, with the reason', async () => {
  const { acknowledger, made, logged } = fastLane();
  acknowledger.take(rows('pre_checkout_query', 1, () => 1));
  await settled();
  made[0]?.end({ result: 'given_up', reason: 'No answer within 3000 ms.' });
  while (logged().length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
  expect(logged()).toMatchObject([{ kind: 'checkout', given_up: 1, reason: 'No answer within 3000 ms.' }]);
});

test('an answer that cannot be prepared is counted and logged, and its place is free again', async () => {
  const lines: string[] = [];
  const acknowledger = createAcknowledger({
    kit: realKit(createLog({ level: 'debug', sink: { write: (line) => void lines.push(line) } })),
    call: async () => Promise.reject(new Error('the vault is away')),
    bots: { byId: (id) => ({ id, project: { id, releaseNumber: null } }) as BotEntry },
    db: undefined as never,
    releases: undefined as never,
    mint: undefined as never,
  });
  acknowledger.take(rows('pre_checkout_query', 1, () => 1));
  await acknowledger.drained();
  expect(acknowledger.counts).toEqual({ 'checkout failed': 1 });
  expect(lines.join('')).toContain('the vault is away');
});
