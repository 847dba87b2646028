// Messages, each with one part that Telegram refuses somewhere, or that values can make too much for it.

export type Parts = { readonly [field: string]: unknown };

/** Kinds of files that a project can hold, under their own names. */
export const KINDS = ['photo', 'video', 'document', 'audio', 'animation', 'voice'] as const;

const VISIBLE = 'words';
const words = (text: string, count: number): string => text.repeat(count);

export const TEXTS = {
  words: 'Words',
  label: 'Label',
  blank: [{ var: 'word' }],
  thin: '\u200b\u2800\u3000',
  long: words('слово ', 1_500),
  emoji: words('😀', 4_200),
  caption: words('😀', 600),
  marked: Array.from({ length: 250 }, (_, at) => ({ text: `${at} `, bold: at % 2 === 0 ? true : undefined })).map(
    ({ text, bold }) => (bold ? { text, bold } : { text, italic: true }),
  ),
  linked: [{ text: 'a', link: 'tel:+123' }, ' ', { text: 'b', link: 'https://a.example' }],
  huge: [{ text: '😀', emoji: '99999999999999999999' }],
  https: 'https://a.example/x?y=1#z',
  tg: 'tg://resolve?domain=a_bot',
  http: 'http://127.0.0.1:8080/a',
  tel: 'tel:+79001234567',
  mailto: 'mailto:a@a.example',
  bare: 'https://localhost/a',
  www: 'www.a.example',
  script: 'javascript:alert(1)',
  odd: 'https://a..example:99999/',
  far: `https://a.example/${words('x', 3_000)}`,
  even: `a${words('😀', 200)}`,
};

const message = (props: Parts, exits: Parts = {}): Parts => ({ blocks: { x: { type: 'message', props, exits } } });
const button = (one: Parts): Parts => message({ text: VISIBLE, buttons: [[{ id: 'b', label: 'label', ...one }]] }, go);
const go = { b: 'other' };
const key = (one: Parts, more: Parts = {}): Parts =>
  message({ text: VISIBLE, keyboard: 'reply', buttons: [[{ id: 'b', label: 'label', ...one }]], ...more }, go);
const question = (props: Parts): Parts => ({
  blocks: { x: { type: 'input', props: { text: VISIBLE, timeout: 'PT1M', ...props }, exits: { timeout: 'x' } } },
});
const many = (count: number, label: string): Parts =>
  message(
    {
      text: VISIBLE,
      buttons: Array.from({ length: count }, (_, at) => [{ id: `b${at}`, label }]),
    },
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`b${at}`, 'other'])),
  );

const held = (kind: string, props: Parts = {}): Parts => ({
  ...message({ media: [{ var: 'file' }], ...props }),
  holds: kind,
});

const app = {
  start: 'home',
  pages: {
    home: { path: '/', title: 't', root: 'root', mainButton: { text: 't', do: { open: 'tel:+79001234567' } } },
  },
  elements: {
    root: { type: 'stack', props: {}, children: ['a', 'b', 'c', 'd', 'e', 'f', 'g'] },
    a: { type: 'text', props: { text: 't' } },
    b: { type: 'button', props: { text: 't', do: { open: 'mailto:a@a.example' } } },
    c: { type: 'button', props: { text: 't', do: { open: 'https://localhost/a' } } },
    d: {
      type: 'links',
      props: {
        items: [
          { text: 't', do: { go: 'home' } },
          { text: 't', do: { chat: 'x' } },
        ],
      },
    },
    e: { type: 'text', props: { text: 'blank' } },
    f: { type: 'text', props: { text: 'linked' } },
    g: { type: 'contacts', props: { phone: 't', email: 't', telegram: 't' } },
  },
  texts: { t: { en: 'Title' }, blank: { en: ' \u200b ' }, linked: { en: [{ text: 'x', link: 'https://localhost' }] } },
};

/**
 * By what they have. `silent`: nothing may come of it anywhere; `vars`: what the person's variables hold; `holds`: the kind
 * of the file in the variable `file`.
 */
