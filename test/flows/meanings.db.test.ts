import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Roost, startRoost, until } from '../support/roost.ts';

let roost: Roost;
beforeEach(async () => {
  roost = await startRoost();
});
afterEach(() => roost.close());

/** Asks for a day, puts it into a table as it was typed elsewhere, and tells who has said it. */
const booking = {
  roost: 1,
  locales: ['en'],
  defaultLocale: 'en',
  variables: {
    day: { type: 'date', scope: 'contact' },
    phone: { type: 'phone', scope: 'contact' },
  },
  triggers: { start: { type: 'command', props: { command: 'start' }, to: 'ask' } },
  cards: { ask: { blocks: ['day', 'phone', 'told'] } },
  blocks: {
    day: { type: 'input', props: { kind: 'date', text: 'when', into: 'day' } },
    phone: { type: 'input', props: { kind: 'phone', own: true, text: 'call', share: 'share', into: 'phone' } },
    told: { type: 'message', props: { text: 'told' } },
  },
  texts: {
    when: { en: 'When?' },
    call: { en: 'Your phone?' },
    share: { en: 'Share' },
    told: { en: [{ var: 'contact.name', mention: 'contact.id' }, ': ', { var: 'day' }, ', ', { var: 'phone' }] },
  },
};

type Params = {
  text?: string;
  entities?: { type: string; user?: { id: number } }[];
  reply_markup?: { inline_keyboard?: { text: string; callback_data?: string }[][] };
};

test('a day with two meanings is asked back by buttons, and the press is the answer', async () => {
  const bot = await roost.bot(booking);
  const { people } = roost.simulator;
  const anna = people.create({ first_name: 'Anna', language_code: 'en' });
  const sent = (): Params[] =>
    roost
      .calls({ chat: anna.id, method: 'sendMessage' })
      .filter((call) => call.accepted)
      .map((call) => JSON.parse(call.params ?? '{}') as Params);
  const heard = (count: number): Promise<Params[]> => until(sent, (found) => found.length >= count);
  const say = (text: string): unknown => people.text({ user: anna.id, bot: bot.id, text });

  say('/start');
  await heard(1);
  say('03/04/2027');
  const asked = (await heard(2))[1]!;
  expect(asked.text).toBe('That can mean different things. Which one do you mean?');
  const buttons = asked.reply_markup?.inline_keyboard?.flat() ?? [];
  expect(buttons.map(({ text }) => text)).toEqual(['April 3, 2027', 'March 4, 2027']);
  const [, shown] = await until(
    () => roost.calls({ chat: anna.id, method: 'sendMessage' }),
    (calls) => calls[1]?.message_id != null,
  );
  people.press({ user: anna.id, bot: bot.id, message_id: shown?.message_id as number, text: 'March 4, 2027' });
  expect((await heard(3))[2]?.text).toBe('Your phone?');
  people.contact({ user: anna.id, bot: bot.id, phone_number: '84912345678' });
  const told = (await heard(4))[3]!;
  expect(told.text).toBe('Anna: Mar 4, 2027, +84912345678');
  expect(told.entities).toMatchObject([{ type: 'text_mention', user: { id: anna.id } }]);
});
