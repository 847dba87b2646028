import { describe, expect, test } from 'vitest';
import { FLOW_LIMITS } from '../../../contract/limits.ts';
import {
  blocked,
  callResult,
  effectsOf,
  emptyState,
  makeDocument,
  message,
  press,
  release,
  run,
  runLast,
  said,
  say,
  startDocument,
  timer,
} from './fixtures.ts';
import { releaseOf, step, toEvents } from './flow.ts';

const hello = release(
  startDocument(
    {
      hello: {
        type: 'message',
        props: {
          text: 'hello',
          buttons: [
            [
              { id: 'more', label: 'more', repeats: true },
              { id: 'once', label: 'once' },
            ],
          ],
        },
        exits: { more: 'tell', once: 'tell' },
      },
    },
    {
      cards: { tell: { blocks: ['told'] } },
      blocks: { told: { type: 'message', props: { text: 'told' } } },
      texts: { hello: 'Hello', more: 'More', once: 'Once', told: 'That is all' },
    },
  ),
);

describe('a simple menu', () => {
  test('answers and remembers nothing, so nothing is written', () => {
    for (const event of [say('/start'), press('hello', 'more'), say('what?')]) {
      const result = step(hello, emptyState, { ...event, random: 0 });
      expect(result.changed).toEqual({ conversation: false, contact: false, bot: false });
      expect(result.state).toBe(emptyState);
    }
  });

  test('keeps a state that is there but empty', () => {
    const conversation = { release: 0, wait: null, stack: [], vars: {}, refs: {}, keyboard: '' };
    const state = { ...emptyState, conversation };
    expect(step(hello, state, { ...say('/start'), random: 0 }).state).toBe(state);
  });

  test('says what nobody wanted', () => {
    const result = runLast(hello, [say('what?')]);
    expect(result).toMatchObject({ outcome: 'ignored', effects: [], trace: [{ what: 'ignored' }] });
  });
});

describe('a press', () => {
  test('goes to its message whatever the conversation does', () => {
    expect(said(runLast(hello, [press('hello', 'once')]))).toEqual(['That is all']);
  });

  test('of a button that works once works once', () => {
    const result = runLast(hello, [press('hello', 'once', { use: 'again' })]);
    expect(result).toMatchObject({
      outcome: 'ignored',
      effects: [{ type: 'answerButton', id: 'q1', text: 'This button no longer works.', outOfDate: true }],
    });
    expect(said(runLast(hello, [press('hello', 'more', { use: 'again' })]))).toEqual(['That is all']);
  });

  test('that is not ours is out of date, in words of the maker and the language of the person', () => {
    const own = release(
      makeDocument({
        locales: ['en', 'ru'],
        phrases: { outOfDate: 'old' },
        texts: { old: { en: 'Gone', ru: 'Ушло' } },
      }),
    );
    expect(runLast(own, [press('', '', { use: 'foreign' })]).effects).toMatchObject([{ text: 'Gone' }]);
    const russian = { ...emptyState, contact: { ...emptyState.contact, locale: 'ru' } };
    expect(runLast(own, [press('', '', { use: 'foreign' })], russian).effects).toMatchObject([{ text: 'Ушло' }]);
  });

  test('of a button that the release no longer has is out of date', () => {
    expect(runLast(hello, [press('hello', 'gone')]).effects).toMatchObject([{ outOfDate: true }]);
    expect(runLast(hello, [press('constructor', '__proto__')]).effects).toMatchObject([{ outOfDate: true }]);
  });

  test('of another program reaches a trigger by its data', () => {
    const own = release(
      startDocument(
        {},
        {
          variables: { item: { type: 'text', scope: 'conversation' } },
          triggers: {
            old: { type: 'button', props: { data: 'buy:', match: 'startsWith', into: 'item' }, to: 'bought' },
          },
          cards: { bought: { blocks: ['b'] } },
          blocks: { b: { type: 'message', props: { text: 'b' } } },
          texts: { b: ['You chose ', { var: 'item' }] },
        },
      ),
    );
    expect(said(runLast(own, [press('', '', { use: 'foreign', data: 'buy:tea' })]))).toEqual(['You chose tea']);
  });

  test('without an exit of its own reaches a trigger', () => {
    const own = release(
      startDocument(
        { m: { type: 'message', props: { text: 'm', buttons: [[{ id: 'go', label: 'm' }]] } } },
        {
          triggers: { t: { type: 'button', props: { block: 'm', button: 'go' }, to: 'x' } },
          cards: { x: { blocks: ['xx'] } },
          blocks: { xx: { type: 'message', props: { text: 'x' } } },
          texts: { m: 'm', x: 'x' },
        },
      ),
    );
    expect(said(runLast(own, [press('m', 'go')]))).toEqual(['x']);
  });

  test('that is answered later is answered once, at the latest when the turn ends', () => {
    const document = (blocks: string[]) =>
      release(
        startDocument(
          {
            m: {
              type: 'message',
              props: { text: 'm', buttons: [[{ id: 'go', label: 'm', answersLater: true }]] },
              exits: { go: 'x' },
            },
          },
          {
            cards: { x: { blocks } },
            blocks: {
              a: { type: 'answer', props: { text: 'm', alert: true } },
              a2: { type: 'answer', props: { text: 'm' } },
              w: { type: 'wait', props: { for: 'PT1M' } },
            },
            texts: { m: 'Hm' },
          },
        ),
      );
    expect(effectsOf(runLast(document(['a', 'a2']), [press('m', 'go')]), 'answerButton')).toMatchObject([
      { text: 'Hm', alert: true },
    ]);
    expect(effectsOf(runLast(document(['w']), [press('m', 'go')]), 'answerButton')).toMatchObject([{ id: 'q1' }]);
  });
});

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
});

