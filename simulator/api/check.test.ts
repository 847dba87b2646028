import { expect, test } from 'vitest';
import { checkParams, type Params } from './check.ts';
import { methodSpecs } from './method-table.ts';

function check(method: string, params: Params): { findings: ReturnType<typeof checkParams>; params: Params } {
  const spec = methodSpecs.get(method.toLowerCase());
  if (!spec) throw new Error(`no method ${method}`);
  return { findings: checkParams(spec, params, undefined), params };
}

test('a good call has nothing to be said about', () => {
  expect(check('sendMessage', { chat_id: 1, text: 'a', disable_notification: true }).findings).toEqual({});
});

test('forms carry text: it becomes what the table says', () => {
  const { findings, params } = check('sendMessage', {
    chat_id: '-1001234567890',
    text: '42',
    disable_notification: 'True',
    reply_markup: '{"inline_keyboard":[]}',
    entities: '[]',
  });
  expect(findings).toEqual({});
  expect(params).toEqual({
    chat_id: -1001234567890,
    text: '42',
    disable_notification: true,
    reply_markup: { inline_keyboard: [] },
    entities: [],
  });
});

test('a name of a chat stays a name', () => {
  expect(check('sendMessage', { chat_id: '@roost', text: 'a' }).params.chat_id).toBe('@roost');
});

test('unknown, wrong and missing parameters are told apart', () => {
  expect(check('sendMessage', { chat_id: 1, text: 'a', txt: 'b' }).findings).toEqual({ unknown: ['txt'] });
  expect(check('sendMessage', { chat_id: 1, text: 'a', entities: 'no' }).findings).toEqual({ bad: ['entities'] });
  expect(check('sendMessage', { chat_id: 1, text: 'a', entities: {} }).findings).toEqual({ bad: ['entities'] });
  expect(check('sendMessage', { chat_id: 1, text: { a: 1 } }).findings).toEqual({ bad: ['text'], missing: 'text' });
  expect(check('sendMessage', { text: 'a' }).findings).toEqual({ missing: 'chat_id' });
});

test('null is as good as absent', () => {
  const { findings, params } = check('sendMessage', { chat_id: 1, text: 'a', reply_markup: null });
  expect(findings).toEqual({});
  expect('reply_markup' in params).toBe(false);
});

test('a file that came as a part counts as the parameter', () => {
  const spec = methodSpecs.get('sendphoto');
  if (!spec) throw new Error('no sendPhoto');
  expect(checkParams(spec, { chat_id: 1 }, new Set(['photo']))).toEqual({});
  expect(checkParams(spec, { chat_id: 1 }, undefined)).toEqual({ missing: 'photo' });
});
