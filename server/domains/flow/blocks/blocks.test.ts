import { describe, expect, test } from 'vitest';
import type { Value } from '../../../../contract/variables.ts';
import { effectsOf, emptyState, message, press, release, run, runLast, say, startDocument } from '../fixtures.ts';

type Parts = { readonly [field: string]: unknown };

const file = (kind: string) => ({ kind, sha256: 'b'.repeat(64), name: 'f' });
const media = {
  p: file('photo'),
  p2: file('photo'),
  v: file('video'),
  d: file('document'),
  d2: file('document'),
  a: file('audio'),
  g: file('animation'),
  vo: file('voice'),
};
const texts = {
  short: 'Short',
  long: `${'слово '.repeat(300)}конец`,
  huge: `${'абзац\n\n'.repeat(1_000)}конец`,
  url: 'https://a.example/x',
  empty: [{ var: 't' }],
  label: 'Label',
};
const variables = {
  t: { type: 'text', scope: 'contact' },
  f: { type: 'file', scope: 'contact' },
  c: { type: 'number', scope: 'bot' },
  n: { type: 'number', scope: 'contact', default: 0 },
};

const one = (type: string, props: Parts, exits: Parts = {}, more: Parts = {}) =>
  release(
    startDocument(
      { x: { type, props, exits } },
      { media, texts, variables, cards: { other: { blocks: [] } }, ...more },
    ),
  );
const sends = (props: Parts, exits: Parts = {}, vars: { [name: string]: Value } = {}) =>
  effectsOf(
    runLast(one('message', props, exits), [say('/start')], { ...emptyState, contact: { ...emptyState.contact, vars } }),
    'send',
  );

describe('a message', () => {
  test('is text with entities and options, never markup', () => {
    expect(sends({ text: 'short', silent: true, protect: true, preview: false, reply: true })[0]).toMatchObject({
      method: 'sendMessage',
      chat: 'here',
      params: {
        text: 'Short',
        disable_notification: true,
        protect_content: true,
        link_preview_options: { is_disabled: true },
        reply_parameters: { message_id: 9, allow_sending_without_reply: true },
      },
    });
    expect(JSON.stringify(sends({ text: 'short' }))).not.toContain('parse_mode');
  });

  test('that is too long is several, with the buttons under the last', () => {
    const parts = sends({ text: 'huge', reply: true, buttons: [[{ id: 'b', label: 'label' }]] }, { b: 'other' });
    expect(parts.length).toBe(2);
    expect(parts.map((part) => part.params.reply_markup !== undefined)).toEqual([false, true]);
    expect(parts.map((part) => part.params.reply_parameters !== undefined)).toEqual([true, false]);
    for (const part of parts) expect(part.params.text!.length).toBeLessThanOrEqual(4_096);
  });

  test('without words is not sent, and the trace says why', () => {
    const result = runLast(one('message', { text: 'empty' }), [say('/start')]);
    expect(result.effects).toEqual([]);
    expect(result.trace.some((entry) => entry.note === 'the text is empty, so nothing was sent')).toBe(true);
  });

  test.each([
    ['p', 'sendPhoto', 'photo'],
    ['v', 'sendVideo', 'video'],
    ['d', 'sendDocument', 'document'],
    ['a', 'sendAudio', 'audio'],
    ['g', 'sendAnimation', 'animation'],
    ['vo', 'sendVoice', 'voice'],
  ])('with the file %s goes by %s', (id, method, field) => {
    expect(sends({ text: 'short', media: [id] })[0]).toMatchObject({
      method,
      params: { [field]: { media: id }, caption: 'Short' },
    });
  });

  test('with a caption that is too long is a file and a text', () => {
    const [first, second, ...more] = sends(
      { text: 'long', media: ['p'], buttons: [[{ id: 'b', label: 'label' }]] },
      { b: 'other' },
    );
    expect(first!.params).toEqual({ photo: { media: 'p' } });
    expect(second!.params.text).toContain('конец');
    expect(second!.params.reply_markup).toBeDefined();
    expect(more).toEqual([]);
  });

  test('with files of one family is an album, its caption on the first', () => {
    expect(sends({ text: 'short', media: ['p', 'v', 'p2'] })).toMatchObject([
      {
        method: 'sendMediaGroup',
        params: {
          media: [
            { type: 'photo', media: { media: 'p' }, caption: 'Short' },
            { type: 'video', media: { media: 'v' } },
            { type: 'photo', media: { media: 'p2' } },
          ],
        },
      },
    ]);
  });

  test('with files of several families is several messages', () => {
    expect(sends({ media: ['p', 'p2', 'd', 'd2', 'g', 'a'] }).map((send) => send.method)).toEqual([
      'sendMediaGroup',
      'sendMediaGroup',
      'sendAnimation',
      'sendAudio',
    ]);
  });

  test('with an album and buttons puts the buttons under the text', () => {
    const [album, words] = sends(
      { text: 'short', media: ['p', 'p2'], buttons: [[{ id: 'b', label: 'label' }]] },
      { b: 'other' },
    );
    expect(JSON.stringify(album)).not.toContain('caption');
    expect(words).toMatchObject({
      method: 'sendMessage',
      params: {
        text: 'Short',
        reply_markup: { inline_keyboard: [[{ text: 'Label', press: { block: 'x', button: 'b' } }]] },
      },
    });
  });

  test('sends a file that somebody sent before, whatever kind it is', () => {
    expect(sends({ media: [{ var: 'f' }] }, {}, { f: { kind: 'sticker', fileId: 'S1' } })).toMatchObject([
      { method: 'sendSticker', params: { sticker: 'S1' } },
    ]);
    expect(
      sends({ text: 'short', media: [{ var: 'f' }] }, {}, { f: { kind: 'videoNote', fileId: 'N1' } }).map(
        (send) => send.method,
      ),
    ).toEqual(['sendVideoNote', 'sendMessage']);
    expect(sends({ text: 'short', media: [{ var: 'f' }] }).map((send) => send.method)).toEqual(['sendMessage']);
  });

  test('shows that it types', () => {
    expect(
      runLast(one('message', { text: 'short', typing: true }), [say('/start')]).effects.map((effect) => effect.type),
    ).toEqual(['typing', 'send']);
  });
});

