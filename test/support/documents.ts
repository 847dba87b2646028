/** A bot that repeats every text with a number: how many it has had in this chat. Order and count can be read off. */
export const parrot = {
  roost: 1,
  locales: ['en'],
  defaultLocale: 'en',
  variables: {
    said: { type: 'number', scope: 'conversation', default: 0 },
    all: { type: 'number', scope: 'bot', default: 0 },
  },
  triggers: { words: { type: 'text', in: ['private', 'group'], props: { any: true }, to: 'repeat' } },
  cards: { repeat: { blocks: ['count', 'say'] } },
  blocks: {
    count: {
      type: 'set',
      props: {
        set: [
          { into: 'said', expr: 'said + 1' },
          { into: 'all', expr: 'all + 1' },
        ],
      },
    },
    say: { type: 'message', props: { text: 'say.text' } },
  },
  texts: { 'say.text': { en: [{ var: 'said' }, ': ', { var: 'event.text' }] } },
} as const;

/** A menu with a button that works once, one that repeats, one with an answer of its own, and one that answers later. */
export const menu = {
  roost: 1,
  locales: ['en', 'ru'],
  defaultLocale: 'en',
  variables: { presses: { type: 'number', scope: 'conversation', default: 0 } },
  triggers: { start: { type: 'command', props: { command: 'start' }, to: 'hello' } },
  cards: { hello: { blocks: ['menu'] }, pressed: { blocks: ['count', 'say'] }, later: { blocks: ['answer'] } },
  blocks: {
    menu: {
      type: 'message',
      props: {
        text: 'menu.text',
        buttons: [
          [
            { id: 'once', label: 'b.once', answer: 'b.done' },
            { id: 'many', label: 'b.many', repeats: true },
          ],
          [{ id: 'later', label: 'b.later', answersLater: true }],
        ],
      },
      exits: { once: 'pressed', many: 'pressed', later: 'later' },
    },
    count: { type: 'set', props: { set: [{ into: 'presses', expr: 'presses + 1' }] } },
    say: { type: 'message', props: { text: 'say.text' } },
    answer: { type: 'answer', props: { text: 'answer.text' } },
  },
  texts: {
    'menu.text': { en: 'Choose', ru: 'Выберите' },
    'b.once': { en: 'Once', ru: 'Раз' },
    'b.many': { en: 'Many', ru: 'Много' },
    'b.later': { en: 'Later', ru: 'Потом' },
    'b.done': { en: 'Done', ru: 'Готово' },
    'say.text': { en: ['presses: ', { var: 'presses' }], ru: ['нажатий: ', { var: 'presses' }] },
    'answer.text': { en: 'From the flow', ru: 'Из сценария' },
  },
} as const;

/** Waits a second, then speaks. */
export const patient = {
  roost: 1,
  locales: ['en'],
  defaultLocale: 'en',
  triggers: { start: { type: 'command', props: { command: 'start' }, to: 'wait' } },
  cards: { wait: { blocks: ['pause', 'say'] } },
  blocks: {
    pause: { type: 'wait', props: { for: 'PT1S' } },
    say: { type: 'message', props: { text: 'say.text' } },
  },
  texts: { 'say.text': { en: 'After a while' } },
} as const;

/** Says how many files came. */
export const collector = {
  roost: 1,
  locales: ['en'],
  defaultLocale: 'en',
  triggers: { files: { type: 'kind', props: { kinds: ['photo', 'album'] }, to: 'got' } },
  cards: { got: { blocks: ['say'] } },
  blocks: { say: { type: 'message', props: { text: 'say.text' } } },
  texts: { 'say.text': { en: ['Got ', { var: 'event.kind' }] } },
} as const;

/** Asks Telegram whether the person is in a channel. */
export const doorkeeper = (chat: number) => ({
  roost: 1,
  locales: ['en'],
  defaultLocale: 'en',
  triggers: { start: { type: 'command', props: { command: 'start' }, to: 'ask' } },
  cards: { ask: { blocks: ['member', 'welcome'] }, no: { blocks: ['stranger'] } },
  blocks: {
    member: { type: 'membership', props: { chat }, exits: { stranger: 'no' } },
    welcome: { type: 'message', props: { text: 'yes' } },
    stranger: { type: 'message', props: { text: 'no' } },
  },
  texts: { yes: { en: 'Welcome' }, no: { en: 'Join first' } },
});
