// What a visitor's phone must not get away with sending. Each is a request that differs from a good one in one thing.
import { createHmac } from 'node:crypto';
import { signed, type TestApp } from '../../server/domains/miniapps/harness.ts';

/** Stands in everything that is sent, so that nothing of it can be found where it must not be. */
export const MARK = 'zqx-hostile';

export type Request = {
  readonly path: string;
  readonly method: 'POST';
  readonly headers: Record<string, string>;
  readonly body: string | Uint8Array<ArrayBuffer>;
};

export type HostileSubmission = { readonly name: string; readonly codes: readonly string[]; readonly request: Request };

let people = 500_000;
/** Somebody else each time, so that no limit refuses instead of the check that is meant. */
const somebody = (): number => (people += 1);

/** A good form of this visitor; `more` is set over it. */
export const goodEvent = (values: object = {}, more: object = {}): Record<string, unknown> => ({
  key: `${MARK}-${somebody()}`,
  form: 'lead',
  values: { name: MARK, agree: true, ...values },
  locale: 'en',
  ...more,
});

const order = (cart: object, more: object = {}): object =>
  goodEvent({}, { form: 'order', values: { name: MARK }, cart, ...more });

export function eventRequest(app: TestApp, body: unknown, headers?: Record<string, string>): Request {
  return {
    path: `/v1/apps/${app.app}/events`,
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(headers ?? { authorization: `tma ${app.initData({ id: somebody(), first_name: MARK })}` }),
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  };
}

const WRONG = ['INPUT_WRONG'];
const OUTDATED = ['APP_OUTDATED'];
const CART = ['CART_CHANGED'];

