// Films on pages: a part at a time, for a bounded number of readers, past the connections of the bots.
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { until } from '../../../test/support/roost.ts';
import { sha256Of } from '../projects/files.ts';
import { onePixel } from '../projects/fixtures.ts';
import { importProject, publish } from '../projects/projects.ts';
import { shopDocument } from './fixtures.ts';
import { type Answer, startTestApp, type TestApp } from './harness.ts';

const partBytes = 1024 * 1024;
/** More than the sockets of one machine hold between them, so that a reader who stops is felt. */
const film = Buffer.alloc(16 * partBytes + 500);
film.write('\0\0\0\x18ftypmp42', 0, 'latin1');
for (let at = 64; at < film.length - 4; at += 4) film.writeUInt32LE((at * 2_654_435_761) >>> 0, at);

let shop: TestApp;
let path = '';
beforeAll(async () => {
  shop = await startTestApp(undefined, { env: { TRUSTED_PROXIES: '127.0.0.1' } });
  const document = shopDocument() as Answer;
  document.media.film = { kind: 'video', name: 'film.mp4', sha256: sha256Of(film) };
  document.media.cover.sha256 = sha256Of(onePixel);
  document.app.elements.film = { type: 'video', props: { media: 'film', title: 'home.title' } };
  document.app.elements.home.children.push('film');
  const files = new Map([onePixel, film].map((bytes) => [sha256Of(bytes), bytes]));
  await shop.roost.db.tx(async (tx) => {
    await importProject(tx, { name: shop.project.publicId, bundle: { document, files }, into: true });
    await publish(tx, shop.project.id, {});
  });
  path = `/_/${shop.app}/m-${sha256Of(film)}`;
  await until(
    () => shop.get(path, { range: 'bytes=0-9' }),
    ({ status }) => status === 206,
  );
});
afterAll(() => shop.close());

test('a range without an end is answered with one part, and the whole comes part after part', async () => {
  for (const [range, from, to] of [
    ['bytes=0-', 0, partBytes - 1],
    ['bytes=100-', 100, partBytes + 99],
    [`bytes=${16 * partBytes}-`, 16 * partBytes, film.length - 1],
    ['bytes=-100', film.length - 100, film.length - 1],
    [`bytes=0-${film.length * 2}`, 0, partBytes - 1],
  ] as const) {
    const part = await shop.get(path, { range });
    expect([part.status, part.headers.get('content-range')], range).toEqual([
      206,
      `bytes ${from}-${to}/${film.length}`,
    ]);
    expect(Buffer.from(await part.arrayBuffer()).equals(film.subarray(from, to + 1)), range).toBe(true);
  }
  const whole = await shop.get(path);
  expect([whole.status, whole.headers.get('content-length')]).toEqual([200, String(film.length)]);
  expect(Buffer.from(await whole.arrayBuffer()).equals(film)).toBe(true);
  const head = await fetch(`${shop.address}${path}`, { method: 'HEAD' });
  expect([head.status, head.headers.get('content-length')]).toEqual([200, String(film.length)]);
});

test('slow readers of one network are told to come again, others are not, and bots have their connections', async () => {
  const { port } = new URL(shop.address);
  const slow = Array.from({ length: 8 }, () => {
    const socket = connect(Number(port), '127.0.0.1');
    socket.on('error', () => {});
    socket.write(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Forwarded-For: 2001:db8::7\r\n\r\n`);
    return new Promise<typeof socket>((resolve) =>
      socket.once('readable', () => {
        socket.pause();
        resolve(socket);
      }),
    );
  });
  const sockets = await Promise.all(slow);
  const refused = await shop.get(path, { range: 'bytes=0-', 'x-forwarded-for': '2001:db8::8' });
  expect([refused.status, refused.headers.get('cache-control')]).toEqual([503, 'no-store']);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(((await refused.json()) as Answer).error.code).toBe('BUSY');
  const other = await shop.get(path, { range: 'bytes=0-', 'x-forwarded-for': '198.51.100.4' });
  expect(other.status).toBe(206);
  expect(shop.roost.running.bots.db.load()).toMatchObject({ waiting: 0 });
  for (const socket of sockets) socket.destroy();
  const again = async () => shop.get(path, { range: 'bytes=0-', 'x-forwarded-for': '2001:db8::9' });
  expect((await until(again, ({ status }) => status === 206)).status).toBe(206);
});
