// A phone on a bad network: headless Chromium with its network and its processor slowed down.
import type { Browser, CDPSession } from 'playwright-core';
import { startBrowser } from '../../test/simulator/browser.ts';
import { pause } from './clock.ts';
import type { Scope } from './scope.ts';

const kilobitsPerSecond = 400;
const latencyMs = 400;
const cpuRate = 4;
const visitMsMax = 60_000;

export const phoneName = `headless Chromium, ${kilobitsPerSecond} kbit/s both ways, ${latencyMs} ms latency, CPU ${cpuRate} times slower, cold cache`;

export type Visit = {
  /** Since the visitor went there: the first text or picture on the screen. */
  readonly contentMs: number;
  /** The first press that changed the page. */
  readonly interactiveMs: number;
  /** What was fetched by then in the order of asking, a line each: when asked, first and last byte (ms), bytes, what. */
  readonly fetched: readonly string[];
};

export type Phone = {
  /** Opens an address as somebody who was never there, and presses `press` until `changed` is in the page. */
  visit(address: string, watch: { press: string; changed: string }): Promise<Visit>;
  close(): Promise<void>;
};

export async function startPhone(scope: Scope): Promise<Phone> {
  const browser = await startBrowser();
  scope.add(() => browser.close());
  return { visit: (address, watch) => visit(browser, address, watch), close: () => browser.close() };
}

/** In the page, before anything of it: presses every few milliseconds, and notes when that did something. */
const presser = ({ press, changed }: { press: string; changed: string }): string => `{
  const [press, changed] = ${JSON.stringify([press, changed])};
  const look = () => {
    if (document.querySelector(changed) === null) return false;
    window.interactiveMs ??= performance.now();
    clearInterval(timer);
    return true;
  };
  const timer = setInterval(() => {
    if (look()) return;
    document.querySelector(press)?.click();
    look();
  }, 10);
}`;

const found = `window.interactiveMs === undefined ? undefined : {
  interactiveMs: window.interactiveMs,
  contentMs: performance.getEntriesByName('first-contentful-paint')[0]?.startTime,
}`;

async function visit(browser: Browser, address: string, watch: { press: string; changed: string }): Promise<Visit> {
  const context = await browser.newContext({ viewport: { width: 360, height: 740 }, locale: 'ru-RU' });
  try {
    const page = await context.newPage();
    const devtools = await context.newCDPSession(page);
    const bytesPerSecond = (kilobitsPerSecond * 1_000) / 8;
    await devtools.send('Network.enable');
    await devtools.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: latencyMs,
      downloadThroughput: bytesPerSecond,
      uploadThroughput: bytesPerSecond,
    });
    const wire = watchWire(devtools);
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: cpuRate });
    await page.addInitScript({ content: presser(watch) });
    await page.goto(address, { waitUntil: 'commit', timeout: visitMsMax });
    const endMs = Date.now() + visitMsMax;
    while (Date.now() < endMs) {
      const { result } = await devtools.send('Runtime.evaluate', { expression: found, returnByValue: true });
      const seen = result.value as Omit<Visit, 'fetched'> | undefined;
      if (seen?.contentMs !== undefined) return { ...seen, fetched: wire() };
      // Rarely: each question costs the page a little.
      await pause(250);
    }
    throw new Error(`Nothing could be pressed on ${address} within ${visitMsMax / 1_000} s.`);
  } finally {
    await context.close();
  }
}

type Fetch = { path: string; askedMs: number; firstMs?: number; lastMs?: number; bytes?: number };

/** Notes what goes over the wire. Answers with a line each, times since the first of them. */
function watchWire(devtools: CDPSession): () => string[] {
  const fetches = new Map<string, Fetch>();
  devtools.on('Network.requestWillBeSent', ({ requestId, request, timestamp }) => {
    if (request.url.startsWith('http'))
      fetches.set(requestId, { path: new URL(request.url).pathname, askedMs: timestamp * 1_000 });
  });
  const note = (requestId: string, facts: Partial<Fetch>): void =>
    void Object.assign(fetches.get(requestId) ?? {}, facts);
  devtools.on('Network.responseReceived', ({ requestId, timestamp }) =>
    note(requestId, { firstMs: timestamp * 1_000 }),
  );
  devtools.on('Network.loadingFinished', ({ requestId, timestamp, encodedDataLength }) =>
    note(requestId, { lastMs: timestamp * 1_000, bytes: encodedDataLength }),
  );
  return () => {
    const [first] = fetches.values();
    const since = (ms: number | undefined): string =>
      (ms === undefined ? '-' : (ms - (first?.askedMs ?? 0)).toFixed(0)).padStart(6);
    return [...fetches.values()].map(
      ({ path, askedMs, firstMs, lastMs, bytes }) =>
        `${since(askedMs)}${since(firstMs)}${since(lastMs)}${String(bytes ?? '-').padStart(8)}  ${path}`,
    );
  };
}
