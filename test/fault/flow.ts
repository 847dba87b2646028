/**
 * The flow under test. It counts every update in three places (conversation, person, bot) and says the number and
 * the words back, so that order, completeness and "exactly once" can be read off what Telegram was told.
 */
export const countingFlow = {
  roost: 1,
  locales: ['en'],
  defaultLocale: 'en',
  variables: {
    said: { type: 'number', scope: 'conversation', default: 0 },
    pressed: { type: 'number', scope: 'conversation', default: 0 },
    word: { type: 'text', scope: 'conversation', default: '', maxChars: 64 },
    seen: { type: 'number', scope: 'contact', default: 0 },
    all: { type: 'number', scope: 'bot', default: 0 },
  },
  triggers: {
    two: { type: 'text', props: { keywords: ['two'], match: 'startsWith' }, to: 'two' },
    menu: { type: 'text', props: { keywords: ['menu'], match: 'startsWith' }, to: 'menu' },
    later: { type: 'text', props: { keywords: ['later'], match: 'startsWith' }, to: 'later' },
    words: { type: 'text', props: { any: true }, to: 'one', in: ['private', 'group'] },
  },
  cards: {
    one: { blocks: ['countOne', 'sayOne'] },
    two: { blocks: ['countTwo', 'sayFirst', 'saySecond'] },
    menu: { blocks: ['countMenu', 'sayMenu'] },
    pressed: { blocks: ['countPress', 'sayPress'] },
    later: { blocks: ['countLater', 'pause', 'sayLater'] },
  },
  blocks: {
    countOne: count(),
    countTwo: count(),
    countMenu: count(),
    countLater: count({ into: 'word', expr: 'event.text' }),
    countPress: { type: 'set', props: { set: [{ into: 'pressed', expr: 'pressed + 1' }] } },
    sayOne: { type: 'message', props: { text: 'one' } },
    sayFirst: { type: 'message', props: { text: 'first' } },
    saySecond: { type: 'message', props: { text: 'second' } },
    sayMenu: {
      type: 'message',
      props: { text: 'one', buttons: [[{ id: 'press', label: 'label' }]] },
      exits: { press: 'pressed' },
    },
    sayPress: { type: 'message', props: { text: 'press' } },
    pause: { type: 'wait', props: { for: 'PT1S' } },
    sayLater: { type: 'message', props: { text: 'late' } },
  },
  texts: {
    one: { en: ['#', { var: 'said' }, ' ', { var: 'event.text' }] },
    first: { en: ['#', { var: 'said' }, ' ', { var: 'event.text' }, ' 1/2'] },
    second: { en: ['#', { var: 'said' }, ' ', { var: 'event.text' }, ' 2/2'] },
    press: { en: ['pressed ', { var: 'pressed' }] },
    late: { en: ['#', { var: 'said' }, ' ', { var: 'word' }] },
    label: { en: 'Press' },
  },
} as const;

function count(...more: { into: string; expr: string }[]) {
  const counted = ['said', 'seen', 'all'].map((into) => ({ into, expr: `${into} + 1` }));
  return { type: 'set', props: { set: [...counted, ...more] } } as const;
}

/** What the flow says to a text, without the number in front. */
export function answersTo(text: string): string[] {
  return text.startsWith('two') ? [`${text} 1/2`, `${text} 2/2`] : [text];
}

/** Reads an answer of the flow back: which count it carries and which words. */
export function readAnswer(text: string): { count: number; words: string } | undefined {
  const match = /^#(\d+) (.*)$/.exec(text);
  return match ? { count: Number(match[1]), words: match[2] as string } : undefined;
}
