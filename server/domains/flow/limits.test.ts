import { describe, expect, test } from 'vitest';
import { FLOW_LIMITS } from '../../../contract/limits.ts';
import { release, run, runLast, said, say, startDocument } from './fixtures.ts';

describe('subflows', () => {
  const own = release(
    startDocument(
      {
        call: { type: 'subflow', props: {}, exits: { call: 'inner' } },
        after: { type: 'message', props: { text: 'after' } },
      },
      {
        cards: { inner: { blocks: ['ask', 'nested', 'inside'] }, deep: { blocks: ['stop', 'never'] } },
        blocks: {
          ask: { type: 'input', props: { kind: 'text', text: 'ask' } },
          nested: { type: 'subflow', props: {}, exits: { call: 'deep' } },
          inside: { type: 'message', props: { text: 'inside' } },
          stop: { type: 'end', props: { what: 'subflow' } },
          never: { type: 'message', props: { text: 'never' } },
        },
        texts: { ask: 'Ask', inside: 'Inside', after: 'After', never: 'Never' },
      },
    ),
  );

  test('return to where they were called, through waits too', () => {
    const [asked, answered] = run(own, [say('/start'), say('yes')]);
    expect(asked!.state.conversation?.stack).toEqual(['call']);
    expect(said(answered!)).toEqual(['Inside', 'After']);
    expect(answered!.state.conversation).toBeNull();
  });

  test('within each other stop at a limit', () => {
    const endless = release(
      startDocument(
        { call: { type: 'subflow', props: {}, exits: { call: 'main' } } },
        {
          defaults: { wentWrong: 'wrong' },
          cards: { wrong: { blocks: ['w'] } },
          blocks: { w: { type: 'message', props: { text: 'w' } } },
          texts: { w: 'Sorry' },
        },
      ),
    );
    const result = runLast(endless, [say('/start')]);
    expect(result).toMatchObject({ outcome: 'fault', state: { conversation: null } });
    expect(said(result)).toEqual(['Sorry']);
    expect(result.trace.some((entry) => entry.note?.includes(`${FLOW_LIMITS.callDepth} subflows`))).toBe(true);
  });
});

describe('limits', () => {
  const round = {
    set: { type: 'set', props: { set: [{ into: 'n', expr: 'n + 1' }] } },
    jump: { type: 'jump', props: {}, exits: { to: 'set' } },
  };
  const variables = { n: { type: 'number', scope: 'conversation' }, t: { type: 'text', scope: 'conversation' } };

  test('a round without a wait stops, and what was done stands', () => {
    const result = runLast(release(startDocument(round, { variables })), [say('/start')]);
    expect(result.outcome).toBe('fault');
    expect(result.state.conversation?.vars).toEqual({ n: FLOW_LIMITS.blocksPerTurn / 2 });
  });

  test('too many effects stop the turn', () => {
    const own = release(
      startDocument(
        { m: { type: 'message', props: { text: 'm' } }, j: { type: 'jump', props: {}, exits: { to: 'm' } } },
        { texts: { m: 'M' }, defaults: { wentWrong: 'main' } },
      ),
    );
    const result = runLast(own, [say('/start')]);
    expect(result.outcome).toBe('fault');
    expect(result.effects).toHaveLength(FLOW_LIMITS.effectsPerTurn + 5);
  });

  test('a state that would grow too large takes the error exit', () => {
    const grow = {
      g: {
        type: 'set',
        props: { set: [{ into: 't', expr: 't + "0123456789abcdef" + t' }] },
        exits: { next: 'g', error: 'full' },
      },
    };
    const own = release(
      startDocument(grow, {
        variables,
        cards: { full: { blocks: ['f'] } },
        blocks: { f: { type: 'message', props: { text: 'f' } } },
        texts: { f: 'Full' },
      }),
    );
    const result = runLast(own, [say('/start')]);
    expect(said(result)).toEqual(['Full']);
    expect(JSON.stringify(result.state.conversation).length).toBeLessThan(FLOW_LIMITS.conversationBytes);
  });
});

describe('failures', () => {
  const failing = {
    s: { type: 'set', props: { set: [{ into: 'n', expr: 'number(event.text)' }] } },
    m: { type: 'message', props: { text: 'm' } },
  };
  const more = {
    variables: { n: { type: 'number', scope: 'contact' } },
    texts: { m: 'Fine', w: 'Wrong' },
    cards: { wrong: { blocks: ['w', 's2'] } },
    blocks: { w: { type: 'message', props: { text: 'w' } }, s2: { ...failing.s } },
  };

  test('without an error exit go to the card for that, once', () => {
    const result = runLast(release(startDocument(failing, { ...more, defaults: { wentWrong: 'wrong' } })), [
      say('/start'),
    ]);
    expect(said(result)).toEqual(['Wrong']);
    expect(result.trace.filter((entry) => entry.exit === 'error')).toHaveLength(2);
  });

  test('without such a card let the conversation rest', () => {
    const result = runLast(release(startDocument(failing, more)), [say('/start')]);
    expect(result).toMatchObject({ outcome: 'handled', effects: [], state: { conversation: null } });
  });
});