/** Bodies that are JSON, and not what a page of ours sends. */
const EVENTS: readonly (readonly [name: string, codes: readonly string[], body: object])[] = [
  ['a form that is not there', OUTDATED, goodEvent({}, { form: 'nothing' })],
  ['a form of an object', WRONG, goodEvent({}, { form: 'constructor' })],
  ['a form that is a path', WRONG, goodEvent({}, { form: '../lead' })],
  ['a form that is no text', WRONG, goodEvent({}, { form: ['lead'] })],
  ['a field that is not there', OUTDATED, goodEvent({ admin: true })],
  ['a field of an object', WRONG, goodEvent({ toString: 'x' })],
  ['a field under a path', WRONG, goodEvent({ 'name.first': 'x' })],
  ['an unknown part', WRONG, goodEvent({}, { project: 'other' })],
  ['a total of the client', WRONG, order({ '1': 1 }, { total: 0.01 })],
  ['prices of the client', WRONG, order({ '1': 1 }, { prices: { '1': 0.01 } })],
  ['a visitor of the client', WRONG, goodEvent({}, { visitor: { kind: 'telegram', id: 1 } })],
  ['a number of the client', WRONG, goodEvent({}, { number: 1 })],
  ['a bot of the client', WRONG, goodEvent({}, { bot: 1 })],
  ['no values', WRONG, goodEvent({}, { values: undefined })],
  ['values in a list', WRONG, goodEvent({}, { values: [['name', MARK]] })],
  ['a value that is an object', WRONG, goodEvent({ name: { $ne: '' } })],
  ['a value that is nothing', WRONG, goodEvent({ name: null })],
  ['a list in a list', WRONG, goodEvent({ name: [[MARK]] })],
  ['a list where words are asked', WRONG, goodEvent({ name: [MARK] })],
  ['a yes where words are asked', WRONG, goodEvent({ name: true })],
  ['a name that cannot be seen', WRONG, goodEvent({ name: '\u0000\u202e' })],
  ['a name that is too long', WRONG, goodEvent({ name: MARK.repeat(4) })],
  ['a name without an end', WRONG, goodEvent({ name: 'x'.repeat(5_000) })],
  ['a list without an end', WRONG, goodEvent({ tags: Array(300).fill('a') })],
  ['a phone with a script', WRONG, goodEvent({ phone: '<script>1234567</script>' })],
  ['a phone with a command', WRONG, goodEvent({ phone: '+79001234567;ext=1' })],
  ['a mail with a NUL', WRONG, goodEvent({ mail: `${MARK}\u0000@mail.ru` })],
  ['a mail that turns the line', WRONG, goodEvent({ mail: `${MARK}\u202e@mail.ru` })],
  ['a mail with a second receiver', WRONG, goodEvent({ mail: `${MARK}@mail.ru\nBcc: all@mail.ru` })],
  ['an option that is not there', WRONG, goodEvent({ kind: 'c' })],
  ['an option of an object', WRONG, goodEvent({ kind: 'constructor' })],
  ['options in a list', WRONG, goodEvent({ kind: ['a', 'b'] })],
  ['the same choice twice', WRONG, goodEvent({ tags: ['a', 'a'] })],
  ['a choice that is not there', WRONG, goodEvent({ tags: ['a', 'x'] })],
  ['a number that is a word', WRONG, goodEvent({ age: 'one' })],
  ['a number with an exponent', WRONG, goodEvent({ age: '1e2' })],
  ['a number below the least', WRONG, goodEvent({ age: -5 })],
  ['a number above the most', WRONG, goodEvent({ age: 1e300 })],
  ['a fraction of a step', WRONG, goodEvent({ age: 1.5 })],
  ['a day that is none', WRONG, goodEvent({ day: '2026-02-30' })],
  ['a consent that is a word', WRONG, goodEvent({ agree: 'true' })],
  ['a consent that is not given', WRONG, goodEvent({ agree: false })],
  ['a shown field that is skipped', WRONG, goodEvent({ kind: 'b' })],
  ['a file of nobody', WRONG, goodEvent({ file: `file_${'a'.repeat(22)}` })],
  ['a file that is a path', WRONG, goodEvent({ file: '../../etc/passwd' })],
  [
    'files without an end',
    WRONG,
    goodEvent({ file: Array.from({ length: 6 }, (_, at) => `file_${'a'.repeat(21)}${at}`) }),
  ],
  ['a key that is short', WRONG, goodEvent({}, { key: 'a' })],
  ['a key with a break', WRONG, goodEvent({}, { key: 'aaaaaaaa\n' })],
  ['a key without an end', WRONG, goodEvent({}, { key: 'a'.repeat(65) })],
  ['no key', WRONG, goodEvent({}, { key: undefined })],
  ['a language that is a path', WRONG, goodEvent({}, { locale: '../en' })],
  ['a start without an end', WRONG, goodEvent({}, { start: 'a'.repeat(513) })],
  ['a start with a NUL', WRONG, goodEvent({}, { start: `${MARK}\u0000` })],
  [
    'a row of another table',
    WRONG,
    goodEvent({}, { form: 'visit', values: { master: 99, time: '2027-01-01T09:00:00Z' } }),
  ],
  [
    'a row below nothing',
    WRONG,
    goodEvent({}, { form: 'visit', values: { master: -1, time: '2027-01-01T09:00:00Z' } }),
  ],
  [
    'a time that is over',
    ['SLOT_TAKEN'],
    goodEvent({}, { form: 'visit', values: { master: 1, time: '2020-01-01T09:00:00Z' } }),
  ],
  [
    'a time at night',
    ['SLOT_TAKEN'],
    goodEvent({}, { form: 'visit', values: { master: 1, time: '2099-01-01T23:00:00Z' } }),
  ],
  ['a time that is a word', WRONG, goodEvent({}, { form: 'visit', values: { master: 1, time: 'now' } })],
  ['an order of nothing', CART, order({})],
  ['an order without a cart', CART, order({}, { cart: undefined })],
  ['none of a thing', WRONG, order({ '1': 0 })],
  ['fewer than none', WRONG, order({ '1': -3 })],
  ['half of a thing', WRONG, order({ '1': 0.5 })],
  ['a count that is a word', WRONG, order({ '1': '1' })],
  ['more than anybody needs', WRONG, order({ '1': 100 })],
  ['more than there is', CART, order({ '2:M': 9 })],
  ['more than there is, in parts', CART, order({ '2:M': 2, '2:S': 2 })],
  ['a row that is not there', CART, order({ '999': 1 })],
  ['a row that is not shown', CART, order({ '3': 1 })],
  ['a variant that is not there', CART, order({ '2:XXL': 1 })],
  ['a variant with a break', WRONG, order({ '2:M\n': 1 })],
  ['a row with an exponent', WRONG, order({ '1e1': 1 })],
  ['a row with a nought', WRONG, order({ '01': 1 })],
  ['a row of an object', WRONG, order({ constructor: 1 })],
  ['a thousand things', WRONG, order(Object.fromEntries(Array.from({ length: 1_000 }, (_, at) => [`${at + 1}`, 1])))],
  ['fifty-one things', WRONG, order(Object.fromEntries(Array.from({ length: 51 }, (_, at) => [`1:v${at}`, 1])))],
];

