// Keeps what a page is made of, so that it opens again without a network. Comes when the page is alive, and nobody waits.

declare const WORKER: string;

/** Called once. `base`: where the pages of the app stand; empty on a domain of its own. */
export function drawn({ base }: { readonly base: string }): void {
  // Some browsers have no workers, or do not allow them here; everything else works there all the same.
  if (navigator.serviceWorker) keep(base || '/').catch(() => {});
}

async function keep(scope: string): Promise<void> {
  const { serviceWorker } = navigator;
  await serviceWorker.register(new URL(WORKER, import.meta.url), { scope });
  // From the next page on the worker keeps what passes by it; this one came before.
  if (serviceWorker.controller) return;
  const files = performance.getEntriesByType('resource').map(({ name }) => name);
  const page = new URL(location.href);
  // There Telegram says who somebody is.
  page.hash = '';
  const cache = await caches.open('roost-app');
  await cache.addAll(files.filter((name) => name.startsWith(`${location.origin}/_/`)));
  // Asked for by its language: without, the server goes by where a visitor comes from.
  const spoken = new URL(page);
  spoken.searchParams.set('lang', document.documentElement.lang);
  await cache.put(page, await fetch(spoken));
}
