// Every part of a message in every kind of chat: what the engine sends, Telegram takes. The simulator refuses what
// Telegram refuses, so one refused part would lose its whole message here as well.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { emptyState, release, startDocument, timer } from '../../server/domains/flow/fixtures.ts';
import { type FlowEvent, type FlowState, step, toEvents } from '../../server/domains/flow/flow.ts';
import { anyDocument } from '../../server/domains/flow/harness.ts';
import { type Setting, writesOf } from '../../server/domains/turns/writes/writes.ts';
import { call, startSimulator } from '../../simulator/harness.ts';
import type { Simulator } from '../../simulator/simulator.ts';
import { KINDS, PARTS, type Parts, TEXTS } from './parts.ts';

type Place = { readonly name: string; readonly chat: { readonly id: number; readonly type: string } };
type Scene = { readonly simulator: Simulator; readonly bot: { id: number; token: string }; readonly places: Place[] };

/** A bot that a person has opened, and that is in a group, a supergroup and (as administrator) a channel. */
async function scene(): Promise<Scene> {
  const simulator = await startSimulator({ limits: false, appsOverHttp: 'none' });
  const bot = simulator.createBot();
  const user = simulator.people.create({ first_name: 'Анна' }).id;
  simulator.people.start({ user, bot: bot.id });
  const group = (type: 'group' | 'supergroup' | 'channel'): Place => {
    const { id } = simulator.people.createGroup({ type, creator: user, admins: [bot.id] });
    return { name: type, chat: { id, type } };
  };
  const home = { name: 'private', chat: { id: user, type: 'private' } };
  return { simulator, bot, places: [home, group('group'), group('supergroup'), group('channel')] };
}

const BOT = { id: 5, bucket: 1, username: 'my_bot' };
const mint = { forMessage: () => () => 'A'.repeat(35), open: () => undefined };

/** Makes the calls that a turn asks for, as the outbox would. Gives what Telegram has said of each. */
async function deliver(
  { simulator, bot }: Scene,
  chatId: number,
  result: ReturnType<typeof step>,
  made: ReturnType<typeof release>,
): Promise<{ method: string; said: unknown; params: string }[]> {
  const conversation = { chatId, threadId: 0, userId: 0 };
  const setting = { bot: BOT, release: made, conversation, atMs: 0, mint } as unknown as Setting;
  const answers: { method: string; said: unknown; params: string }[] = [];
  for (const one of writesOf(setting, result.effects).messages) {
    if (!one.method.startsWith('send') || one.chatId !== chatId) continue;
    const params = JSON.parse(one.params, (_name, value: unknown) => fileOf(simulator, bot.id, value)) as object;
    const { body } = await call(simulator, bot, one.method, { ...params, chat_id: chatId });
    answers.push({ method: one.method, said: body.ok === true || body.description, params: one.params });
  }
  return answers;
}

/** A file of the project, as the bot knows it after the first upload. */
function fileOf(simulator: Simulator, botId: number, value: unknown): unknown {
  const kind = (value as { $file?: { kind: string } } | null)?.$file?.kind;
  if (kind === undefined) return value;
  const file = simulator.world.files.add(kind, 'a.bin', 'application/octet-stream', Buffer.from('bytes'));
  return simulator.world.files.idFor(file, botId);
}

const begins = ({ chat }: Place): FlowEvent => {
  const content = { message_id: 1, date: 1, chat, text: '/start' };
  const from = { id: 77, is_bot: false, first_name: 'Анна', language_code: 'en' };
  const update = chat.type === 'channel' ? { channel_post: content } : { message: { ...content, from } };
  return toEvents({ update_id: 1, ...update }, { key: `u${chat.id}`, atMs: 1_796_040_000_000 });
};

const documentOf = (parts: Parts): ReturnType<typeof startDocument> =>
  startDocument(parts['blocks'] as Parts, {
    triggers: {
      start: { type: 'command', props: { command: 'start' }, to: 'main', in: ['private', 'group', 'channel'] },
    },
    cards: { main: { blocks: Object.keys(parts['blocks'] as Parts) }, other: { blocks: [] } },
    texts: TEXTS,
    media: Object.fromEntries(KINDS.map((kind, at) => [kind, { kind, name: kind, sha256: String(at).repeat(64) }])),
    variables: { file: { type: 'file', scope: 'contact' }, word: { type: 'text', scope: 'contact' } },
    ...(parts['more'] as Parts),
  });

const facts: FlowState['bot'] = { vars: {}, username: 'my_bot', app: { address: 'https://app.example/a/x' } };

