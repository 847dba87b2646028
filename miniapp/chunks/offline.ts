// What a page does about a bad network: it says so, what it is made of is kept, so that it opens again without one, and
// what could not be sent goes out when the server is there again. What a page has to be left for is kept by unsent.ts.
// Comes when the page is alive, and nobody waits.

import type { AppPages, AppRows } from '../../contract/app/view.ts';
import { keepUnsent, type UnsentParts } from './unsent.ts';

declare const WORKER: string;

/** What the runtime gives. Its build is a stranger, so nothing in here may be renamed by one. */
export type OfflineParts = UnsentParts & {
  readonly pages: AppPages;
  readonly rows: AppRows;
  readonly state: { readonly cart: { [item: string]: number } };
  /** Sends a form once more. */
  readonly send: (form: string) => void;
};

const waitMsMin = 3_000;
const waitMsMax = 60_000;

/** Called once. */
export function drawn(parts: OfflineParts): void {
  // Some browsers have no workers, or do not allow them here; everything else works there all the same.
  if (navigator.serviceWorker) keep(parts).catch(() => {});
  tidy(parts);
  keepUnsent(parts);
  const line = makeLine(parts);
  resend(parts, line, waitMsMin);
  addEventListener('offline', () => line.show(true));
  addEventListener('online', () => {
    line.show(false);
    sendWaiting(parts);
  });
  if (navigator.onLine) void isOutOfReach().then(line.show);
  else line.show(true);
}

type Line = { readonly show: (isAway: boolean) => void; readonly isShown: () => boolean };

/** A thin line above the page while there is no network: its prices and free times are those of another moment. */
function makeLine({ pages }: OfflineParts): Line {
  const line = document.createElement('div');
  // There before its words, so that they are read aloud when they come.
  line.setAttribute('role', 'status');
  document.body.prepend(line);
  return {
    show(isAway) {
      line.textContent = isAway ? `${pages.words['away']}` : '';
      // By the script, since a page with our rules takes no style from markup.
      line.style.cssText = isAway
        ? 'position:sticky;z-index:3;top:var(--top);padding:4px 16px;background:var(--ink);color:var(--bg);font-size:14px;text-align:center'
        : '';
    },
    isShown: () => line.textContent !== '',
  };
}

/** The worker had to show what it has kept, and the server still does not answer, though the phone takes itself for online. */
async function isOutOfReach(): Promise<boolean> {
  const [loaded] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  return !!loaded?.workerStart && loaded.transferSize === 0 && !(await isThere());
}

/**
 * What is in the cart of rows that were taken out is in nobody's sight, and every order would be refused for it. Telegram's
 * cloud brings its cart later, so this is done again.
 */
function tidy({ pages, rows, state: { cart } }: OfflineParts): void {
  const { shop } = pages;
  const ids = new Set(shop && rows[shop.data]?.map(({ id }) => `${id}`));
  for (const item of Object.keys(cart)) if (!ids.has(item.split(':')[0] as string)) delete cart[item];
}

/** Looks ever more rarely, and only while something waits or the line stands there. */
function resend(parts: OfflineParts, line: Line, waitMs: number): void {
  setTimeout(async () => {
    tidy(parts);
    const waits = waiting(parts).length > 0 || line.isShown();
    if (waits && (await isThere())) {
      line.show(false);
      sendWaiting(parts);
    }
    resend(parts, line, waits ? Math.min(waitMs * 1.5, waitMsMax) : waitMsMin);
  }, waitMs);
}

/** What was changed since it could not leave says so no more, and waits for its visitor: half a form would go. */
const waiting = ({ pages, state }: OfflineParts): string[] =>
  Object.keys(pages.forms).filter((id) => state.values[`!${id}`] === pages.words['offline']);

const sendWaiting = (parts: OfflineParts): void => waiting(parts).forEach(parts.send);

/** Whether the server answers, or only something before it. */
async function isThere(): Promise<boolean> {
  try {
    return (await fetch(location.pathname, { method: 'HEAD', cache: 'no-store' })).status < 500;
  } catch {
    return false;
  }
}

async function keep({ pages: { app, base } }: OfflineParts): Promise<void> {
  // The page that was loaded, wherever the visitor goes meanwhile.
  const page = new URL(location.href);
  // There Telegram says who somebody is.
  page.hash = '';
  const { serviceWorker } = navigator;
  const worker = new URL(WORKER, import.meta.url);
  worker.searchParams.set('app', app);
  const { scope } = await serviceWorker.register(worker, { scope: base || '/' });
  // From the next page on the worker keeps what passes by it; this one came before.
  if (serviceWorker.controller?.scriptURL === worker.href) return;
  const cache = await caches.open(`roost ${scope} ${app}`);
  // Asked for by its language: without, the server goes by where a visitor comes from.
  const spoken = new URL(page);
  spoken.searchParams.set('lang', document.documentElement.lang);
  await cache.put(page, await fetch(spoken));
  keepFiles(cache);
}

/** What the page is made of: what it has, and what still is on its way, which was asked for before the worker was there. */
function keepFiles(cache: Cache): void {
  const known = new Set<string>();
  const add = (name: string): void => {
    // Asking for it here is seen here too.
    if (!name.startsWith(`${location.origin}/_/`) || known.has(name)) return;
    known.add(name);
    // What does not come now is kept when the page has it again.
    cache.add(name).catch(() => {});
  };
  new PerformanceObserver((seen) => seen.getEntries().forEach(({ name }) => add(name))).observe({
    type: 'resource',
    buffered: true,
  });
}
