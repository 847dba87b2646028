import { describe, expect, test } from 'vitest';
import {
  effectsOf,
  makeDocument,
  message,
  release,
  run,
  runLast,
  said,
  say,
  startDocument,
  timer,
} from './fixtures.ts';
import { releaseOf, step } from './flow.ts';

const form = release(
  startDocument(
    {
      name: {
        type: 'input',
        props: { kind: 'text', into: 'name', text: 'ask', timeout: 'PT10M' },
        exits: { timeout: 'late' },
      },
      hi: { type: 'message', props: { text: 'hi' } },
    },
    {
      variables: { name: { type: 'text', scope: 'conversation' } },
      triggers: {
        help: { type: 'command', props: { command: 'help' }, to: 'help' },
        word: { type: 'text', props: { keywords: ['price'] }, to: 'price' },
        urgent: { type: 'text', interrupts: true, props: { keywords: ['stop'] }, to: 'price' },
        any: { type: 'fallback', props: {}, to: 'lost' },
      },
      cards: { late: { blocks: ['l'] }, help: { blocks: ['h'] }, price: { blocks: ['p'] }, lost: { blocks: ['x'] } },
      blocks: {
        l: { type: 'message', props: { text: 'late' } },
        h: { type: 'message', props: { text: 'help' } },
        p: { type: 'message', props: { text: 'price' } },
        x: { type: 'message', props: { text: 'lost' } },
      },
      texts: { ask: 'Name?', hi: ['Hi ', { var: 'name' }], late: 'Late', help: 'Help', price: 'Price', lost: 'Lost' },
    },
  ),
);

describe('who gets an event', () => {
  test.each([
    ['a command interrupts a question', '/help', ['Help']],
    ['a trigger marked so interrupts it too', 'Stop', ['Price']],
    ['the question comes before other triggers', 'price', ['Hi price']],
    ['a command nobody knows is an answer', '/unknown', ['Hi /unknown']],
  ])('%s', (_name, words, answer) => {
    expect(said(runLast(form, [say('/start'), say(words)]))).toEqual(answer);
  });

  test('at rest a trigger, then the fallback', () => {
    expect(said(runLast(form, [say('PRICE ')]))).toEqual(['Price']);
    expect(said(runLast(form, [say('hm')]))).toEqual(['Lost']);
    expect(runLast(form, [say('hm', { id: -5, type: 'group' })]).outcome).toBe('ignored');
    expect(runLast(form, [message({ new_chat_title: 'x' })]).outcome).toBe('ignored');
  });

  test('a bot is not answered, or two bots would never stop', () => {
    expect(runLast(form, [message({ text: '/start', from: { id: 5, is_bot: true, first_name: 'B' } })]).outcome).toBe(
      'ignored',
    );
  });

  test('a fallback does not end a pause', () => {
    const pause = release(
      startDocument(
        { w: { type: 'wait', props: { for: 'PT1H' } }, m: { type: 'message', props: { text: 'm' } } },
        {
          triggers: { any: { type: 'fallback', props: {}, to: 'lost' } },
          cards: { lost: { blocks: ['x'] } },
          blocks: { x: { type: 'message', props: { text: 'x' } } },
          texts: { m: 'Later', x: 'Lost' },
        },
      ),
    );
    const [started, lost] = run(pause, [say('/start'), say('hm')]);
    expect(said(lost!)).toEqual(['Lost']);
    expect(lost!.changed.conversation).toBe(false);
    expect(runLast(pause, [timer('stale')], lost!.state).outcome).toBe('ignored');
    expect(said(runLast(pause, [timer(started!.state.conversation!.wait!.timer)], lost!.state))).toEqual(['Later']);
  });
});

describe('a wait', () => {
  test('holds its release until it is over', () => {
    const [asked, answered] = run(form, [say('/start'), say('Ann')]);
    expect(releaseOf(asked!.state.conversation)).toBe(1);
    expect(releaseOf(answered!.state.conversation)).toBeNull();
    expect(answered!.state.conversation).toMatchObject({ release: 0, wait: null, vars: { name: 'Ann' } });
  });

  test('runs out by its own timer only', () => {
    const [asked] = run(form, [say('/start')]);
    const { id, delayMs } = effectsOf(asked!, 'timer')[0]!;
    expect(delayMs).toBe(600_000);
    expect(said(runLast(form, [timer(id)], asked!.state))).toEqual(['Late']);
    expect(runLast(form, [timer('another')], asked!.state)).toMatchObject({
      outcome: 'ignored',
      changed: { conversation: false },
    });
    expect(runLast(form, [say('Ann'), timer(id)], asked!.state).outcome).toBe('ignored');
  });

  test('calls its timer off when it is left, by an answer or otherwise', () => {
    const [asked, answered] = run(form, [say('/start'), say('Ann')]);
    const { id } = effectsOf(asked!, 'timer')[0]!;
    expect(effectsOf(answered!, 'cancelTimer')).toMatchObject([{ id }]);
    expect(effectsOf(runLast(form, [say('/help')], asked!.state), 'cancelTimer')).toMatchObject([{ id }]);
    expect(effectsOf(runLast(form, [timer(id)], asked!.state), 'cancelTimer')).toEqual([]);
  });

  test('goes on with its own release while triggers begin with the current one', () => {
    const next = release(startDocument({ m: { type: 'message', props: { text: 'm' } } }, { texts: { m: 'New' } }), 2);
    const [asked] = run(form, [say('/start')]);
    expect(said(step(form, asked!.state, { ...say('Ann'), random: 0 }, next))).toEqual(['Hi Ann']);
    const started = step(form, asked!.state, { ...say('/start'), random: 0 }, next);
    expect(said(started)).toEqual(['New']);
    expect(effectsOf(started, 'cancelTimer')).toHaveLength(1);
  });

  test('in a block that is gone is over', () => {
    const [asked] = run(form, [say('/start')]);
    const moved = release(makeDocument({}), 2);
    expect(runLast(moved, [say('Ann')], asked!.state)).toMatchObject({
      outcome: 'ignored',
      state: { conversation: null },
      changed: { conversation: true },
    });
  });
});
