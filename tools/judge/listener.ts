import type { FlowDocument } from '../../contract/flow.ts';
import { type ChatType, memberChangeSchema, messageKindSchema } from '../../contract/triggers.ts';

const everywhere: ChatType[] = ['private', 'group', 'channel'];

/** Payments come only where something is sold, data of a web app only from a key that a flow cannot make. */
const kinds = messageKindSchema.options.filter((kind) => kind !== 'payment' && kind !== 'webAppData');

/** A bot that listens to everything, remembers what it heard and repeats it, so that every update has a whole turn. */
export const listener: FlowDocument = {
  roost: 1,
  locales: ['en'],
  defaultLocale: 'en',
  variables: {
    heard: { type: 'text', scope: 'conversation' },
    count: { type: 'number', scope: 'bot', default: 0 },
  },
  triggers: {
    words: { type: 'text', in: everywhere, props: { any: true }, to: 'repeat' },
    member: { type: 'member', in: everywhere, props: { changes: memberChangeSchema.options }, to: 'repeat' },
    kinds: { type: 'kind', in: everywhere, props: { kinds }, to: 'repeat' },
    other: { type: 'fallback', in: everywhere, props: {}, to: 'repeat' },
  },
  cards: { repeat: { blocks: ['remember', 'say'] } },
  blocks: {
    remember: {
      type: 'set',
      props: {
        set: [
          { into: 'heard', expr: 'event.text' },
          { into: 'count', expr: 'count + 1' },
        ],
      },
    },
    say: { type: 'message', props: { text: 'say' } },
  },
  texts: { say: { en: [{ var: 'event.kind' }, ' ', { var: 'count' }, ': ', { var: 'heard' }] } },
};
