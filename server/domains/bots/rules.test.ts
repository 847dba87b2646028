import type { WebhookInfo } from '@grammyjs/types';
import { describe, expect, test } from 'vitest';
import type { Decision, Desired, Known } from './rules.ts';
import {
  decide,
  drifted,
  hostOf,
  looksLikeToken,
  newDeliveryError,
  publicIdIn,
  retrySeconds,
  wantedUpdates,
  webhookUrl,
} from './rules.ts';

const hourMs = 3_600_000;
const nowMs = 1_000 * hourMs;
const desired: Desired = {
  url: 'https://a.example/v1/telegram/webhooks/int_1',
  allowedUpdates: ['message', 'poll'],
  maxConnections: 10,
};
const info = (url: string, more: Partial<WebhookInfo> = {}): WebhookInfo => ({
  url,
  has_custom_certificate: false,
  pending_update_count: 0,
  max_connections: 10,
  allowed_updates: ['poll', 'message'],
  ...more,
});
const known = (more: Partial<Known> = {}): Known => ({
  url: desired.url,
  unset: false,
  setAtMs: nowMs - 2 * hourMs,
  lostCount: 0,
  ...more,
});

const rows: [what: string, Known, WebhookInfo, Partial<Decision>][] = [
  ['all as it should be', known(), info(desired.url), { kind: 'fine', lostCount: 0 }],
  ['a change here', known({ unset: true }), info(desired.url), { kind: 'set', why: 'unset', problem: null }],
  [
    'a first webhook',
    known({ url: null, unset: true, setAtMs: 0 }),
    info(''),
    { kind: 'set', why: 'unset', lostCount: 0 },
  ],
  [
    'our own address of before',
    known({ url: 'https://old.example/x', unset: true }),
    info('https://old.example/x'),
    { kind: 'set', why: 'unset', lostCount: 0 },
  ],
  ['removed for the first time', known(), info(''), { kind: 'set', why: 'lost', lostCount: 1 }],
  [
    'taken for the first time',
    known(),
    info('https://thief.example/secret'),
    { kind: 'set', why: 'lost', lostCount: 1 },
  ],
  [
    'taken while a change waits here',
    known({ unset: true, setAtMs: 0 }),
    info('https://thief.example'),
    { kind: 'set', why: 'lost', lostCount: 1 },
  ],
  [
    'taken again within the hour',
    known({ lostCount: 1, setAtMs: nowMs - hourMs + 5_000 }),
    info(''),
    { kind: 'back_off', seconds: 5, lostCount: 1 },
  ],
  [
    'taken again after an hour',
    known({ lostCount: 1, setAtMs: nowMs - hourMs }),
    info(''),
    { kind: 'set', why: 'lost', lostCount: 2 },
  ],
  [
    'a third time',
    known({ lostCount: 2, setAtMs: nowMs - hourMs }),
    info(''),
    { kind: 'back_off', seconds: 5 * 3_600 },
  ],
  ['many times', known({ lostCount: 9, setAtMs: nowMs - 23 * hourMs }), info(''), { kind: 'back_off', seconds: 3_600 }],
  [
    'many times, after a day',
    known({ lostCount: 9, setAtMs: nowMs - 24 * hourMs }),
    info(''),
    { kind: 'set', why: 'lost', lostCount: 10 },
  ],
  ['whole since it was set again', known({ lostCount: 2 }), info(desired.url), { kind: 'fine', lostCount: 2 }],
  [
    'whole for a day',
    known({ lostCount: 2, setAtMs: nowMs - 25 * hourMs }),
    info(desired.url),
    { kind: 'fine', lostCount: 0 },
  ],
  ['other settings', known(), info(desired.url, { max_connections: 40 }), { kind: 'set', why: 'drift' }],
  [
    'other settings just after they were set',
    known({ setAtMs: nowMs - 5_000 }),
    info(desired.url, { allowed_updates: ['message'] }),
    { kind: 'fine' },
  ],
];
test.each(rows)('%s', (_what, remembered, actual, expected) => {
  expect(decide(desired, remembered, actual, nowMs)).toMatchObject(expected);
});

test('two programs that take it from each other set it ever more rarely', () => {
  let state = known();
  let sets = 0;
  for (let minute = 0; minute < 7 * 24 * 60; minute += 1) {
    const at = nowMs + minute * 60_000;
    const decision = decide(desired, state, info(''), at);
    if (decision.kind === 'set') {
      sets += 1;
      state = { ...state, setAtMs: at, lostCount: decision.lostCount };
    }
  }
  // At once, after 1 h, after 6 h, then once a day.
  expect(sets).toBe(9);
});

test('a loss is told with the host only', () => {
  const decision = decide(desired, known(), info('https://thief.example/s3cret?x=1'), nowMs);
  expect(decision).toMatchObject({ problem: expect.stringContaining('thief.example') });
  expect(JSON.stringify(decision)).not.toContain('s3cret');
  expect(hostOf('nonsense')).toBe('another address');
});

test('settings are compared as sets; what is not mentioned is as asked', () => {
  expect(drifted(desired, info(desired.url))).toBe(false);
  expect(drifted(desired, { url: desired.url, has_custom_certificate: false, pending_update_count: 0 })).toBe(false);
  expect(drifted(desired, info(desired.url, { allowed_updates: ['message', 'poll', 'poll_answer'] }))).toBe(true);
  expect(drifted(desired, info(desired.url, { allowed_updates: ['message', 'poll_answer'] }))).toBe(true);
});

test('a delivery error is new when its date is', () => {
  const withError = info('', { last_error_date: 1_700_000_000, last_error_message: 'Connection timed out' });
  expect(newDeliveryError(null, info(''))).toBeUndefined();
  expect(newDeliveryError(null, withError)).toEqual({
    message: 'Connection timed out',
    at: new Date(1_700_000_000_000),
  });
  expect(newDeliveryError(new Date(1_700_000_000_000), withError)).toBeUndefined();
  expect(newDeliveryError(new Date(1_699_999_999_000), withError)).toBeDefined();
});

test('updates are never asked for by an empty list, and payments always', () => {
  expect(wantedUpdates([])).toEqual(['callback_query', 'message', 'my_chat_member', 'pre_checkout_query']);
  expect(wantedUpdates(['poll', 'message'])).toEqual([
    'callback_query',
    'message',
    'my_chat_member',
    'poll',
    'pre_checkout_query',
  ]);
});

test('pauses after failures grow to an hour', () => {
  expect([0, 1, 2, 7, 8, 1_000].map(retrySeconds)).toEqual([15, 30, 60, 1_920, 3_600, 3_600]);
});

describe('addresses', () => {
  test('of webhooks', () => {
    const url = webhookUrl('https://a.example', 'int_aB-_9');
    expect(url).toBe('https://a.example/v1/telegram/webhooks/int_aB-_9');
    expect(publicIdIn(url)).toBe('int_aB-_9');
    expect(publicIdIn('https://a.example/hook')).toBeUndefined();
  });

  test.each([
    [`123456789:${'A'.repeat(35)}`, true],
    ['123456789:AAH-_x9AAAAAA', true],
    ['', false],
    [`123456789:${'A'.repeat(20)}/../x`, false],
    [`123456789:${'A'.repeat(20)} `, false],
    [`bot123456789:${'A'.repeat(35)}`, false],
    [`123456789:${'A'.repeat(20)}%2e`, false],
  ])('%s as a token: %s', (text, good) => expect(looksLikeToken(text)).toBe(good));
});
