import { isIP } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isDatabaseFault, Refusal } from '../../../kernel/errors.ts';
import { askedHost } from '../../../kernel/http.ts';
import type { AppEntry } from './apps.ts';
import type { MiniappsDeps } from './deps.ts';
import { fileRoutes } from './file-routes.ts';
import { formFor, isKnown } from './serving/compressed.ts';
import type { ReadyPage } from './serving/content.ts';
import { sharingOf } from './serving/headers.ts';
import { languageIn, type Wish, wishOf } from './serving/language.ts';
import { type WordPage, wordPage } from './serving/nothing.ts';
import { siteAddress, type Where } from './serving/places.ts';
import { robotsText, sitemapXml } from './serving/site-map.ts';
import { visitorRoutes } from './visitor-routes.ts';

/**
 * Everything that visitors are shown and send:
 *
 *   GET  /a/:app[/path]      pages inside Telegram         GET /s/:slug[/path], GET / of a domain of its own: sites
 *   GET  /_/...              files under names of their content
 *   POST /v1/apps/:app/...   what visitors send (visitor-routes.ts)
 *
 * A page that was asked for before is answered from memory, without the database.
 */
export function miniappRoutes(app: FastifyInstance, deps: MiniappsDeps): void {
  app.addHook('onRequest', (request, _reply, done) =>
    done(isOurHost(deps, request) ? undefined : new Refusal('NOT_FOUND')),
  );
  fileRoutes(app, deps);
  visitorRoutes(app, deps);
  const page = (request: FastifyRequest, reply: FastifyReply) => answer(deps, request, reply);
  for (const route of ['/a/*', '/s/*', '/robots.txt', '/sitemap.xml', '/', '/*']) app.get(route, page);
}

/**
 * The answer to an address that no route can read, as `/s/shop/%`: the page that says so, where pages stand below it. Throws
 * Refusal NOT_FOUND elsewhere.
 */
