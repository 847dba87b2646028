import { expect, test } from 'vitest';
import type { AppEntry } from '../apps.ts';
import { domainFault, normalDomain, slugFault } from '../rules.ts';
import { cookieName, freshCookie, readCookie } from '../visitors/cookie.ts';
import { createRateLimit } from '../visitors/limits.ts';
import { createCache } from './cache.ts';
import { bodyOf, formFor, isKnown } from './compressed.ts';
import { pageHtml } from './html.ts';
import { ownAddress } from './places.ts';
import { rangeOf } from './range.ts';

test('the cache keeps what is used, within its bytes, and makes each thing once', async () => {
  const cache = createCache<{ bytes: number; name: string }>({ bytesMax: 100 });
  let made = 0;
  const make = (name: string, bytes = 10) =>
    cache.get(name, async () => {
      made += 1;
      return { bytes, name };
    });
  await Promise.all([make('a'), make('a'), make('a')]);
  expect(made).toBe(1);
  for (const name of 'bcdefghij') await make(name);
  expect(cache.figures()).toEqual({ entries: 10, bytes: 100, hits: 0, misses: 12 });
  cache.peek('a');
  await make('k');
  expect(cache.peek('a')).toBeDefined();
  expect(cache.peek('b')).toBeUndefined();
  expect(cache.figures()).toMatchObject({ hits: 2, misses: 13 });
  expect(await make('large', 50)).toMatchObject({ name: 'large' });
  expect(cache.peek('large')).toBeUndefined();
  await expect(cache.get('bad', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await make('bad')).toMatchObject({ name: 'bad' });
});

test('a body is sent in the smallest form that is read', async () => {
  const body = await bodyOf('text/html', 'words '.repeat(500));
  expect(body.br?.length).toBeLessThan(body.gzip?.length ?? 0);
  expect(formFor(body, 'gzip, deflate, br').encoding).toBe('br');
  expect(formFor(body, 'gzip').encoding).toBe('gzip');
  expect(formFor(body, 'br;q=0, gzip;q=0.5').encoding).toBe('gzip');
  expect(formFor(body, 'br;q=0, gzip;q=0').encoding).toBeUndefined();
  expect(formFor(body, undefined).encoding).toBeUndefined();
  expect((await bodyOf('text/html', 'short')).br).toBeUndefined();
  expect([`"${body.hash}"`, `W/"${body.hash}"`, `"x", W/"${body.hash}"`, '*'].every((tag) => isKnown(body, tag))).toBe(
    true,
  );
  expect(isKnown(body, '"x"')).toBe(false);
});

test('one range is understood; nonsense is the whole', () => {
  const cases: [string | undefined, unknown][] = [
    [undefined, undefined],
    ['bytes=0-', { from: 0, to: 99 }],
    ['bytes=10-19', { from: 10, to: 19 }],
    ['bytes=90-200', { from: 90, to: 99 }],
    ['bytes=-10', { from: 90, to: 99 }],
    ['bytes=-1000', { from: 0, to: 99 }],
    ['bytes=100-', 'none'],
    ['bytes=-0', 'none'],
    ['bytes=20-10', undefined],
    ['bytes=0-1,5-6', undefined],
    ['items=0-1', undefined],
    ['bytes=-', undefined],
  ];
  for (const [header, range] of cases) expect(rangeOf(header, 100), header).toEqual(range);
});

test('nothing of a project can leave its place in the page', () => {
  const sly = '</title></script><script>alert(1)</script>"\'';
  const page = pageHtml({
    locale: 'ru',
    head: {
      title: sly,
      description: sly,
      siteName: sly,
      url: undefined,
      image: { src: sly },
      alternates: [],
      index: true,
    },
    css: '',
    desk: '/_/d.css',
    theme: '',
    body: '',
    start: { zone: 'UTC', view: sly, rows: sly, page: sly, address: sly },
    runtime: '/_/r.js',
  });
  expect(page.match(/<script/g)).toHaveLength(2);
  expect(page.match(/<\/script>/g)).toHaveLength(2);
  expect(page).not.toContain('<script>');
  expect(JSON.parse(/id="v">(.*?)<\/script>/.exec(page)?.[1] ?? '').page).toBe(sly);
});

test('the cookie of a visitor is theirs alone, and ours alone to make', () => {
  const key = Buffer.alloc(32, 1);
  const nowMs = Date.parse('2026-11-29T12:00:00Z');
  const header = freshCookie(key, nowMs, true).split(';')[0] ?? '';
  expect(freshCookie(key, nowMs, true)).toMatch(
    /^__Host-roost_visitor=.*; Path=\/; HttpOnly; SameSite=Lax; Max-Age=\d+; Secure$/,
  );
  expect(cookieName(false)).toBe('roost_visitor');
  expect(readCookie(key, `a=b; ${header}; c=d`, nowMs, true)).toMatchObject({ sinceMs: nowMs });
  expect(readCookie(Buffer.alloc(32, 2), header, nowMs, true)).toBeUndefined();
  expect(readCookie(key, header, nowMs, false)).toBeUndefined();
  expect(readCookie(key, header, nowMs + 181 * 86_400_000, true)).toBeUndefined();
  expect(readCookie(key, header.replace(/\.\d+\./, '.1.'), nowMs, true)).toBeUndefined();
  for (const text of [undefined, '', '__Host-roost_visitor=', '__Host-roost_visitor=a.1', 'x'.repeat(20_000)])
    expect(readCookie(key, text, nowMs, true)).toBeUndefined();
});

test('a limit counts over the edge of a minute, and says how long to wait', () => {
  const limit = createRateLimit(3, 60);
  const taken = [0, 1, 2, 3].map((second) => limit.take('a', 59_000 + second * 1_000));
  expect(taken.slice(0, 3)).toEqual([0, 0, 0]);
  expect(taken[3]).toBeGreaterThan(0);
  expect(limit.take('b', 62_000)).toBe(0);
  expect(limit.take('a', 130_000)).toBe(0);
});

test('the address of the installation is what its operator has said, and nothing where nobody has', () => {
  const entry = (webhookBase: string | null, domain: string | null): AppEntry =>
    ({ bot: { webhookBase }, site: { slug: 'shop', domain } }) as AppEntry;
  expect(ownAddress(entry('https://b.example', 'shop.example'), 'https://a.example')).toBe('https://a.example');
  expect(ownAddress(entry('https://b.example', 'shop.example'), undefined)).toBe('https://b.example');
  expect(ownAddress(entry(null, 'shop.example'), undefined)).toBe('https://shop.example');
  expect(ownAddress(entry(null, null), undefined)).toBe('');
});

test('a slug and a domain are what may stand in an address', () => {
  for (const slug of ['a', 'corner-cafe', '24', 'x'.repeat(48)]) expect(slugFault(slug), slug).toBeUndefined();
  for (const slug of ['', '-a', 'a-', 'Cafe', 'кафе', 'a/b', '..', 'x'.repeat(49)])
    expect(slugFault(slug), slug).toMatch(/\.$/);
  expect(normalDomain(' Cafe.Example. ')).toBe('cafe.example');
  for (const domain of ['cafe.example', 'a.b.c.example', 'xn--80ak6aa92e.com'])
    expect(domainFault(domain, undefined)).toBeUndefined();
  for (const domain of [
    'cafe',
    'https://cafe.example',
    'cafe.example/x',
    'кафе.рф',
    '127.0.0.1',
    '-a.example',
    'a..b',
    'cafe.example:80',
  ])
    expect(domainFault(domain, undefined), domain).toMatch(/\.$/);
  expect(domainFault('bots.example', 'bots.example')).toContain('installation itself');
});
