// Files under names that say what is in them: the runtime, views, rows, pictures and films. All may be kept for a year.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '../../../kernel/errors.ts';
import { readMedia, readMediaPart } from '../projects/projects.ts';
import type { AppEntry } from './apps.ts';
import type { MiniappsDeps } from './deps.ts';
import { type Body, formFor, isKnown } from './serving/compressed.ts';
import { fileHeaders, mediaHeaders } from './serving/headers.ts';
import type { Where } from './serving/places.ts';
import { rangeOf } from './serving/range.ts';
import type { AppRelease } from './serving/releases.ts';

type FileParams = { app: string; name: string };

export function fileRoutes(app: FastifyInstance, deps: MiniappsDeps): void {
  app.get<{ Params: { name: string } }>('/_/:name', (request, reply) => {
    const body = deps.assets.byName(request.params.name);
    if (body === undefined) throw new Refusal('NOT_FOUND');
    // A worker's pages stand above the folder it comes from.
    if (request.params.name === deps.assets.worker) reply.header('service-worker-allowed', '/');
    return sendBody(request, reply, body, true);
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
    if (media?.[1] !== undefined) return sendMedia(deps, entry, media[1], request, reply);
    throw new Refusal('NOT_FOUND');
  });
}

/** `isExact`: it is what its name says. Where it is not (a newer one took its place), it may not be kept. */
function sendBody(request: FastifyRequest, reply: FastifyReply, body: Body, isExact: boolean): FastifyReply {
  reply.headers(fileHeaders).header('content-type', body.type).header('etag', body.etag);
  if (!isExact) reply.header('cache-control', 'no-store');
  if (isKnown(body, request.headers['if-none-match'])) return reply.code(304).send();
  const accepted = request.headers['accept-encoding'];
  const { bytes, encoding } = formFor(body, typeof accepted === 'string' ? accepted : undefined);
  if (encoding !== undefined) reply.header('content-encoding', encoding);
  return reply.send(bytes);
}

/** A page of an earlier release may still be open somewhere; its view is made again, byte for byte. */
async function sendView(
  deps: MiniappsDeps,
  app: AppEntry,
  [, where, number, locale = '', hash]: RegExpExecArray,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const named = await releaseNamed(deps, app, Number(number));
  if (named === undefined || !named.document.locales.includes(locale)) throw new Refusal('NOT_FOUND');
  const exact = await deps.content.view(app, where as Where, named, locale);
  if (exact.body.hash === hash) return sendBody(request, reply, exact.body, true);
  const running = await deps.content.releaseOf(app);
  if (running === undefined || !running.document.locales.includes(locale)) throw new Refusal('NOT_FOUND');
  return sendBody(request, reply, (await deps.content.view(app, where as Where, running, locale)).body, false);
}

/** Rows of another day are gone; whoever asks for them gets those of now. */
async function sendRows(
  deps: MiniappsDeps,
  app: AppEntry,
  [, number, locale = '', hash]: RegExpExecArray,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const release = await releaseNamed(deps, app, Number(number));
  if (release === undefined || !release.document.locales.includes(locale)) throw new Refusal('NOT_FOUND');
  const { body } = await deps.content.rows(app, release, await deps.watch.get(app.projectId), locale);
  return sendBody(request, reply, body, body.hash === hash);
}

/** Only releases that have run: a draft has no number. */
async function releaseNamed(deps: MiniappsDeps, app: AppEntry, number: number) {
  return number === 0 ? undefined : deps.content.releases.get(app.projectId, number);
}

/** What browsers may show in a page; anything else is saved. */
const SHOWN = /^(image\/(jpeg|png|webp|gif)|video\/(mp4|webm|quicktime)|audio\/(mpeg|mp4|ogg|flac|wav))$/;

async function sendMedia(
  deps: MiniappsDeps,
  app: AppEntry,
  sha256: string,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { pictures } = deps;
  const release = await deps.content.releaseOf(app);
  const file = release?.files.get(sha256);
  if (file === undefined) throw new Refusal('NOT_FOUND');
  const etag = `"${sha256.slice(0, 22)}"`;
  reply.headers(mediaHeaders).header('etag', etag);
  if (request.headers['if-none-match']?.includes(etag)) return reply.code(304).send();
  reply.header('content-type', SHOWN.test(file.kind) ? file.kind : 'application/octet-stream');
  if (!SHOWN.test(file.kind)) reply.header('content-disposition', attachment(release, sha256));
  const range = request.headers['if-range'] === undefined || request.headers['if-range'] === etag;
  const part = rangeOf(range ? request.headers.range : undefined, file.size);
  if (part === 'none') return reply.code(416).header('content-range', `bytes */${file.size}`).send();
  if (part !== undefined) {
    reply.code(206).header('content-range', `bytes ${part.from}-${part.to}/${file.size}`);
    const length = part.to - part.from + 1;
    const kept = pictures.peek(`${app.projectId} ${sha256}`);
    const bytes =
      kept?.content.subarray(part.from, part.to + 1) ??
      (await readMediaPart(deps.db, app.projectId, sha256, { from: part.from, length }));
    return reply.send(bytes);
  }
  const picture = await pictures.get(`${app.projectId} ${sha256}`, async () => {
    const found = await readMedia(deps.db, app.projectId, sha256);
    if (found === undefined) throw new Refusal('NOT_FOUND');
    return { bytes: found.bytes.length + 300, kind: found.kind, content: found.bytes };
  });
  return reply.send(picture.content);
}

/** To be saved, under the name that the file has in the project. */
function attachment(release: AppRelease | undefined, sha256: string): string {
  const media = Object.values(release?.document.media ?? {}).find((one) => one.sha256 === sha256);
  const name = media?.name.split('/').at(-1)?.toWellFormed() ?? '';
  // What a name may hold in a header is what a URL may, but for three signs more.
  const safe = encodeURIComponent(name).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
  return safe === '' ? 'attachment' : `attachment; filename*=UTF-8''${safe}`;
}
