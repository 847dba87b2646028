import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { IncomingEvent } from './flow.ts';
import { contentOf, mergeAlbum, toEvents } from './flow.ts';
import { UPDATE_KINDS } from './update.ts';

const folder = new URL('../../../test/fixtures/updates/', import.meta.url);
const names = readdirSync(folder).map((file) => file.replace('.json', ''));
const load = (name: string): unknown => JSON.parse(readFileSync(new URL(`${name}.json`, folder), 'utf8'));
const read = (name: string): IncomingEvent => toEvents(load(name), { key: name, atMs: 1_796_040_000_000 });

/** One line a fixture: kind, chat, thread, person, message, and what else the event tells. */
function summary(event: IncomingEvent): string {
  const parts = [
    event.updateKind,
    event.kind,
    event.chat ? `${event.chat.kind} ${event.chat.id}` : 'no chat',
    `thread ${event.thread}`,
    `user ${event.user?.id ?? 0}`,
  ];
  if (event.files.length > 0) parts.push(event.files.map((file) => `${file.kind}:${file.fileId}`).join('+'));
  if (event.contact) parts.push(`${event.contact.phone} of ${event.contact.userId}`);
  if (event.location) parts.push(`${event.location.latitude},${event.location.longitude}`);
  if (event.member) parts.push(`${event.member.ofBot ? 'bot ' : ''}${event.member.before}->${event.member.after}`);
  if (event.press)
    parts.push(`press ${event.press.id} ${JSON.stringify(event.press.data)}${event.pressedMedia ? ' on media' : ''}`);
  if (event.album !== '') parts.push(`album ${event.album}`);
  if (event.migratedTo !== 0 || event.migratedFrom !== 0) parts.push(`${event.migratedFrom}=>${event.migratedTo}`);
  return parts.join(' | ');
}

test('every fixture becomes the event that it is', () => {
  expect(Object.fromEntries(names.map((name) => [name, summary(read(name))]))).toMatchSnapshot();
});

test('every kind of update of the Bot API has a fixture and a reader', () => {
  const kinds = [
    'message',
    'edited_message',
    'channel_post',
    'edited_channel_post',
    'business_connection',
    'business_message',
    'edited_business_message',
    'deleted_business_messages',
    'guest_message',
    'message_reaction',
    'message_reaction_count',
    'inline_query',
    'chosen_inline_result',
    'callback_query',
    'shipping_query',
    'pre_checkout_query',
    'purchased_paid_media',
    'poll',
    'poll_answer',
    'my_chat_member',
    'chat_member',
    'chat_join_request',
    'chat_boost',
    'removed_chat_boost',
    'managed_bot',
    'subscription',
    'stopped_message_generation',
  ];
  expect([...UPDATE_KINDS].sort()).toEqual([...kinds].sort());
  expect(kinds.filter((kind) => !names.some((name) => read(name).updateKind === kind))).toEqual([]);
});

describe('an update that is not as it should be', () => {
  test('keeps its original whatever it is', () => {
    for (const name of names) {
      const update = load(name);
      expect(toEvents(update, { key: 'k', atMs: 1 }).original).toBe(update);
    }
  });

  test('has no NUL and no half of a character in its texts', () => {
    const event = read('edge-nul-and-surrogates');
    expect(event.text).toBe('a\ufffdb\ufffdc\ufffdz');
    expect(event.user?.firstName).toBe('\ufffdВера\ufffd');
    expect(read('edge-callback-nul').press?.data).toBe('\ufffd\u0001\ufffd');
  });

  test('has 0 for an id that a number cannot hold', () => {
    const event = read('edge-ids-too-large');
    expect([event.chat, event.user, event.messageId]).toEqual([null, null, 0]);
    expect(read('edge-ids-largest').user?.id).toBe(4_503_599_627_370_495);
  });

  test('takes nothing from a prototype', () => {
    expect(read('edge-proto-only')).toMatchObject({ kind: 'unknown', text: '', chat: null });
    expect(read('edge-proto-key')).toMatchObject({ kind: 'service', text: '', chat: { id: 6 } });
  });

  test('never throws, whatever JSON it is', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), fc.constantFrom(...UPDATE_KINDS), (value, kind) => {
        for (const update of [
          value,
          { [kind]: value },
          { [kind]: { chat: value, from: value, message: value, photo: value, text: value } },
        ]) {
          const event = toEvents(update, { key: 'k', atMs: 1 });
          expect(JSON.stringify({ ...event, original: null })).not.toContain('undefined');
        }
      }),
    );
  });

  test('never throws, whatever stands in place of a part of a real one', () => {
    const real = names.map(load).filter((update) => typeof update === 'object' && update !== null);
    fc.assert(
      fc.property(fc.constantFrom(...real), fc.nat(), fc.jsonValue({ maxDepth: 2 }), (update, at, value) => {
        expect(toEvents(replaceAt(update, at, value), { key: 'k', atMs: 1 }).key).toBe('k');
      }),
    );
  });
});

/** A copy with the n-th leaf replaced. */
function replaceAt(update: object, at: number, value: unknown): unknown {
  const leaves: [Record<string, unknown>, string][] = [];
  const copy = structuredClone(update);
  const walk = (node: Record<string, unknown>): void => {
    for (const key of Object.keys(node)) {
      leaves.push([node, key]);
      if (typeof node[key] === 'object' && node[key] !== null && leaves.length < 500)
        walk(node[key] as Record<string, unknown>);
    }
  };
  walk(copy as Record<string, unknown>);
  const leaf = leaves[at % Math.max(1, leaves.length)];
  if (leaf) leaf[0][leaf[1]] = value;
  return copy;
}

test('an album becomes one event with all its files', () => {
  const album = mergeAlbum(['album-1', 'album-2', 'album-3'].map(read));
  expect(album).toMatchObject({ kind: 'album', key: 'album-1', text: 'До\n\nПосле', album: '13900000000000001' });
  expect(album.files.map((file) => file.kind)).toEqual(['photo', 'photo', 'video']);
  expect(album.original).toHaveLength(3);
  expect(mergeAlbum([read('album-1')])).toEqual(read('album-1'));
});

test('what a shape does not hold is found in the content', () => {
  expect(contentOf(read('message-successful-payment'))?.['successful_payment']).toMatchObject({
    telegram_payment_charge_id: 'stx_roost_1',
  });
  expect(contentOf(read('edge-null'))).toBeNull();
});
