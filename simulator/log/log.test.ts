import { expect, test } from 'vitest';
import { CallLog } from './call-log.ts';
import { queryLog, streamLog } from './query.ts';

const clock = { mono: () => 100, wall: () => 1_000_100 };

function filled(rows: number, rowsMax: number): CallLog {
  const log = new CallLog(clock);
  for (let index = 0; index < rows; index++) {
    const row = log.begin(index, index % 2, 'sendMessage', `{"n":${index}}`, rowsMax);
    log.target(row, index % 5);
    log.decide(row, index % 3 !== 0, index % 3 === 0 ? 429 : 200);
  }
  return log;
}

function filter(fields: Record<string, string>, after = -1, limit = 1_000): Parameters<typeof queryLog>[1] {
  return { after, limit, sinceMono: 0, fields: Object.entries(fields) };
}

test('a row comes back as it went in', () => {
  const log = new CallLog(clock);
  const row = log.begin(90, 7, 'sendMessage', '{"a":1}', 100);
  log.target(row, 9_007_199_254_740_991);
  log.message(row, 3);
  log.fault(row, 'lost');
  log.note(row, { unknown: ['x'] });
  log.note(row, { description: 'why' });
  log.decide(row, true, 0);
  log.answered(row, 95);
  expect(log.read(row)).toEqual({
    seq: row,
    at: 1_000_090,
    arrived_mono: 90,
    answered_mono: 95,
    bot_id: 7,
    method: 'sendMessage',
    chat_id: 9_007_199_254_740_991,
    message_id: 3,
    accepted: true,
    code: 0,
    description: 'why',
    limit: null,
    fault: 'lost',
    unknown_params: ['x'],
    bad_params: [],
    params: '{"a":1}',
  });
});

test('pages follow each other by the cursor', () => {
  const log = filled(2_500, 10_000);
  const first = queryLog(log, filter({}));
  expect(first.entries).toHaveLength(1_000);
  expect(first.done).toBe(false);
  const second = queryLog(log, filter({}, first.cursor));
  expect(second.entries[0]?.seq).toBe(1_000);
  const last = queryLog(log, filter({}, second.cursor));
  expect([last.entries.length, last.done]).toEqual([500, true]);
  log.begin(0, 1, 'getMe', undefined, 10_000);
  expect(queryLog(log, filter({}, last.cursor)).entries.map(({ method }) => method)).toEqual(['getMe']);
});

test('fields filter', () => {
  const log = filled(30, 100);
  const page = queryLog(log, filter({ bot_id: '1', accepted: 'false' }));
  expect(page.entries.map(({ seq }) => seq)).toEqual([3, 9, 15, 21, 27]);
  expect(queryLog(log, filter({ chat_id: 'null' })).entries).toEqual([]);
});

test('a full log loses its oldest rows and says where it starts', () => {
  const log = filled(40_000, 5_000);
  expect(log.start).toBeGreaterThan(20_000);
  expect(log.end).toBe(40_000);
  expect(log.read(0)).toBeUndefined();
  expect(log.read(log.start)?.params).toBe(`{"n":${log.start}}`);
  expect(queryLog(log, filter({}, -1, 1)).entries[0]?.seq).toBe(log.start);
});

test('clearing keeps cursors valid', () => {
  const log = filled(10, 100);
  const { cursor } = queryLog(log, filter({}));
  log.clear();
  expect(queryLog(log, filter({}, cursor)).entries).toEqual([]);
  log.begin(0, 1, 'getMe', undefined, 100);
  expect(queryLog(log, filter({}, cursor)).entries.map(({ method }) => method)).toEqual(['getMe']);
  expect(log.accepted).toBe(0);
});

test('a stream gives the same rows as pages', async () => {
  const log = filled(3_210, 10_000);
  let text = '';
  for await (const piece of streamLog(log, filter({ bot_id: '0' }))) text += piece;
  const rows = text.trimEnd().split('\n');
  expect(rows).toHaveLength(1_605);
  expect(JSON.parse(rows[1] ?? '')).toEqual(log.read(2));
});