export function unreadablePage(
  deps: MiniappsDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply | Promise<FastifyReply> {
  const isLook = request.method === 'GET' || request.method === 'HEAD';
  if (!isLook || !isOurHost(deps, request)) throw new Refusal('NOT_FOUND');
  return answer(deps, request, reply);
}

/** Which app is meant, where its pages stand, and what is asked for below. */
type Target = { readonly app: AppEntry; readonly where: Where; readonly path: string };

function answer(
  deps: MiniappsDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply | Promise<FastifyReply> {
  const [path = '', query = ''] = request.url.split('?', 2);
  const target = targetOf(deps, request, path);
  if (target === undefined) {
    if (path === '/robots.txt') return plainText(reply, robotsText(undefined));
    // Everything else that nobody has is told as everywhere.
    if (!/^\/[as](\/|$)/.test(path)) throw new Refusal('NOT_FOUND');
    return sendWords('nothing', request, reply);
  }
  if (target.path === '/robots.txt' && target.where === 'd')
    return plainText(reply, robotsText(siteAddress(target.app, deps.publicUrl)));
  if (target.path === '/sitemap.xml' && target.where !== 'a') return sitemap(deps, target, request, reply);
  const asked = languageIn(query);
  const wish = asked === undefined ? wishOf(request.headers) : undefined;
  const meant = target.where === 'a' && target.path === '' ? pageMeantBy(query) : undefined;
  const pageRequest = { ...target, meant, asked, accepted: wish?.accepted };
  const ready = deps.content.peek(pageRequest);
  if (ready !== undefined) return sendPage(request, reply, ready, wish);
  return deps.content
    .page(pageRequest)
    .then((made) => (made === undefined ? sendWords('nothing', request, reply) : sendPage(request, reply, made, wish)))
    .catch((error) => notMade(deps, error, request, reply));
}

/** A page that is not in memory needs the database. A visitor is told in words; what programs are told helps nobody. */
function notMade({ kit }: MiniappsDeps, error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const isBusy = error instanceof Refusal && error.code === 'BUSY';
  if (error instanceof Refusal && !isBusy) throw error;
  const facts = { request: request.id, err: error };
  if (isBusy || isDatabaseFault(error)) kit.log.warn(facts, 'miniapps.page_unavailable');
  else kit.log.error(facts, 'miniapps.page_broken');
  return sendWords('later', request, reply.header('retry-after', String(5 + Math.floor(kit.random() * 10))));
}

/** Telegram tells the start parameter of `t.me/bot?startapp=page_prices` to the server too: with the first request. */
const pageMeantBy = (query: string): string | undefined =>
  /(?:^|&)tgWebAppStartParam=page_([\w-]+)(?:&|$)/.exec(query)?.[1];

/** A domain of its own comes first: there every path is the project's. */
function targetOf({ apps }: MiniappsDeps, request: FastifyRequest, path: string): Target | undefined {
  const byHost = apps.hasDomains() ? apps.byDomain(hostOf(request)) : undefined;
  if (byHost !== undefined) return { app: byHost, where: 'd', path: withoutSlash(path) };
  const [, kind, id = '', rest = ''] = /^\/([as])\/([^/]*)(\/.*)?$/.exec(path) ?? [];
  if (kind === undefined) return undefined;
  const app = kind === 'a' ? apps.byPublicId(id) : apps.bySlug(id);
  // A site's own id is no Mini App: nobody could prove there who they are.
  if (app === undefined || (kind === 'a' && app.kind !== 'bot')) return undefined;
  return { app, where: kind === 'a' ? 'a' : 's', path: withoutSlash(rest) };
}

/**
 * Whether anybody has set this host up: the installation's own, a site's domain, where a bot is reached, or an address in
 * digits as this machine is called at home. Where nobody has said how we are reached, every name may be ours.
 */
function isOurHost({ publicUrl, apps }: MiniappsDeps, request: FastifyRequest): boolean {
  if (publicUrl === undefined) return true;
  const host = hostOf(request);
  const isHome = host === 'localhost' || isIP(host.replace(/^\[|\]$/g, '')) !== 0;
  return isHome || host === new URL(publicUrl).hostname || apps.byDomain(host) !== undefined || apps.hasBase(host);
}

/** Without its port, and without the dot that may stand at the end of a name. */
const hostOf = (request: FastifyRequest): string =>
  askedHost(request)
    .replace(/:\d{1,5}$/, '')
    .replace(/\.$/, '');

/** The first page has an empty path; every other one begins with a slash and ends without. */
const withoutSlash = (path: string): string => (path.endsWith('/') ? path.slice(0, -1) : path);

/** `wish`: by which the language was chosen, where the address names none. */
function sendPage(request: FastifyRequest, reply: FastifyReply, page: ReadyPage, wish: Wish | undefined): FastifyReply {
  reply.headers(page.headers[sharingOf(page.speaksMore ? wish : undefined)]);
  if (isKnown(page.body, request.headers['if-none-match'])) return reply.code(304).send();
  const { bytes, encoding } = formFor(page.body, encodingsOf(request));
  if (encoding !== undefined) reply.header('content-encoding', encoding);
  return reply.code(page.status).send(bytes);
}

function encodingsOf({ headers }: FastifyRequest): string | undefined {
  const accepted = headers['accept-encoding'];
  return typeof accepted === 'string' ? accepted : undefined;
}

function sendWords(kind: WordPage, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { html, headers, status } = wordPage(kind, request.headers['accept-language'] ?? '');
  return reply.code(status).headers(headers).send(html);
}

const plainText = (reply: FastifyReply, text: string): FastifyReply =>
  reply.header('content-type', 'text/plain; charset=utf-8').header('cache-control', 'public, max-age=3600').send(text);

async function sitemap(
  deps: MiniappsDeps,
  { app, where }: Target,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const release = await deps.content.releaseOf(app);
  const site = siteAddress(app, deps.publicUrl);
  if (release === undefined || site === undefined) return sendWords('nothing', request, reply);
  const locale = release.document.defaultLocale;
  const { view } = await deps.content.view(app, where, release, locale);
  const { rows } = await deps.content.rows(app, release, await deps.watch.get(app.projectId), locale);
  return reply
    .header('content-type', 'application/xml; charset=utf-8')
    .header('cache-control', 'public, max-age=600')
    .send(sitemapXml(view, rows, site));
}
