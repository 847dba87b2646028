import { expect, test } from 'vitest';
import { KIND, methodSpecs } from './method-table.ts';

test('the table holds Bot API 10.3', () => {
  expect(methodSpecs.size).toBe(185);
  for (const name of [
    'sendMessage',
    'sendRichMessage',
    'editEphemeralMessageText',
    'refundStarPayment',
    'getUpdates',
  ]) {
    expect(methodSpecs.get(name.toLowerCase())?.name).toBe(name);
  }
});

test('required parameters, kinds and results are read', () => {
  const send = methodSpecs.get('sendmessage');
  expect(send?.required).toEqual(['chat_id', 'text']);
  expect(send?.result).toBe('Message');
  expect(send?.params.get('chat_id')?.kinds).toBe(KIND.number | KIND.string);
  expect(send?.params.get('reply_markup')?.kinds).toBe(KIND.object);
  expect(methodSpecs.get('sendphoto')?.params.get('photo')?.kinds).toBe(KIND.string | KIND.file);
  expect(methodSpecs.get('sendmediagroup')?.params.get('media')).toEqual({ required: true, kinds: KIND.array });
  expect(methodSpecs.get('sendmediagroup')?.result).toBe('Message[]');
  expect(methodSpecs.get('editmessagetext')?.result).toBe('Message|true');
  expect(methodSpecs.get('setmycommands')?.result).toBe('true');
});

test('every parameter has a kind', () => {
  for (const { name, params } of methodSpecs.values()) {
    for (const [param, { kinds }] of params) expect(kinds, `${name}.${param}`).toBeGreaterThan(0);
  }
});