/** What the person's variables hold: a file that was sent to this bot. */
function stateOf({ simulator, bot }: Scene, part: Parts): FlowState {
  const kind = part['holds'] as string | undefined;
  const fileId = kind && fileOf(simulator, bot.id, { $file: { kind: kind === 'videoNote' ? 'video_note' : kind } });
  const vars = (kind ? { file: { kind, fileId } } : (part['vars'] ?? {})) as FlowState['contact']['vars'];
  return { ...emptyState, contact: { ...emptyState.contact, vars }, bot: facts };
}

test.each(Object.entries(PARTS))('%s is taken in every kind of chat, or left out', async (_name, part) => {
  const world = await scene();
  const made = release(documentOf(part));
  for (const place of world.places) {
    const first = step(made, stateOf(world, part), { ...begins(place), random: 0.5 });
    const answers = await deliver(world, place.chat.id, first, made);
    for (const answer of answers) expect([place.name, answer]).toEqual([place.name, { ...answer, said: true }]);
    if (part['silent'] !== true) expect([place.name, answers.length]).not.toEqual([place.name, 0]);
    // The same once more when a timer ends, which does not say in what kind of chat.
    const wait = first.state.conversation?.wait;
    if (!wait?.timer) continue;
    const conversation = { chatId: place.chat.id, threadId: 0, userId: 0 };
    const later = step(made, { ...first.state, bot: facts }, {
      ...timer(wait.timer),
      conversation,
      random: 0.5,
    } as never);
    for (const answer of await deliver(world, place.chat.id, later, made))
      expect([place.name, answer]).toEqual([place.name, { ...answer, said: true }]);
  }
});

test('what any document sends is taken, in every kind of chat', async () => {
  const world = await scene();
  await fc.assert(
    fc.asyncProperty(anyDocument, fc.constantFrom(...world.places), async (document, place) => {
      const made = release(document);
      const result = step(made, { ...emptyState, bot: facts }, { ...begins(place), random: 0.5 });
      for (const answer of await deliver(world, place.chat.id, result, made))
        expect([place.name, answer]).toEqual([place.name, { ...answer, said: true }]);
    }),
    { numRuns: 100 },
  );
}, 120_000);

/** The simulator is as strict as Telegram: without that the tests above would show nothing. */
test.each([
  ['a Mini App in a group', 'group', { inline_keyboard: [[{ text: 'a', web_app: { url: 'https://a.example' } }]] }],
  ['a Mini App without TLS', 'private', { inline_keyboard: [[{ text: 'a', web_app: { url: 'http://a.example' } }]] }],
  ['a link to a number', 'private', { inline_keyboard: [[{ text: 'a', url: 'tel:+79001234567' }]] }],
  ['a link to a mailbox', 'private', { inline_keyboard: [[{ text: 'a', url: 'mailto:a@a.example' }]] }],
  ['a link to a bare host', 'private', { inline_keyboard: [[{ text: 'a', url: 'https://localhost/' }]] }],
  ['nothing to copy', 'private', { inline_keyboard: [[{ text: 'a', copy_text: { text: '' } }]] }],
  [
    'an icon that is none',
    'private',
    { inline_keyboard: [[{ text: 'a', url: 'https://a.example', icon_custom_emoji_id: '9'.repeat(20) }]] },
  ],
  ['a key for the number in a group', 'supergroup', { keyboard: [[{ text: 'a', request_contact: true }]] }],
  ['a key for the place in a group', 'group', { keyboard: [[{ text: 'a', request_location: true }]] }],
  ['keys in a channel', 'channel', { keyboard: [[{ text: 'a' }]] }],
  ['taking keys away in a channel', 'channel', { remove_keyboard: true }],
  ['asking for a reply in a channel', 'channel', { force_reply: true }],
])('the simulator refuses %s', async (_what, name, reply_markup) => {
  const { simulator, bot, places } = await scene();
  const chat_id = places.find((place) => place.name === name)?.chat.id;
  const { body } = await call(simulator, bot, 'sendMessage', { chat_id, text: 'words', reply_markup });
  expect(body).toMatchObject({ ok: false, error_code: 400 });
});

test('the simulator refuses a text in which there is nothing to see', async () => {
  const { simulator, bot, places } = await scene();
  for (const text of ['\u200b', ' \u2800\u3000 ', '\u200e\u200f'])
    expect((await call(simulator, bot, 'sendMessage', { chat_id: places[0]?.chat.id, text })).body).toMatchObject({
      ok: false,
      description: 'Bad Request: text must be non-empty',
    });
});
