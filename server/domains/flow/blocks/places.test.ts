// What a block does by the kind of chat and of message that it is about.

import { expect, test } from 'vitest';
import { effectsOf, message, release, run, runLast, say, startDocument } from '../fixtures.ts';

const texts = { hi: 'Hi', ho: 'Ho' };
const GROUP = { id: -5, type: 'group', title: 'G' };

test('a question in a group asks the person for a reply, which a bot with privacy hears', () => {
  const own = release(startDocument({ q: { type: 'input', props: { kind: 'text', text: 'hi' } } }, { texts }));
  const [asked] = effectsOf(runLast(own, [say('/start', GROUP)]), 'send');
  expect(asked?.params).toMatchObject({
    reply_markup: { force_reply: true, selective: true },
    reply_parameters: { message_id: 9 },
  });
  const [alone] = effectsOf(runLast(own, [say('/start')]), 'send');
  expect(alone?.params.reply_markup).toBeUndefined();
});

test.each(['sticker', 'videoNote'])(
  'the words of a message of the kind %s are not edited, since it has none',
  (kind) => {
    const own = release(
      startDocument(
        { s: { type: 'message', props: { media: [{ var: 'f' }], ref: 'r' } } },
        {
          texts,
          variables: { f: { type: 'file', scope: 'contact' } },
          triggers: { go: { type: 'command', props: { command: 'go' }, to: 'change' } },
          cards: { change: { blocks: ['e'] } },
          blocks: { e: { type: 'edit', props: { target: { ref: 'r' }, text: 'ho' } } },
        },
      ),
    );
    const contact = { vars: { f: { kind, fileId: 'F' } }, tags: [], locale: null, id: 77 };
    const results = run(own, [say('/start'), message({ text: '/go' })], {
      conversation: null,
      contact,
      bot: { vars: {} },
    });
    const edited = results[1];
    expect(edited?.effects).toMatchObject([{ type: 'edit', method: 'editMessageReplyMarkup' }]);
    expect(edited?.trace.map(({ note }) => note)).toContain('a sticker or a round video has no words');
  },
);
