import { afterEach, beforeEach, expect, test } from 'vitest';
import { sql } from '../../kernel/sql.ts';
import { inHandMax } from '../../server/domains/outbox/sender.ts';
import { shortCalls, telegramLimits } from '../../server/domains/telegram/telegram.ts';
import type { CallEntry } from '../../simulator/simulator.ts';
import { parrot } from '../support/documents.ts';
import { type Roost, startRoost, until } from '../support/roost.ts';

// What hangs here hangs until the test ends: no call is given up in an hour.
let roost: Roost;
beforeEach(async () => {
  roost = await startRoost({ telegram: { requestMsMax: 3_600_000 } });
});
afterEach(async () => {
  await roost.simulator.close();
  await roost.close();
});

const hanging = (method: string): CallEntry[] => roost.calls({ method }).filter((call) => call.fault === 'hang');

const checkoutAnswers = (): { pre_checkout_query_id: string; ok: boolean; error_message: string }[] =>
  roost
    .calls({ method: 'answerPreCheckoutQuery' })
    .filter((call) => call.answered_mono !== null)
    .map((call) => JSON.parse(call.params ?? '{}'));

async function parrots(count: number): Promise<number[]> {
  const ids: number[] = [];
  for (let index = 0; index < count; index += 1) ids.push((await roost.bot(parrot)).id);
  return ids;
}

let updateId = 700_000;

/** An update that Telegram delivers to the bot: a question of this person under this id. */
function asks(bot: number, person: number, kind: string, query: object): void {
  updateId += 1;
  const from = { id: person, is_bot: false, first_name: 'A', language_code: 'ru' };
  const body = Buffer.from(JSON.stringify({ update_id: updateId, [kind]: { from, ...query } }));
  roost.simulator.people.inject({ bot, kind, body });
}

const pays = (bot: number, person: number, id: string): void =>
  asks(bot, person, 'pre_checkout_query', { id, currency: 'XTR', total_amount: 5, invoice_payload: 'p' });

const presses = (bot: number, person: number, id: string): void =>
  asks(bot, person, 'callback_query', { id, chat_instance: 'c', data: 'of somebody else' });

/** Eight people pay, each another bot; resolves when Telegram has been answered for all of them. */
async function eightPay(bots: readonly number[]): Promise<void> {
  const ids = Array.from({ length: 8 }, (_, index) => `pay-${index}`);
  for (const [index, id] of ids.entries()) pays(bots[index % bots.length] as number, 5_000 + index, id);
  const answers = await until(checkoutAnswers, (found) => found.length >= ids.length);
  expect(answers.map((answer) => answer.pre_checkout_query_id).sort()).toEqual(ids);
  for (const answer of answers)
    expect(answer).toMatchObject({ ok: false, error_message: expect.stringContaining('Деньги не списаны') });
}

test('checkouts are answered while every send that may be under way hangs', async () => {
  const ofBot = telegramLimits.botMessagesPerSecond;
  const bots = await parrots(Math.ceil(inHandMax / ofBot));
  roost.simulator.faults.add({ kind: 'hang', method: 'sendMessage' });
  for (const bot of bots) {
    for (let index = 0; index < ofBot; index += 1) {
      const person = roost.simulator.people.create();
      roost.simulator.people.text({ user: person.id, bot, text: 'hello' });
    }
  }
  await until(
    () => hanging('sendMessage'),
    (found) => found.length === inHandMax,
  );
  await eightPay(bots);
  // None of the sends was answered or given up: each was called once, and its row still says that it is being sent.
  expect(roost.calls({ method: 'sendMessage' })).toHaveLength(inHandMax);
  const inHand = await roost.db.one(sql`select count(*)::int as count from outbox where state = 1`);
  expect(inHand).toEqual({ count: inHandMax });
});

test('checkouts are answered while more presses than may be answered at once wait for answers that hang', async () => {
  const bots = await parrots(8);
  roost.simulator.faults.add({ kind: 'hang', method: 'answerCallbackQuery' });
  for (let index = 0; index < 800; index += 1)
    presses(bots[index % bots.length] as number, 9_000 + index, `press-${index}`);
  await until(
    () => hanging('answerCallbackQuery'),
    (found) => found.length === shortCalls.press.connectionsMax,
  );
  await eightPay(bots);
  expect(roost.calls({ method: 'answerCallbackQuery' })).toHaveLength(shortCalls.press.connectionsMax);
});