describe('a question with buttons', () => {
  const quiz = release(
    startDocument(
      {
        q: {
          type: 'input',
          props: {
            kind: 'choice',
            into: 'c',
            text: 'q',
            attempts: 2,
            choices: [
              { id: 'a', label: 'a', value: 1 },
              { id: 'b', label: 'b', value: 2 },
            ],
          },
          exits: { b: 'second', invalid: 'wrong' },
        },
        first: { type: 'message', props: { text: 'first' } },
      },
      {
        variables: { c: { type: 'number', scope: 'contact' } },
        cards: { second: { blocks: ['s'] }, wrong: { blocks: ['w'] } },
        blocks: { s: { type: 'message', props: { text: 'second' } }, w: { type: 'message', props: { text: 'wrong' } } },
        texts: {
          q: 'Which?',
          a: 'Alpha',
          b: 'Beta',
          first: ['First ', { var: 'c' }],
          second: 'Second',
          wrong: 'Wrong',
        },
      },
    ),
  );

  test('takes a press, the words of a choice, or goes on asking', () => {
    expect(said(runLast(quiz, [say('/start'), press('q', 'a')]))).toEqual(['First 1']);
    expect(said(runLast(quiz, [say('/start'), say(' beta')]))).toEqual(['Second']);
    const [, once, twice] = run(quiz, [say('/start'), say('gamma'), message({ sticker: { file_id: 's' } })]);
    expect(said(once!)).toEqual(['Please pick one of the options.']);
    expect(once!.state.conversation?.wait?.failed).toBe(1);
    expect(said(twice!)).toEqual(['Wrong']);
  });

  test('takes no press of an older question', () => {
    const [asked, answered] = run(quiz, [say('/start'), press('q', 'a')]);
    expect(runLast(quiz, [press('q', 'b')], answered!.state).effects).toMatchObject([{ outOfDate: true }]);
    const again = runLast(quiz, [say('/start')], answered!.state);
    const old = effectsOf(asked!, 'send')[0]!.key;
    const present = effectsOf(again, 'send')[0]!.key;
    expect(runLast(quiz, [press('q', 'b', { source: old })], again.state).effects).toMatchObject([{ outOfDate: true }]);
    expect(said(runLast(quiz, [press('q', 'b', { source: present })], again.state))).toEqual(['Second']);
  });
});

describe('a reply keyboard', () => {
  const keys = (target: string) => ({
    type: 'message',
    props: { text: 't', keyboard: 'reply', buttons: [[{ id: 'back', label: 'back' }]] },
    exits: { back: target },
  });
  const more = {
    cards: { one: { blocks: ['o'] }, two: { blocks: ['w'] }, other: { blocks: ['k2'] } },
    triggers: { other: { type: 'command', props: { command: 'other' }, to: 'other' } },
    texts: { t: 'T', back: 'Back', one: 'One', two: 'Two' },
  };
  const blocks = { o: { type: 'message', props: { text: 'one' } }, w: { type: 'message', props: { text: 'two' } } };

  test('is pressed by its words, before a question takes them', () => {
    const own = release(
      startDocument(
        { k: keys('one'), q: { type: 'input', props: { kind: 'text' } } },
        { ...more, blocks: { ...blocks, k2: keys('one') } },
      ),
    );
    expect(said(runLast(own, [say('/start'), say('Back')]))).toEqual(['One']);
    expect(own.sharedLabels.size).toBe(0);
  });

  test('with words that others have too is told by which was shown last', () => {
    const own = release(startDocument({ k: keys('one') }, { ...more, blocks: { ...blocks, k2: keys('two') } }));
    expect(said(runLast(own, [say('/start'), say('Back')]))).toEqual(['One']);
    const results = run(own, [say('/start'), say('/other'), say('Back'), say('/other')]);
    expect(said(results[2]!)).toEqual(['Two']);
    expect(results[3]!.changed.conversation).toBe(false);
  });
});

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

