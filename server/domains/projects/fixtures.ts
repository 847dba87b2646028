// Small documents for tests of this domain and of the commands.

/** A picture of one pixel. */
export const onePixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** A document that can be published: it answers /start with `words`. */
export function sampleDocument(words = 'Hello'): Record<string, unknown> {
  return {
    roost: 1,
    locales: ['en'],
    defaultLocale: 'en',
    triggers: { t1: { type: 'command', props: { command: 'start' }, to: 'welcome' } },
    cards: { welcome: { title: 'Welcome', blocks: ['hello'] } },
    blocks: { hello: { type: 'message', props: { text: 'hello.text' } } },
    texts: { 'hello.text': { en: words } },
  };
}

/** The same with a photo, whose hash is left to the import. */
export function samplePhotoDocument(name = 'menu.png'): Record<string, unknown> {
  return {
    ...sampleDocument(),
    blocks: { hello: { type: 'message', props: { text: 'hello.text', media: ['menu'] } } },
    media: { menu: { kind: 'photo', name } },
  };
}