describe('buttons', () => {
  const markup = (
    buttons: Parts[],
    more: Parts = {},
    exits: Parts = { b: 'other' },
    vars: { [name: string]: Value } = {},
  ) => sends({ text: 'short', buttons: [buttons], ...more }, exits, vars)[0]!.params.reply_markup;

  test('lead, link, copy and open, in the style of the maker', () => {
    expect(
      markup([
        { id: 'b', label: 'label', style: 'danger', icon: '123' },
        { id: 'l', kind: 'link', label: 'label', url: 'url' },
        { id: 'c', kind: 'copy', label: 'label', copy: 'short' },
        { id: 'w', kind: 'webApp', label: 'label', url: 'url' },
      ]),
    ).toEqual({
      inline_keyboard: [
        [
          { text: 'Label', style: 'danger', icon_custom_emoji_id: '123', press: { block: 'x', button: 'b' } },
          { text: 'Label', url: 'https://a.example/x' },
          { text: 'Label', copy_text: { text: 'Short' } },
          { text: 'Label', web_app: { url: 'https://a.example/x' } },
        ],
      ],
    });
  });

  test('that Telegram would refuse are left out, for one of them loses the message', () => {
    expect(
      markup([
        { id: 'l', kind: 'link', label: 'label', url: 'short' },
        { id: 'c', kind: 'copy', label: 'label', copy: 'empty' },
        { id: 'b', label: 'empty' },
      ]),
    ).toEqual({ inline_keyboard: [[{ text: 'b', press: { block: 'x', button: 'b' } }]] });
    expect(markup([{ id: 'l', kind: 'link', label: 'label', url: 'empty' }])).toBeUndefined();
  });

  test('are shown when their condition holds', () => {
    const buttons = [
      { id: 'b', label: 'label', showIf: { var: 'n', op: 'greater', value: 1 } },
      { id: 'e', label: 'label', showIf: { expr: 'n' } },
    ];
    expect(markup(buttons, {}, { b: 'other', e: 'other' })).toBeUndefined();
    expect(markup(buttons, {}, { b: 'other', e: 'other' }, { n: 2 })).toMatchObject({
      inline_keyboard: [[{ press: { button: 'b' } }]],
    });
  });

  test('in place of the keyboard send words, contacts and places', () => {
    expect(
      markup(
        [
          { id: 'b', label: 'label' },
          { id: 'c', kind: 'contact', label: 'label' },
          { id: 'l', kind: 'location', label: 'label' },
        ],
        { keyboard: 'reply', placeholder: 'short' },
      ),
    ).toEqual({
      keyboard: [
        [{ text: 'Label' }, { text: 'Label', request_contact: true }, { text: 'Label', request_location: true }],
      ],
      resize_keyboard: true,
      input_field_placeholder: 'Short',
    });
    expect(sends({ text: 'short', keyboard: 'remove' })[0]!.params.reply_markup).toEqual({ remove_keyboard: true });
  });
});

