import { readConfig } from '../../kernel/config.ts';
import { type Built, buildMiniapp, CSS_GZIP_BYTES_MAX, RUNTIME_GZIP_BYTES_MAX } from '../../miniapp/build.ts';
import { startFiles } from '../lib/baseline.ts';
import type { Bench } from '../lib/bench.ts';
import { pause } from '../lib/clock.ts';
import { frameworkPages, frameworks, readyFile } from '../lib/framework-pages.ts';
import { get, requestsPerSecond } from '../lib/http.ts';
import { phoneName, startPhone, type Visit } from '../lib/phone.ts';
import { median } from '../lib/statistics.ts';
import { createWorld, install, type World } from '../lib/world.ts';

const example = 'shop';
const visits = 5;
/** A thing for the cart, and what stands in its place once it is there. */
const watch = { press: '.product button.quiet', changed: '.product .counter' };
const rounds = 5;
const roundMs = 4_000;
const connections = 32;
const apps = 10_000;
const firstsAtOnce = 8;
const settleMs = 10_000;
/** How much more memory the second half of the apps may take than the first did. */
const boundedRatio = 1.2;

/** As Chromium asks for a page. */
const headers = {
  accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8',
  'accept-encoding': 'gzip, deflate, br, zstd',
  'accept-language': 'ru-RU',
  'sec-fetch-dest': 'document',
  'sec-fetch-mode': 'navigate',
  'sec-fetch-site': 'none',
  'upgrade-insecure-requests': '1',
  'user-agent': 'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/153.0.0.0 Mobile',
};

export const miniapp: Bench = {
  about: 'a shop on a phone with a bad network, beside Preact and React; the warm page; 10,000 apps in memory',
  async run(context) {
    const built = await buildMiniapp();
    const world = await createWorld(context);
    const phone = await firstVisits(world);
    const cache = await memoryOfMany(world);
    return {
      figures: { ...sizes(built), ...phone, ...cache },
      bars: [
        { figure: 'runtime_gzip_bytes', atMost: RUNTIME_GZIP_BYTES_MAX },
        { figure: 'css_gzip_bytes', atMost: CSS_GZIP_BYTES_MAX },
        { figure: 'first_content_ms', atMost: 1_500 },
        { figure: 'interactive_ms', atMost: 2_500 },
        { figure: 'page_ratio', atLeast: 0.7 },
        { figure: `cache_mb_${apps}`, atMost: (cache[`cache_mb_${apps / 2}`] ?? 0) * boundedRatio },
      ],
      notes: [
        `examples/${example}, its first page; medians of ${visits} visits each, in turns: ${phoneName}`,
        "interactive: the first press on a button of a product that puts it into the cart. Telegram's own script (telegram-web-app.js) is not counted: it is fetched inside Telegram only, and the page does not wait for it",
        `page_ratio: ${rounds} interleaved pairs of ${roundMs / 1_000} s over ${connections} connections against a bare Fastify with the same bytes and headers`,
        `cache_mb_${apps}: resident memory after ${apps} apps of a project each were asked for once, and after half of them; ready pages may take ${readConfig({}).appCacheBytesMax / 2 ** 20} MB (APP_CACHE_MB)`,
      ],
    };
  },
};

/** The runtime, the style that stands in each page, and what is fetched only where a page needs it. */
function sizes({ sizes, chunks }: Built): Record<string, number> {
  const gzip = (name: string): number => sizes[name]?.gzip ?? Number.NaN;
  return {
    runtime_gzip_bytes: gzip('runtime'),
    css_gzip_bytes: gzip('app'),
    ...Object.fromEntries([...Object.keys(chunks), 'worker'].map((name) => [`${name}_gzip_bytes`, gzip(name)])),
  };
}

async function firstVisits(world: World): Promise<Record<string, number>> {
  const { context } = world;
  const { bots, port, start } = await install(world, 'shop', { count: 1, example });
  const server = await start();
  const { appPath } = bots[0]!;
  const pages = await frameworkPages(port, appPath, headers);
  const warm = await get(port, appPath, headers);
  const baseline = await startFiles(world, new Map([...pages.files, ['/ready', readyFile(warm)]]));

  const phone = await startPhone(context.scope);
  const sides = [
    { name: '', address: `http://127.0.0.1:${port}${appPath}` },
    ...frameworks.map((name) => ({ name: `${name}_`, address: `http://127.0.0.1:${baseline.port}/${name}` })),
  ].map((side) => ({ ...side, visits: [] as Visit[] }));
  for (let round = 0; round < visits; round += 1)
    for (const side of sides) side.visits.push(await phone.visit(side.address, watch));
  for (const { address, visits } of sides) {
    const [last] = visits.slice(-1);
    context.say([`${address}: when asked, first byte, last byte (ms); bytes`, ...(last?.fetched ?? [])].join('\n'));
  }
  await phone.close();

  const figures: Record<string, number> = { page_br_bytes: warm.bytes.length };
  for (const { name, visits } of sides) {
    figures[`${name}first_content_ms`] = median(visits.map(({ contentMs }) => contentMs));
    figures[`${name}interactive_ms`] = median(visits.map(({ interactiveMs }) => interactiveMs));
  }
  for (const name of frameworks) figures[`${name}_gzip_bytes`] = pages.gzipBytes[name];
  const rates = await compareRates([port, appPath], [baseline.port, '/ready']);
  await baseline.stop();
  await server.stop();
  return { ...figures, ...rates };
}

type Place = readonly [port: number, path: string];

async function compareRates(ours: Place, ready: Place): Promise<Record<string, number>> {
  const rates = { ours: [] as number[], ready: [] as number[] };
  for (let round = 0; round <= rounds; round += 1) {
    const pair = [await rateOf(ours), await rateOf(ready)] as const;
    // The first round warms both up.
    if (round === 0) continue;
    rates.ours.push(pair[0]);
    rates.ready.push(pair[1]);
  }
  return {
    page_rate: median(rates.ours),
    ready_rate: median(rates.ready),
    page_ratio: median(rates.ours.map((rate, at) => rate / rates.ready[at]!)),
  };
}

const rateOf = ([port, path]: Place): Promise<number> =>
  requestsPerSecond(port, again(path), { connections, headers, stopAfterMs: roundMs });

function* again(path: string): Generator<string> {
  for (;;) yield path;
}

/** Half of them, then the other half: what is bounded hardly grows with the second. */
async function memoryOfMany(world: World): Promise<Record<string, number>> {
  const { bots, port, start } = await install(world, 'apps', { count: apps, example, perProject: 1 });
  const server = await start();
  await pause(settleMs);
  const before = server.rssMb();
  const paths = bots.map(({ appPath }) => appPath);
  const grown: number[] = [];
  const rates: number[] = [];
  for (const some of [paths.slice(0, apps / 2), paths.slice(apps / 2)]) {
    rates.push(await requestsPerSecond(port, some, { connections: firstsAtOnce, headers }));
    await pause(settleMs);
    grown.push(server.rssMb() - before);
  }
  await server.stop();
  return {
    [`cache_mb_${apps}`]: grown[1]!,
    [`cache_mb_${apps / 2}`]: grown[0]!,
    rss_mb_before: before,
    first_pages_a_second: median(rates),
  };
}