describe('the end', () => {
  const own = release(
    startDocument(
      {
        s: {
          type: 'set',
          props: {
            set: [
              { into: 'n', value: 1 },
              { into: 'kept', value: 2 },
            ],
          },
        },
        m: { type: 'message', props: { text: 'm', ref: 'first' } },
        e: { type: 'end', props: {} },
        never: { type: 'message', props: { text: 'm' } },
      },
      {
        variables: { n: { type: 'number', scope: 'conversation' }, kept: { type: 'number', scope: 'contact' } },
        texts: { m: 'M', bye: 'Bye' },
        defaults: { ended: 'bye' },
        cards: { bye: { blocks: ['b', 'e2'] } },
        blocks: { b: { type: 'message', props: { text: 'bye' } }, e2: { type: 'end', props: {} } },
      },
    ),
  );

  test('forgets the conversation, keeps the contact and says goodbye once', () => {
    const result = runLast(own, [say('/start')]);
    expect(said(result)).toEqual(['M', 'Bye']);
    expect(result.state).toMatchObject({ conversation: null, contact: { vars: { kept: 2 } } });
    expect(result.changed).toEqual({ conversation: false, contact: true, bot: false });
    expect(runLast(own, [say('/start')], result.state).changed.contact).toBe(false);
  });
});

test('a message that cannot be delivered takes its exit, if there is one', () => {
  const own = release(
    startDocument(
      { m: { type: 'message', props: { text: 'm' }, exits: { blocked: 'gone' } } },
      {
        cards: { gone: { blocks: ['t'] } },
        blocks: { t: { type: 'tag', props: { add: ['gone'] } } },
        texts: { m: 'M' },
      },
    ),
  );
  expect(runLast(own, [blocked('m')]).state.contact.tags).toEqual(['gone']);
  expect(runLast(own, [blocked('t')]).outcome).toBe('ignored');
});

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

test('chance comes in with the event and falls in the shares given', () => {
  const own = release(
    startDocument(
      {
        r: {
          type: 'random',
          props: {
            branches: [
              { id: 'a', weight: 1 },
              { id: 'b', weight: 3 },
            ],
          },
          exits: { a: 'ca', b: 'cb' },
        },
      },
      {
        cards: { ca: { blocks: ['ma'] }, cb: { blocks: ['mb'] } },
        blocks: { ma: { type: 'message', props: { text: 'a' } }, mb: { type: 'message', props: { text: 'b' } } },
        texts: { a: 'A', b: 'B' },
      },
    ),
  );
  const counts = { A: 0, B: 0 };
  for (let seed = 0; seed < 4_000; seed += 1)
    counts[said(runLast(own, [say('/start')], emptyState, seed / 4_000))[0] as 'A' | 'B'] += 1;
  expect(counts.A / 4_000).toBeGreaterThan(0.23);
  expect(counts.A / 4_000).toBeLessThan(0.27);
});

test('a language chosen in the flow goes before that of Telegram', () => {
  const own = release(
    startDocument(
      {
        s: { type: 'set', props: { set: [{ into: 'contact.locale', value: 'ru' }] } },
        m: { type: 'message', props: { text: 'm' } },
      },
      { locales: ['en', 'ru'], texts: { m: { en: 'Hi', ru: 'Привет' } } },
    ),
  );
  const result = runLast(own, [say('/start')]);
  expect(said(result)).toEqual(['Привет']);
  expect(result.state.contact.locale).toBe('ru');
});

test('a bug of ours costs the turn, not the process', () => {
  const broken = {
    ...hello,
    get blocks(): never {
      throw new Error('bug');
    },
  };
  const result = step(broken, emptyState, { ...say('/start'), random: 0 });
  expect(result).toMatchObject({ outcome: 'fault', effects: [], state: emptyState });
  expect(result.trace.at(-1)?.note).toBe('bug');
});

test('an update that is nothing is ignored', () => {
  const event = toEvents(null, { key: 'k', atMs: 0 });
  expect(step(hello, emptyState, { ...event, random: Number.NaN }).outcome).toBe('ignored');
});