/** Bodies that are no JSON of ours at all. */
function bodies(app: TestApp): HostileSubmission[] {
  const good = JSON.stringify(goodEvent());
  const raw = (name: string, body: string, type?: string): HostileSubmission => {
    const request = eventRequest(app, body);
    const headers = { ...request.headers, ...(type === undefined ? {} : { 'content-type': type }) };
    return { name, codes: ['BODY_BROKEN', 'BODY_TOO_LARGE', 'INPUT_WRONG'], request: { ...request, headers } };
  };
  return [
    raw('nothing', ''),
    raw('half of a body', good.slice(0, -9)),
    raw('two bodies', good + good),
    raw('a script', '<script>alert(1)</script>'),
    raw('a list', `[${good}]`),
    raw('a word', '"lead"'),
    raw('null', 'null'),
    raw('a prototype', good.replace('{', '{"__proto__":{"admin":true},')),
    raw('a prototype in the values', good.replace('"values":{', '"values":{"__proto__":{"x":1},')),
    raw('a constructor', good.replace('{', '{"constructor":{"prototype":{"admin":true}},')),
    raw('endless depth', `${'['.repeat(30_000)}${']'.repeat(30_000)}`),
    raw('depth in a value', good.replace('true', `${'[['.repeat(5_000)}${']]'.repeat(5_000)}`)),
    raw('a number without an end', good.replace('true', '1e999')),
    raw('NaN', good.replace('true', 'NaN')),
    raw('more than is read', `{"key":"${'a'.repeat(70_000)}"}`),
    raw('a form as a browser sends it', 'key=aaaaaaaa&form=lead', 'application/x-www-form-urlencoded'),
    raw('words', good, 'text/plain'),
    raw('parts', good, 'multipart/form-data; boundary=a'),
    raw('XML', '<lead/>', 'application/xml'),
  ];
}

