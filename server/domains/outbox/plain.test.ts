import { expect, test } from 'vitest';
import { plainForm } from './plain.ts';

const paragraph = (text: unknown) => ({ type: 'paragraph', text });
const button = (text: string) => ({ text, url: 'https://example.com/' });
const buttons = (text: string) => ({ type: 'buttons', buttons: [button(text)] });

function simpler(blocks: readonly object[], more: object = {}) {
  const { method, params } = plainForm('sendRichMessage', JSON.stringify({ rich_message: { blocks }, ...more }));
  expect(method).toBe('sendMessage');
  return JSON.parse(params);
}

test('a page becomes its words, with every button below them', () => {
  const struck = [{ type: 'bold', text: '€4' }, ' ', { type: 'strikethrough', text: '€6' }];
  const list = {
    type: 'list',
    items: ['a', 'b'].map((text, at) => ({ blocks: [paragraph(text)], type: '1', value: at + 1 })),
  };
  const photo = { type: 'photo', photo: { type: 'photo', media: { $file: { sha256: 'x', kind: 'photo' } } } };
  const details = { type: 'details', summary: 'More', blocks: [paragraph('inside'), buttons('Two')] };
  const under = { inline_keyboard: [[button('Three')]] };
  expect(
    simpler([paragraph(struck), photo, list, buttons('One'), details], { reply_markup: under, protect_content: true }),
  ).toEqual({
    protect_content: true,
    text: '€4\n\n1. a\n2. b\n\nMore\ninside',
    reply_markup: { inline_keyboard: [[button('One')], [button('Two')], [button('Three')]] },
  });
});

test('it is cut at a line where one message cannot hold it, and never empty', () => {
  const { text } = simpler(Array(60).fill(paragraph('x'.repeat(99))));
  expect(text.length).toBeLessThanOrEqual(4_096);
  expect(text).toMatch(/^(x{99}\n\n){40}…$/);
  const long = simpler([paragraph('😀'.repeat(3_000))]).text;
  expect(long.length).toBeLessThanOrEqual(4_096);
  expect(long).toMatch(/^(😀)+\n…$/u);
  expect(simpler([{ type: 'divider' }])).toEqual({ text: '…' });
});

test('anything else loses its formatting alone', () => {
  const params = { text: 'x', entities: [{}], caption_entities: [], parse_mode: 'HTML', protect_content: true };
  expect(plainForm('sendMessage', JSON.stringify(params))).toEqual({
    method: 'sendMessage',
    params: '{"text":"x","protect_content":true}',
  });
});
