// Files under names that say what is in them: the runtime, views, rows, pictures and films. All may be kept for a year.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '../../../kernel/errors.ts';
import type { AppEntry } from './apps.ts';
import type { MiniappsDeps } from './deps.ts';
import { mediaRoute } from './media.ts';
import { type Body, formFor, isKnown } from './serving/compressed.ts';
import { fileHeaders } from './serving/headers.ts';
import { isFromHere } from './serving/language.ts';
import { filesBase, type Where } from './serving/places.ts';

type FileParams = { app: string; name: string };

export function fileRoutes(app: FastifyInstance, deps: MiniappsDeps): void {
  const sendMedia = mediaRoute(deps);
  app.get<{ Params: { name: string } }>('/_/:name', (request, reply) => {
    const body = deps.assets.byName(request.params.name);
    if (body === undefined) throw new Refusal('NOT_FOUND');
    // A worker's pages stand above the folder it comes from.
    if (request.params.name === deps.assets.worker) reply.header('service-worker-allowed', '/');
    return sendBody(request, reply, body);
  });

  app.get<{ Params: FileParams }>('/_/:app/:name', async (request, reply) => {
    const entry = deps.apps.byPublicId(request.params.app);
    if (entry === undefined) throw new Refusal('NOT_FOUND');
    const { name } = request.params;
    const view = /^v-([asd])-(\d{1,9})-([A-Za-z-]{2,6})-([\w-]{22})\.json$/.exec(name);
    if (view !== null) return sendView(deps, entry, view, request, reply);
    const rows = /^d-(\d{1,9})-([A-Za-z-]{2,6})-([\w-]{22})\.json$/.exec(name);
    if (rows !== null) return sendRows(deps, entry, rows, request, reply);
    const media = /^m-([0-9a-f]{64})$/.exec(name);
    if (media?.[1] !== undefined) return sendMedia(entry, media[1], request, reply);
    throw new Refusal('NOT_FOUND');
  });
}

function sendBody(request: FastifyRequest, reply: FastifyReply, body: Body): FastifyReply {
  reply.headers(fileHeaders).header('content-type', body.type).header('etag', body.etag);
  if (isKnown(body, request.headers['if-none-match'])) return reply.code(304).send();
  const accepted = request.headers['accept-encoding'];
  const { bytes, encoding } = formFor(body, typeof accepted === 'string' ? accepted : undefined);
  if (encoding !== undefined) reply.header('content-encoding', encoding);
  return reply.send(bytes);
}

/** A page of an earlier release may still be open somewhere; its view is made again, byte for byte, or is not there. */
async function sendView(
  deps: MiniappsDeps,
  app: AppEntry,
  [, where, number, locale = '', hash]: RegExpExecArray,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const named = await releaseNamed(deps, app, Number(number));
  if (named === undefined || !named.document.locales.includes(locale)) throw new Refusal('NOT_FOUND');
  const { body } = await deps.content.view(app, where as Where, named, locale);
  return body.hash === hash
    ? sendBody(request, reply, body)
    : elsewhere(deps, app, { kind: 'v', where, locale }, request, reply);
}

/**
 * Rows as the running release shows them, under the name of exactly these. Those of another release or of another moment are
 * not there: what was taken off the pages is off the internet.
 */
async function sendRows(
  deps: MiniappsDeps,
  app: AppEntry,
  [, number, locale = '', hash]: RegExpExecArray,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const release = app.releaseNumber === Number(number) ? await deps.content.releaseOf(app) : undefined;
  if (release?.document.locales.includes(locale)) {
    const { body } = await deps.content.rows(app, release, await deps.watch.get(app.projectId), locale);
    if (body.hash === hash) return sendBody(request, reply, body);
  }
  return elsewhere(deps, app, { kind: 'd', locale }, request, reply);
}

/**
 * What a page of ours asks for may have got another name since the page left: the page is shown the way to it. For everybody
 * else a name that is not that of its content is nobody's.
 */
async function elsewhere(
  deps: MiniappsDeps,
  app: AppEntry,
  wanted: { readonly kind: 'v' | 'd'; readonly where?: string | undefined; readonly locale: string },
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const release = isFromHere(request.headers) ? await deps.content.releaseOf(app) : undefined;
  if (release === undefined || !release.document.locales.includes(wanted.locale)) throw new Refusal('NOT_FOUND');
  const { locale, kind } = wanted;
  const where = wanted.where as Where;
  const { body } =
    kind === 'v'
      ? await deps.content.view(app, where, release, locale)
      : await deps.content.rows(app, release, await deps.watch.get(app.projectId), locale);
  const name = `${kind}-${kind === 'v' ? `${where}-` : ''}${release.number}-${locale}-${body.hash}.json`;
  return reply
    .code(307)
    .headers({ location: `${filesBase(app)}/${name}`, 'cache-control': 'no-store' })
    .send();
}

/** Only releases that have run: a draft has no number. */
async function releaseNamed(deps: MiniappsDeps, app: AppEntry, number: number) {
  return number === 0 ? undefined : deps.content.releases.get(app.projectId, number);
}