/** Who says to be somebody, and is not. */
function strangers(app: TestApp, others: { readonly token: string; readonly cookie: string }): HostileSubmission[] {
  const data = (): string => app.initData({ id: somebody(), first_name: MARK });
  const user = (): string => JSON.stringify({ id: somebody(), first_name: MARK });
  const by = (name: string, headers: Record<string, string>): HostileSubmission => ({
    name,
    codes: ['UNKNOWN_VISITOR'],
    request: eventRequest(app, goodEvent(), headers),
  });
  const tma = (name: string, text: string): HostileSubmission => by(name, { authorization: `tma ${text}` });
  const { token } = app.bot;
  const flat = createHmac('sha256', token).update('auth_date=1').digest('hex');
  return [
    by('no proof', {}),
    by('an empty proof', { authorization: 'tma' }),
    by('another kind of proof', { authorization: `Bearer ${data()}` }),
    tma('words', MARK),
    tma('no signature', data().replace(/&hash=.*/, '')),
    tma('an empty signature', data().replace(/hash=.*/, 'hash=')),
    tma(
      'a signature of capitals',
      data().replace(/hash=(.*)/, (_all, hash: string) => `hash=${hash.toUpperCase()}F`),
    ),
    tma('half of a signature', data().slice(0, -32)),
    tma('a signature of noughts', data().replace(/hash=.*/, `hash=${'0'.repeat(64)}`)),
    tma('a signature that is shorter', data().replace(/hash=.*/, `hash=${flat}`)),
    tma('the third way with a word', data().replace(/hash=.*/, `signature=${'A'.repeat(86)}`)),
    tma('another person', data().replace(/%22id%22%3A\d/, '%22id%22%3A9')),
    tma('another moment', data().replace(/auth_date=\d/, 'auth_date=9')),
    tma('another query', data().replace('query_id=AAF', 'query_id=AAG')),
    tma('another name', data().replace(MARK, 'Admin')),
    tma('a field more', `${data()}&start_param=admin`),
    tma('a field less', data().replace('query_id=AAF&', '')),
    tma('a person twice', `${data()}&user=${encodeURIComponent(user())}`),
    tma('a person twice in other letters', `${data()}&us%65r=${encodeURIComponent(user())}`),
    tma('a moment twice', `${data()}&auth_date=${Math.floor(Date.now() / 1_000)}`),
    tma('a signature twice', `${data()}&hash=${'0'.repeat(64)}`),
    tma('another bot', signed({ user: user() }, others.token)),
    tma('no token', signed({ user: user() }, '')),
    tma('a day ago', signed({ user: user() }, token, Date.now() - 86_500_000)),
    tma('ten years ago', signed({ user: user() }, token, 1_400_000_000_000)),
    tma('tomorrow', signed({ user: user() }, token, Date.now() + 86_400_000)),
    tma('no moment', signed({ user: user(), auth_date: '' }, token)),
    tma('a moment below nothing', signed({ user: user(), auth_date: '-1' }, token)),
    tma(
      'a moment that is a fraction',
      signed({ user: user(), auth_date: `${Math.floor(Date.now() / 1_000) + 0.5}` }, token),
    ),
    tma('nobody', signed({}, token)),
    tma('nobody in particular', signed({ user: '{}' }, token)),
    tma('a person in a list', signed({ user: `[${user()}]` }, token)),
    tma('a person without an end', signed({ user: JSON.stringify({ id: 1, first_name: 'x'.repeat(300) }) }, token)),
    tma('a number that is a word', signed({ user: '{"id":"7"}' }, token)),
    tma('a number below nothing', signed({ user: '{"id":-7}' }, token)),
    tma('a number beyond all', signed({ user: '{"id":1e300}' }, token)),
    tma('two lines in one', signed({ user: `${user()}\nauth_date=1` }, token)),
    tma('broken letters', `${data()}&a=%E0%A4%A`),
    tma('a prototype', `${data()}&__proto__=1`),
    tma('more than is read', `${data()}&a=${'x'.repeat(9_000)}`),
    by('a cookie of another installation', { cookie: others.cookie }),
    by('a cookie that was made up', { cookie: 'roost_visitor=a.1.b' }),
    by('an empty cookie', { cookie: 'roost_visitor=' }),
  ];
}

/** What comes from a visitor of the web whose cookie is good, and is not theirs to say. */
function cookies(app: TestApp, cookie: string): HostileSubmission[] {
  const by = (name: string, headers: Record<string, string>): HostileSubmission => ({
    name,
    codes: ['UNKNOWN_VISITOR'],
    request: eventRequest(app, goodEvent(), { cookie, ...headers }),
  });
  const [name = '', value = ''] = cookie.split('=');
  const [id = '', since = '', seal = ''] = value.split('.');
  const turned = (text: string): string => (text.startsWith('a') ? 'b' : 'a') + text.slice(1);
  return [
    by('a cookie of another visitor', { cookie: `${name}=${turned(id)}.${since}.${seal}` }),
    by('a cookie that is older than it is', { cookie: `${name}=${id}.${Number(since) - 9}.${seal}` }),
    by('a cookie with another seal', { cookie: `${name}=${id}.${since}.${turned(seal)}` }),
    by('a cookie without a seal', { cookie: `${name}=${id}.${since}.` }),
    by('a cookie under another name', { cookie: `__Host-${name}=${value}` }),
    by('a page of another site', { 'sec-fetch-site': 'cross-site' }),
    by('an origin of another site', { origin: 'https://evil.example' }),
    by('an origin of nowhere', { origin: 'null' }),
    {
      name: 'a start with a NUL',
      codes: WRONG,
      request: eventRequest(app, goodEvent({}, { start: `${MARK}\u0000` }), { cookie }),
    },
  ];
}

/** Everything; `cookie` is a good one of the web. */
export const hostileSubmissions = (
  app: TestApp,
  cookie: string,
  others: { readonly token: string; readonly cookie: string },
): HostileSubmission[] => [
  ...EVENTS.map(([name, codes, body]) => ({ name, codes, request: eventRequest(app, body) })),
  ...bodies(app),
  ...strangers(app, others),
  ...cookies(app, cookie),
];
