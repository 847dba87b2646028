// What a page does about a bad network: what it is made of is kept, so that it opens again without one, and what could not
// be sent goes out when the server is there again. Comes when the page is alive, and nobody waits.

declare const WORKER: string;

type Values = { readonly [path: string]: unknown };

/** What the runtime gives. Its build is a stranger, so nothing in here may be renamed by one. */
export type OfflineParts = {
  readonly pages: {
    readonly app: string;
    readonly base: string;
    readonly forms: { readonly [id: string]: unknown };
    readonly words: Values;
  };
  readonly values: Values;
  /** Sends a form once more. */
  readonly send: (form: string) => void;
};

const waitMsMin = 3_000;
const waitMsMax = 60_000;

/** Called once. */
export function drawn(parts: OfflineParts): void {
  // Some browsers have no workers, or do not allow them here; everything else works there all the same.
  if (navigator.serviceWorker) keep(parts).catch(() => {});
  resend(parts, waitMsMin);
  addEventListener('online', () => sendWaiting(parts));
}

/** Looks ever more rarely, and only while something waits. */
function resend(parts: OfflineParts, waitMs: number): void {
  setTimeout(async () => {
    const waits = waiting(parts).length > 0;
    if (waits && (await isThere())) sendWaiting(parts);
    resend(parts, waits ? Math.min(waitMs * 1.5, waitMsMax) : waitMsMin);
  }, waitMs);
}

/** What was changed since it could not leave says so no more, and waits for its visitor: half a form would go. */
const waiting = ({ pages, values }: OfflineParts): string[] =>
  Object.keys(pages.forms).filter((id) => values[`!${id}`] === pages.words['offline']);

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
  const files = performance.getEntriesByType('resource').map(({ name }) => name);
  const cache = await caches.open(`roost ${scope} ${app}`);
  // Asked for by its language: without, the server goes by where a visitor comes from.
  const spoken = new URL(page);
  spoken.searchParams.set('lang', document.documentElement.lang);
  await cache.put(page, await fetch(spoken));
  await cache.addAll(files.filter((name) => name.startsWith(`${location.origin}/_/`)));
}
