import { describe, expect, test } from 'vitest';
import { makeDocument } from './fixtures.ts';
import { checkDocument, menuCommands } from './flow.ts';

type Parts = { readonly [field: string]: unknown };

const command = (name: string, more: Parts = {}, chats?: readonly string[]): Parts => ({
  type: 'command',
  props: { command: name, description: name, ...more },
  to: 'main',
  ...(chats ? { in: chats } : {}),
});
const make = (triggers: Parts, texts: Parts, more: Parts = {}) =>
  makeDocument({
    triggers,
    cards: { main: { blocks: ['hi'] } },
    blocks: { hi: { type: 'message', props: { text: 'hi' } } },
    texts: { hi: 'Hi', ...texts },
    ...more,
  });
const faults = (document: ReturnType<typeof make>): string[] =>
  checkDocument(document).map(({ severity, code, path }) => `${severity} ${code} ${path}`);
const brief = (document: ReturnType<typeof make>): string[] =>
  menuCommands(document).map(
    ({ scope, language, commands }) =>
      `${scope} ${language}: ${commands.map((one) => `${one.command}=${one.description}`).join(', ')}`,
  );

test('commands with a description are listed, /start first, each further language on its own', () => {
  const document = make(
    { a: command('help'), b: command('start'), c: { type: 'command', props: { command: 'secret' }, to: 'main' } },
    { help: { en: ' Ask\n us ', ru: 'Спросить' }, start: { en: [{ text: 'Be' }, 'gin'] } },
    { locales: ['en', 'ru'] },
  );
  expect(brief(document)).toEqual(['default : start=Begin, help=Ask us', 'default ru: start=Begin, help=Спросить']);
});

test('a language is one of two letters, and is read as conversations read it', () => {
  const texts = { help: { 'pt-BR': 'BR', pt: 'PT', fil: 'FIL', 'en-GB': 'GB', 'en-US': 'US' } };
  const document = make({ a: command('help') }, texts, {
    locales: ['pt-BR', 'pt', 'fil', 'en-GB', 'en-US'],
    defaultLocale: 'pt-BR',
  });
  expect(brief(document)).toEqual(['default : help=BR', 'default pt: help=PT', 'default en: help=GB']);
  expect(faults(document)).toContain('warns commands_language locales');
  const same = make({ a: command('help') }, { help: { en: 'Help', ru: 'Help' } }, { locales: ['en', 'ru'] });
  expect(brief(same)).toEqual(['default : help=Help']);
});

test('groups have a list of their own where other commands are heard there', () => {
  const texts = { one: 'One', two: 'Two', three: 'Three' };
  const here = { a: command('one'), b: command('two', {}, ['group']), c: command('three', {}, ['private']) };
  expect(brief(make(here, texts))).toEqual(['default : one=One, three=Three', 'all_group_chats : one=One, two=Two']);
  expect(brief(make({ b: here.b }, texts))).toEqual(['all_group_chats : two=Two']);
  expect(brief(make({ c: here.c }, texts))).toEqual(['default : three=Three']);
  const twice = { a: command('one', {}, ['private']), b: command('one', { description: 'two' }, ['group']) };
  expect(brief(make(twice, texts))).toEqual(['default : one=One', 'all_group_chats : one=Two']);
});

describe('what cannot be listed is refused', () => {
  test.each<[string, Parts, Parts, string]>([
    [
      'a value in a description',
      { a: command('help') },
      { help: ['Hello, ', { var: 'contact.name' }] },
      'stops description_varies texts.help.en',
    ],
    ['nothing to see', { a: command('help') }, { help: ' \u200b' }, 'stops text_empty texts.help.en'],
    ['too many characters', { a: command('help') }, { help: 'x'.repeat(257) }, 'stops text_long texts.help.en'],
    ['no such text', { a: command('help') }, {}, 'stops text_missing triggers.a.props.description'],
    [
      'a channel',
      { a: command('help', {}, ['channel']) },
      { help: 'Help' },
      'stops prop_unused triggers.a.props.description',
    ],
    [
      'a hundred and one',
      Object.fromEntries(
        Array.from({ length: 101 }, (_, at) => [`t${at}`, command(`c${at}`, { description: 'help' })]),
      ),
      { help: 'Help' },
      'stops commands_many triggers',
    ],
  ])('%s', (_what, triggers, texts, fault) => {
    expect(faults(make(triggers, texts))).toContain(fault);
  });

  test('a hundred, and 256 characters, are listed', () => {
    const triggers = Object.fromEntries(
      Array.from({ length: 100 }, (_, at) => [`t${at}`, command(`c${at}`, { description: 'help' })]),
    );
    const document = make(triggers, { help: 'x'.repeat(256) });
    expect(faults(document)).toEqual([]);
    expect(menuCommands(document)[0]?.commands).toHaveLength(100);
  });

  test('a release of another time lists what it can', () => {
    const document = make(
      { a: command('help'), b: command('more'), c: command('gone') },
      { help: [{ var: 'contact.name' }], more: 'x'.repeat(300) },
    );
    expect(brief(document)).toEqual([`default : more=${'x'.repeat(256)}`]);
  });
});
