import { describe, expect, test } from 'vitest';
import { callResult, effectsOf, release, run, runLast, said, say, startDocument, timer } from '../fixtures.ts';

describe('membership', () => {
  const own = release(
    startDocument(
      {
        c: {
          type: 'membership',
          props: { chat: '@garden_club' },
          exits: { stranger: 'no', error: 'err', timeout: 'slow' },
        },
        yes: { type: 'message', props: { text: 'yes' } },
      },
      {
        cards: { no: { blocks: ['n'] }, err: { blocks: ['e'] }, slow: { blocks: ['s'] } },
        blocks: {
          n: { type: 'message', props: { text: 'no' } },
          e: { type: 'message', props: { text: 'err' } },
          s: { type: 'message', props: { text: 'slow' } },
        },
        texts: { yes: 'Yes', no: 'No', err: 'Error', slow: 'Slow' },
      },
    ),
  );
  const [asked] = run(own, [say('/start')]);
  const [call] = effectsOf(asked!, 'call');

  test('asks about this person', () => {
    expect(call).toMatchObject({ method: 'getChatMember', params: { chat_id: '@garden_club', user_id: 77 } });
  });

  test.each([
    ['member', true, { status: 'member' }, 'Yes'],
    ['creator', true, { status: 'creator' }, 'Yes'],
    ['restricted inside', true, { status: 'restricted', is_member: true }, 'Yes'],
    ['restricted outside', true, { status: 'restricted', is_member: false }, 'No'],
    ['left', true, { status: 'left' }, 'No'],
    ['kicked', true, { status: 'kicked' }, 'No'],
    ['a new status', true, { status: 'ghost' }, 'Error'],
    ['nothing', true, null, 'Error'],
    ['a refusal', false, 'chat not found', 'Error'],
  ] as const)('%s', (_name, ok, result, answer) => {
    expect(said(runLast(own, [callResult(call!.id, ok, result)], asked!.state))).toEqual([answer]);
  });

  test('does not wait for ever, and hears no stale answer', () => {
    const { id } = effectsOf(asked!, 'timer')[0]!;
    expect(said(runLast(own, [timer(id)], asked!.state))).toEqual(['Slow']);
    expect(runLast(own, [callResult('other', true, { status: 'left' })], asked!.state).outcome).toBe('ignored');
    expect(runLast(own, [say('well?')], asked!.state).outcome).toBe('ignored');
  });
});
