import { describe, expect, test } from 'vitest';
import { foldWords } from '../readers/readers.ts';
import { emptyState, makeDocument, message, release, runLast, say } from './fixtures.ts';
import { allowedUpdates, conversationKey, toEvents } from './flow.ts';
import { changesOf } from './triggers.ts';

const trigger = (type: string, props: object, more: object = {}) => ({ type, props, to: 'c', ...more });
const document = makeDocument({
  variables: { taken: { type: 'text', scope: 'contact' } },
  cards: { c: { blocks: [] } },
  triggers: {
    start: trigger('command', { command: 'start' }),
    exact: trigger('start', { equals: 'ref_vip' }),
    prefix: trigger('start', { prefix: 'ref_', into: 'taken' }),
    longer: trigger('start', { prefix: 'ref_a_', into: 'taken' }),
    anyStart: trigger('start', { into: 'taken' }),
    price: trigger('command', { command: 'price', into: 'taken' }, { in: ['group', 'private', 'channel'] }),
    words: trigger('text', { keywords: ['Ещё раз', 'ёлка'] }),
    pattern: trigger('text', { pattern: 'заказ\\s*№?\\s*(\\d+)', into: 'taken' }),
    starts: trigger('text', { keywords: ['хочу'], match: 'startsWith' }),
    contains: trigger('text', { keywords: ['доставк'], match: 'contains' }),
    any: trigger('text', { any: true }),
    photo: trigger('kind', { kinds: ['photo'] }),
    album: trigger('kind', { kinds: ['album'] }),
    joined: trigger('member', { changes: ['joined'] }),
    blocked: trigger('member', { changes: ['blocked'] }),
    post: trigger('text', { keywords: ['новость'], match: 'contains' }, { in: ['channel'] }),
    rest: trigger('fallback', {}, { in: ['group'] }),
  },
});
const own = release(document);
const group = { id: -5, type: 'supergroup', title: 'G' };
const state = { ...emptyState, bot: { vars: {}, username: 'My_Bot' } };

/** The trigger that took a message, and what it kept. */
function taken(event: Parameters<typeof runLast>[1][number]): string {
  const result = runLast(own, [event], state);
  const kept = result.state.contact.vars['taken'];
  return `${result.trace[0]?.at}${kept === undefined ? '' : `=${String(kept)}`}`;
}

describe('the most exact trigger takes a text', () => {
  test.each([
    ['/start', 'start'],
    ['/start ref_vip', 'exact'],
    ['/start ref_a_7', 'longer=7'],
    ['/start ref_b', 'prefix=b'],
    ['/start other', 'anyStart=other'],
    ['/START', 'start'],
    ['/start@my_bot ref_b', 'prefix=b'],
    ['/start@other_bot', 'any'],
    ['/price  два слова ', 'price=два слова'],
    ['/unknown', 'any'],
    ['/', 'any'],
    ['еще  раз', 'words'],
    [' ЁЛКА', 'words'],
    ['Мой заказ №15, где он?', 'pattern=15'],
    ['хочу доставку', 'starts'],
    ['а доставка есть?', 'contains'],
    ['просто так', 'any'],
  ])('%s', (text, id) => expect(taken(say(text))).toBe(id));
});

describe('a trigger listens where it should', () => {
  test('commands in groups, words only in private, a fallback where the maker wants it', () => {
    expect(taken(say('/start', group))).toBe('start');
    expect(taken(say('хочу', group))).toBe('rest');
    expect(taken(message({ photo: [{ file_id: 'p' }] }, group))).toBe('rest');
    expect(taken(say('/start@other_bot', group))).toBe('rest');
  });

  test('channels by name only', () => {
    const post = (text: string) =>
      toEvents(
        { update_id: 1, channel_post: { message_id: 1, date: 1, chat: { id: -9, type: 'channel' }, text } },
        { key: `c${text}`, atMs: 1 },
      );
    expect(taken(post('Новость дня'))).toBe('post');
    expect(runLast(own, [post('хочу')]).outcome).toBe('ignored');
  });

  test('kinds of messages, albums first as albums', () => {
    expect(taken(message({ photo: [{ file_id: 'p' }] }))).toBe('photo');
    expect(taken({ ...message({ photo: [{ file_id: 'p' }] }), kind: 'album' })).toBe('album');
    expect(taken(message({ voice: { file_id: 'v' } }))).toBe('');
  });

  test('edits begin nothing', () => {
    expect(
      runLast(own, [
        toEvents(
          { edited_message: { message_id: 1, chat: { id: 77, type: 'private' }, from: { id: 77 }, text: '/start' } },
          { key: 'e', atMs: 1 },
        ),
      ]).outcome,
    ).toBe('ignored');
  });
});