describe('an edit', () => {
  const pressed = (props: Parts, query: Parts = {}) => {
    const own = release(
      startDocument(
        {
          m: {
            type: 'message',
            props: { text: 'short', buttons: [[{ id: 'b', label: 'label' }]] },
            exits: { b: 'change' },
          },
        },
        { cards: { change: { blocks: ['e'] } }, blocks: { e: { type: 'edit', props } }, texts, media, variables },
      ),
    );
    return runLast(own, [press('m', 'b', {}, query)]).effects;
  };

  test('of the pressed message goes by its number, and takes its buttons away', () => {
    expect(pressed({ target: 'pressed', text: 'short' })).toMatchObject([
      {
        type: 'edit',
        target: { messageId: 5 },
        method: 'editMessageText',
        params: { text: 'Short', reply_markup: { inline_keyboard: [] } },
      },
    ]);
  });

  test('of a message with a file changes its caption', () => {
    const onPhoto = {
      message: { message_id: 6, date: 1, chat: { id: 77, type: 'private' }, photo: [{ file_id: 'p' }] },
    };
    expect(pressed({ target: 'pressed', text: 'long' }, onPhoto)).toMatchObject([
      { method: 'editMessageCaption', target: { messageId: 6 } },
    ]);
    expect(
      (pressed({ target: 'pressed', text: 'long' }, onPhoto)[0] as { params: { caption: string } }).params.caption
        .length,
    ).toBeLessThanOrEqual(1_024);
  });

  test('of buttons alone leaves the text', () => {
    expect(
      pressed({ target: 'pressed', buttons: [[{ id: 'l', kind: 'link', label: 'label', url: 'url' }]] }),
    ).toMatchObject([
      {
        method: 'editMessageReplyMarkup',
        params: { reply_markup: { inline_keyboard: [[{ url: 'https://a.example/x' }]] } },
      },
    ]);
  });

  test('of a named message finds it by the key of its effect, in a later turn too', () => {
    const own = release(
      startDocument(
        { m: { type: 'message', props: { text: 'short', ref: 'status' } } },
        {
          triggers: {
            go: { type: 'command', props: { command: 'go' }, to: 'change' },
            away: { type: 'command', props: { command: 'away' }, to: 'away' },
          },
          cards: { change: { blocks: ['e'] }, away: { blocks: ['d'] } },
          blocks: {
            e: { type: 'edit', props: { target: { ref: 'status' }, text: 'label' } },
            d: { type: 'delete', props: { target: { ref: 'status' } } },
          },
          texts,
          media,
          variables,
        },
      ),
    );
    const [sent, edited, removed] = run(own, [say('/start'), say('/go'), say('/away')]);
    const { key } = effectsOf(sent!, 'send')[0]!;
    expect(edited!.effects).toMatchObject([{ type: 'edit', target: { key } }]);
    expect(removed!.effects).toMatchObject([{ type: 'delete', target: { key } }]);
    const [sentAnew, editedAnew] = run(own, [say('/go'), say('/go')]);
    expect(sentAnew!.effects).toMatchObject([{ type: 'send', params: { text: 'Label' } }]);
    expect(editedAnew!.effects).toMatchObject([{ type: 'edit', target: { key: sentAnew!.effects[0]!.key } }]);
  });

  test('of nothing sends or says nothing, as the maker wants', () => {
    expect(
      runLast(one('edit', { target: 'pressed', text: 'short', otherwise: 'skip' }), [say('/start')]).effects,
    ).toEqual([]);
    expect(runLast(one('delete', { target: 'pressed' }), [say('/start')]).effects).toEqual([]);
  });
});

describe('a notification', () => {
  const notify = (props: Parts, chat: number | null) =>
    runLast(one('notify', { text: 'short', ...props }, { error: 'other' }), [say('/start')], {
      ...emptyState,
      bot: { vars: chat === null ? {} : { c: chat } },
    });

  test('goes to the chats that are named or remembered', () => {
    expect(notify({ to: [{ chat: -100, thread: 7 }, { var: 'c' }], silent: true }, -200).effects).toMatchObject([
      { chat: -100, thread: 7, params: { text: 'Short', disable_notification: true } },
      { chat: -200, thread: 0 },
    ]);
  });

  test('without a chat takes the error exit', () => {
    const result = notify({ to: [{ var: 'c' }] }, null);
    expect(result.effects).toEqual([]);
    expect(result.trace).toContainEqual({ at: 'x', what: 'notify', exit: 'error', note: 'there is no chat to notify' });
  });
});

test('tags are put on and taken off, each once, up to a limit', () => {
  const own = one('tag', { add: ['a', 'b', 'a'], remove: ['old'] });
  const result = runLast(own, [say('/start')], {
    ...emptyState,
    contact: { ...emptyState.contact, tags: ['old', 'b'] },
  });
  expect(result.state.contact.tags).toEqual(['b', 'a']);
  expect(runLast(own, [say('/start')], result.state).changed.contact).toBe(false);
  const full = {
    ...emptyState,
    contact: { ...emptyState.contact, tags: Array.from({ length: 200 }, (_, n) => `t${n}`) },
  };
  expect(runLast(own, [say('/start')], full).state.contact.tags).toHaveLength(200);
});

test('a set that fails changes what came before it, and nothing after', () => {
  const own = one(
    'set',
    {
      set: [
        { into: 't', value: 'first' },
        { into: 'n', expr: 'number(t)' },
        { into: 't', value: 'last' },
      ],
    },
    { error: 'other' },
  );
  expect(runLast(own, [message({ text: '/start' })]).state.contact.vars).toEqual({ t: 'first' });
});
