// Stands between the pages of one app and the network: what was seen once opens again without one. The network is always
// asked first for a page, so nobody sees an old one while it answers; what has its content in its name is asked for once.

declare const self: ServiceWorkerGlobalScope;

/**
 * Which app this is, so that nothing of one app is shown as another that took its address over. The chunk `offline` puts
 * the first page in here.
 */
const { scope } = self.registration;
const cacheName = `roost ${scope} ${new URLSearchParams(location.search).get('app')}`;
/** With ten pages of an app, its pictures and two releases of it there is room left. */
const entriesMax = 300;
const bytesMax = 2_000_000;
/** A page that was kept is shown when the network has not begun to answer by then. */
const patienceMs = 4_000;

const base = new URL(scope).pathname.replace(/\/$/, '');

self.oninstall = () => self.skipWaiting();
self.onactivate = (event) => event.waitUntil(begin());
self.onfetch = (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== location.origin || request.headers.has('range')) return;
  if (pathname.startsWith('/_/')) event.respondWith(file(event));
  else if (request.mode === 'navigate' && isOurs(pathname)) event.respondWith(page(event));
};

async function begin(): Promise<void> {
  for (const name of await caches.keys())
    if (name.startsWith(`roost ${scope} `) && name !== cacheName) await caches.delete(name);
  await self.registration.navigationPreload?.enable();
  await self.clients.claim();
}

/** A scope is a beginning of an address, and `/s/shop` is one of `/s/shop-two` too. */
const isOurs = (pathname: string): boolean => pathname === (base || '/') || pathname.startsWith(`${base}/`);

async function file(event: FetchEvent): Promise<Response> {
  const cache = await caches.open(cacheName);
  const kept = await cache.match(event.request);
  if (kept) return kept;
  const response = await fetch(event.request);
  const isImmutable = /immutable/.test(response.headers.get('cache-control') || '');
  const isSmall = Number(response.headers.get('content-length')) < bytesMax;
  if (response.status === 200 && isImmutable && isSmall) event.waitUntil(keep(cache, event.request, response.clone()));
  return response;
}

async function page(event: FetchEvent): Promise<Response> {
  const { request } = event;
  // Behind the # Telegram says who somebody is, and that is written nowhere.
  const [url = ''] = request.url.split('#');
  const cache = await caches.open(cacheName);
  const kept = await knownPage(cache, url);
  // The browser's own request says where the visitor comes from, by which the server chooses a language; ours would not.
  const asked = Promise.resolve(event.preloadResponse).then((response) => response || fetch(request));
  const fresh = asked.then((response) => {
    if (response.status === 200) event.waitUntil(keep(cache, url, response.clone()));
    // Taken away is taken away, offline too.
    if (response.status === 404 || response.status === 410)
      event.waitUntil(cache.delete(url, { ignoreVary: true, ignoreSearch: true }));
    // Whatever stands before the server says so when that is away.
    return response.status >= 500 && kept ? kept : response;
  });
  if (!kept) return fresh.catch((error) => toHome(cache, error));
  return Promise.race([fresh.catch(() => kept), after(patienceMs).then(() => kept)]);
}

/** A page that was never seen cannot be shown; the first one can, under its own address. */
async function toHome(cache: Cache, error: unknown): Promise<Response> {
  if (await knownPage(cache, base || '/')) return Response.redirect(base || '/');
  throw error;
}

/** The page itself, or the same in another language or by another link. */
const knownPage = async (cache: Cache, url: string): Promise<Response | undefined> =>
  (await cache.match(url, { ignoreVary: true })) || cache.match(url, { ignoreVary: true, ignoreSearch: true });

async function keep(cache: Cache, request: Request | string, response: Response): Promise<void> {
  await cache.put(request, response);
  const kept = await cache.keys();
  for (const old of kept.slice(0, Math.max(0, kept.length - entriesMax))) await cache.delete(old);
}

const after = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