describe('a change of membership', () => {
  test.each([
    [false, 'left', 'member', 'group', 'joined'],
    [false, 'kicked', 'restricted', 'group', 'joined'],
    [false, 'member', 'left', 'group', 'left'],
    [false, 'member', 'administrator', 'group', 'promoted'],
    [false, 'administrator', 'member', 'group', 'demoted'],
    [false, 'member', 'restricted', 'group', 'restricted'],
    [false, 'left', 'kicked', 'group', ''],
    [true, 'left', 'member', 'group', 'botAdded'],
    [true, 'left', 'administrator', 'channel', 'botAdded botPromoted'],
    [true, 'administrator', 'kicked', 'channel', 'botRemoved'],
    [true, 'member', 'kicked', 'private', 'blocked'],
    [true, 'kicked', 'member', 'private', 'unblocked'],
    [true, 'left', 'member', 'private', ''],
    [false, '', '', 'group', ''],
  ] as const)('(of the bot: %s) %s -> %s in a %s is "%s"', (ofBot, before, after, chat, changes) => {
    expect(changesOf({ ofBot, user: null, before, after }, chat).join(' ')).toBe(changes);
  });

  test('reaches its trigger', () => {
    const change = (kind: string, before: string, after: string, chat: object) =>
      toEvents(
        {
          update_id: 1,
          [kind]: {
            chat,
            from: { id: 77 },
            date: 1,
            old_chat_member: { status: before, user: { id: 3 } },
            new_chat_member: { status: after, user: { id: 3 } },
          },
        },
        { key: `m${kind}`, atMs: 1 },
      );
    expect(taken(change('chat_member', 'left', 'member', group))).toBe('joined');
    expect(taken(change('my_chat_member', 'member', 'kicked', { id: 77, type: 'private' }))).toBe('blocked');
  });
});

describe('updates that are asked for', () => {
  test('are the usual ones', () =>
    expect(allowedUpdates(makeDocument({}))).toEqual([
      'message',
      'callback_query',
      'my_chat_member',
      'pre_checkout_query',
    ]));
  test('and what triggers listen to', () =>
    expect(allowedUpdates(document).toSorted()).toEqual([
      'callback_query',
      'channel_post',
      'chat_member',
      'message',
      'my_chat_member',
      'pre_checkout_query',
    ]));
});

describe('an event belongs to the conversation', () => {
  const key = (event: Parameters<typeof conversationKey>[1], groups?: string) =>
    Object.values(conversationKey(release(makeDocument(groups ? { groups } : {})), event));
  test('of a private chat and its topic', () => {
    expect(key(say('a'))).toEqual([77, 0, 0]);
    expect(key(message({ text: 'a', message_thread_id: 4, is_topic_message: true }))).toEqual([77, 4, 0]);
  });
  test('of a person in a group, or of the group', () => {
    expect(key(message({ text: 'a', message_thread_id: 4, is_topic_message: true }, group))).toEqual([-5, 4, 77]);
    expect(key(say('a', group), 'chat')).toEqual([-5, 0, 0]);
    expect(key(message({ text: 'a', message_thread_id: 4 }, group))).toEqual([-5, 0, 77]);
  });
  test('of a channel, of nobody, and of our own events', () => {
    expect(key(say('a', { id: -9, type: 'channel' }))).toEqual([-9, 0, 0]);
    expect(key(toEvents({ inline_query: { id: '1', from: { id: 8 }, query: '' } }, { key: 'k', atMs: 1 }))).toEqual([
      8, 0, 0,
    ]);
    expect(key(toEvents(null, { key: 'k', atMs: 1 }))).toEqual([0, 0, 0]);
    expect(
      key({ kind: 'timer', id: 't', key: 'k', atMs: 1, conversation: { chatId: 1, threadId: 2, userId: 3 } }),
    ).toEqual([1, 2, 3]);
  });
});

test('words are compared without case, "ё" and spare spaces', () =>
  expect(foldWords('  Ёлка   и\nЕЩЁ ')).toBe('елка и еще'));