export const PARTS: { readonly [name: string]: Parts } = {
  'a plain text': message({ text: VISIBLE }),
  'a text of nothing': { ...message({ text: 'blank' }), silent: true },
  'a text of blanks and signs without width': { ...message({ text: 'thin' }), silent: true },
  'a text over the limit': message({ text: 'long' }),
  'a text of emoji over the limit': message({ text: 'emoji' }),
  'more marks than Telegram takes': message({ text: 'marked' }),
  'a link in a text that is none': message({ text: 'linked' }),
  'an emoji that is none': message({ text: 'huge' }),
  'options of every kind': message({
    text: VISIBLE,
    silent: true,
    protect: true,
    preview: false,
    reply: true,
    typing: true,
  }),
  'a button of the flow': button({}),
  'a button with a look': button({ style: 'danger', icon: '5368324170671202286' }),
  'a button with an icon that is none': button({ icon: '99999999999999999999' }),
  'a button without words': button({ label: 'blank' }),
  'a button of signs without width': button({ label: 'thin' }),
  'a button with a long label': button({ label: 'long' }),
  'more buttons than a keyboard takes': many(90, 'emoji'),
  'a link': button({ kind: 'link', url: 'https' }),
  ...Object.fromEntries(
    ['tg', 'http', 'tel', 'mailto', 'bare', 'www', 'script', 'odd', 'far', 'blank', 'thin', 'words'].map((url) => [
      `a link to ${url}`,
      button({ kind: 'link', url }),
    ]),
  ),
  'a copy button': button({ kind: 'copy', copy: 'words' }),
  'a copy button with nothing to copy': button({ kind: 'copy', copy: 'blank' }),
  'a copy button cut within an emoji': button({ kind: 'copy', copy: 'even' }),
  'a Mini App': button({ kind: 'webApp', url: 'https' }),
  ...Object.fromEntries(
    ['http', 'tel', 'tg', 'bare', 'blank', 'far'].map((url) => [
      `a Mini App at ${url}`,
      button({ kind: 'webApp', url }),
    ]),
  ),
  'the app': { ...button({ kind: 'app' }), more: { app } },
  'a page of the app': { ...button({ kind: 'app', page: 'home', start: 'x' }), more: { app } },
  'a key': key({}),
  'a key with a look': key({ style: 'success', icon: '5368324170671202286' }),
  'a key without words': key({ label: 'blank' }),
  'a key that asks for the number': key({ kind: 'contact' }),
  'a key that asks for the place': key({ kind: 'location' }),
  'a hint of blanks': key({}, { placeholder: 'thin' }),
  'a hint cut within an emoji': key({}, { placeholder: 'even' }),
  'taking the keyboard away': message({ text: VISIBLE, keyboard: 'remove' }),
  'a question': question({ kind: 'text' }),
  'a question about nothing': { ...question({ kind: 'text', text: 'blank' }), silent: true },
  'a question with choices': question({ kind: 'choice', choices: [{ id: 'c', label: 'blank' }] }),
  'a question with choices under a long text': question({
    kind: 'choice',
    text: 'long',
    choices: [{ id: 'c', label: 'label' }],
  }),
  'a question for the number': question({ kind: 'phone', share: 'label' }),
  'a question for a contact': question({ kind: 'contact', share: 'label' }),
  'a question for the place': question({ kind: 'location', share: 'blank' }),
  'a notice elsewhere': {
    blocks: { x: { type: 'notify', props: { to: [{ chat: -100 }], text: VISIBLE } } },
    silent: true,
  },
  'an edit that has nothing to change': {
    blocks: {
      x: {
        type: 'edit',
        props: {
          target: 'pressed',
          text: VISIBLE,
          buttons: [[{ id: 'b', kind: 'webApp', label: 'label', url: 'https' }]],
        },
      },
    },
  },
  'a page as a message': { blocks: { x: { type: 'page', props: { page: 'home' } } }, more: { app } },
  'a page with buttons': {
    blocks: {
      x: {
        type: 'page',
        props: { page: 'home', buttons: [[{ id: 'b', kind: 'webApp', label: 'label', url: 'https' }]] },
      },
    },
    more: { app },
  },
  ...Object.fromEntries(
    KINDS.flatMap((kind) => [
      [`a file: ${kind}`, message({ media: [kind] })],
      [`a file with a caption: ${kind}`, message({ media: [kind], text: VISIBLE })],
      [`a file with a caption over the limit: ${kind}`, message({ media: [kind], text: 'caption' })],
      [`a file with a caption of nothing: ${kind}`, message({ media: [kind], text: 'thin' })],
      [`a file with keys that ask: ${kind}`, key({ kind: 'contact' }, { media: [kind] })],
    ]),
  ),
  ...Object.fromEntries(
    ['photo', 'video', 'videoNote', 'sticker', 'voice', 'document', 'animation'].map((kind) => [
      `what somebody has sent: ${kind}`,
      held(kind, { text: VISIBLE }),
    ]),
  ),
  'a file of no kind': {
    ...message({ media: [{ var: 'file' }] }),
    vars: { file: { kind: 'constructor', fileId: '' } },
    silent: true,
  },
  'an album': message({ media: ['photo', 'video'], text: VISIBLE }),
  'an album with a caption of nothing': message({ media: ['photo', 'video'], text: 'thin' }),
  'an album of all kinds': message({ media: [...KINDS], text: 'caption' }),
  'an album with buttons': message({
    media: ['photo', 'photo'],
    text: VISIBLE,
    buttons: [[{ id: 'b', kind: 'webApp', label: 'label', url: 'https' }]],
  }),
};
