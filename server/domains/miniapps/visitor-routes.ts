// What visitors send: who they are, forms, files, and which times are free.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { appEventSchema } from '../../../contract/app/event.ts';
import { APP_LIMITS } from '../../../contract/app/limits.ts';
import { idSchema } from '../../../contract/ids.ts';
import { Refusal } from '../../../kernel/errors.ts';
import { chooseLocale } from '../manifest/manifest.ts';
import {
  type Admission,
  type Admitted,
  type AppParams,
  comesFromElsewhere,
  createAdmission,
  isHttps,
  languageOf,
} from './admission.ts';
import type { MiniappsDeps } from './deps.ts';
import { outdated } from './kept.ts';
import { ownAddress } from './serving/places.ts';
import type { Taken } from './submission-counts.ts';
import { freeSlots, slotDaysMax } from './submissions/booking.ts';
import { chooseLanguage } from './submissions/language.ts';
import { submit } from './submissions/submit.ts';
import { selectUpload } from './uploads/sql.ts';
import { fileTooLarge, keepUpload } from './uploads/uploads.ts';
import { freshCookie, readCookie } from './visitors/cookie.ts';

/**
 * A person fills in no form in this time after coming. One that does waits for the rest of it, and nobody is refused: a
 * robot that makes itself a new visitor for each form is as slow as people are.
 */
const formMsMin = 2_000;

const greetingBytes = 1_024;

/** Who it is, whether they may and how much may come is decided by the head of each request (admission.ts). */
export function visitorRoutes(app: FastifyInstance, deps: MiniappsDeps): void {
  const admission = createAdmission(deps);
  const [anybody, known] = [admission.asked('visitors', greetingBytes), admission.head('visitors', greetingBytes)];
  app.post(
    '/v1/apps/:app/visitors',
    {
      bodyLimit: greetingBytes,
      onRequest: (request, reply) => (isSigned(request) ? known : anybody)(request, reply),
    },
    async (request, reply) => {
      if (isSigned(request)) return listen(deps, await admission.admitted(request), reply);
      await admission.app(request);
      return greet(deps, request, reply);
    },
  );
  const eventHead = admission.head('events', APP_LIMITS.eventBytes);
  app.post(
    '/v1/apps/:app/events',
    {
      bodyLimit: APP_LIMITS.eventBytes,
      onRequest: (request, reply) =>
        eventHead(request, reply).catch((error) => deps.submissions.counted(() => Promise.reject(error))),
    },
    async (request, reply) => {
      const answer = await deps.submissions.counted(() => takeEvent(deps, admission, request));
      return reply.header('cache-control', 'no-store').send(answer);
    },
  );
  app.get('/v1/apps/:app/slots', { onRequest: admission.asked('slots') }, async (request, reply) => {
    const entry = await admission.app(request);
    const release = await deps.content.releaseOf(entry);
    if (release === undefined) throw new Refusal('NOT_FOUND');
    const query = slotQuery.parse(request.query);
    const slots = await freeSlots(deps.reads, release, query, deps.kit.now());
    return reply.header('cache-control', 'no-store').send({ ok: true, slots });
  });
  app.get<{ Params: { file: string }; Querystring: { until?: string; seal?: string } }>(
    '/v1/files/:file',
    (request, reply) => giveFile(deps, request, reply),
  );
  void app.register(async (scope) => fileRoute(scope, deps, admission));
}

function fileRoute(scope: FastifyInstance, deps: MiniappsDeps, admission: Admission): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: APP_LIMITS.fileBytes }, (_request, body, done) =>
    done(null, body),
  );
  scope.setErrorHandler((error, request) => refuseLarge(deps, error, request as FastifyRequest<{ Params: AppParams }>));
  const fileHead = admission.head('files', APP_LIMITS.fileBytes);
  scope.post(
    '/v1/apps/:app/files',
    {
      bodyLimit: APP_LIMITS.fileBytes,
      async onRequest(request, reply) {
        await fileHead(request, reply);
        fileQuery.parse(request.query);
      },
    },
    (request, reply) => takeFile(deps, admission, request, reply),
  );
}

const day = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}$/, 'A day is written as 2026-12-31')
  .refine((text) => !Number.isNaN(Date.parse(text)), 'There is no such day');
const count = (max: number) =>
  z
    .string()
    .regex(/^[1-9]\d{0,14}$/, 'A whole number')
    .transform(Number)
    .pipe(z.int().max(max));

const slotQuery = z.strictObject({
  booking: idSchema,
  each: count(Number.MAX_SAFE_INTEGER).optional(),
  from: day.optional(),
  days: count(slotDaysMax).default(14),
});

/** A cookie for whoever has none; whoever has one keeps it. */
function greet(deps: MiniappsDeps, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (comesFromElsewhere(request)) throw new Refusal('UNKNOWN_VISITOR');
  const nowMs = deps.kit.now();
  const known = readCookie(deps.visitorKey, request.headers.cookie, nowMs, isHttps(request));
  if (known === undefined) reply.header('set-cookie', freshCookie(deps.visitorKey, nowMs, isHttps(request)));
  return reply.header('cache-control', 'no-store').send({ ok: true });
}

/** Whoever proves who they are has chosen a language; a visitor without a proof asks for a cookie. */
const isSigned = ({ headers }: FastifyRequest): boolean => headers.authorization !== undefined;

/** A person of Telegram has chosen the language of this page: the chat goes on in it. */
async function listen(
  deps: MiniappsDeps,
  { app, visitor, locale }: Admitted,
  reply: FastifyReply,
): Promise<FastifyReply> {
  if (app.bot !== undefined && visitor.kind === 'telegram') await chooseLanguage(deps, app.bot, visitor, locale);
  return reply.header('cache-control', 'no-store').send({ ok: true });
}

type Accepted = Awaited<ReturnType<typeof submit>>;

async function takeEvent(deps: MiniappsDeps, admission: Admission, request: FastifyRequest): Promise<Taken<Accepted>> {
  const { app, visitor, locale } = await admission.admitted(request);
  const missingMs = formMsMin - (deps.kit.now() - (visitor.sinceMs ?? 0));
  if (missingMs > 0) await deps.pause(missingMs);
  const event = appEventSchema.parse(request.body);
  // A robot is thanked and goes on its way.
  if (event.trap !== undefined && event.trap !== '')
    return { outcome: 'robot', answer: { ok: true, duplicate: false, number: 1, done: '' } };
  const release = await deps.content.releaseOf(app);
  if (release === undefined) throw outdated(event.locale);
  const chosen = chooseLocale(release.document, { asked: event.locale, accepted: locale });
  const where = visitor.kind === 'telegram' ? 'a' : app.site?.domain == null ? 's' : 'd';
  const { view } = await deps.content.view(app, where, release, chosen);
  const { view: projectView } = await deps.content.view(app, where, release, release.document.defaultLocale);
  const answer = await submit(
    {
      kit: deps.kit,
      db: deps.db,
      eventsStored: deps.eventsStored,
      rowsChanged: deps.rowsChanged,
      fileAddress: (id) => `${ownAddress(app, deps.publicUrl)}${deps.fileSeals.address(id, deps.kit.now())}`,
    },
    { app, release, view, projectView, visitor, event },
  );
  return { outcome: answer.duplicate ? 'duplicate' : 'accepted', answer };
}

async function takeFile(
  deps: MiniappsDeps,
  admission: Admission,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { app, visitor, locale } = await admission.admitted(request);
  const query = fileQuery.parse(request.query);
  const release = await deps.content.releaseOf(app);
  if (release === undefined) throw outdated(locale);
  const bytes = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
  const file = await keepUpload(deps.db, { app, release, visitor, ...query, name: query.name, bytes, locale });
  return reply.header('cache-control', 'no-store').send({ ok: true, file });
}

const fileQuery = z.strictObject({ form: idSchema, field: idSchema, name: z.string().max(400).optional() });

/** What was cut off while it came in is refused under its field, as any other file. Everything else goes on its way. */
async function refuseLarge(deps: MiniappsDeps, error: unknown, request: FastifyRequest): Promise<never> {
  const app = deps.apps.byPublicId((request.params as AppParams).app);
  if ((error as { code?: unknown }).code !== 'FST_ERR_CTP_BODY_TOO_LARGE' || app === undefined) throw error;
  const { data: query } = fileQuery.safeParse(request.query);
  throw fileTooLarge(query?.field, await languageOf(deps, app, request));
}

/** To be saved and never to be opened here: whatever it is, it has no rights of this address. */
async function giveFile(
  deps: MiniappsDeps,
  request: FastifyRequest<{ Params: { file: string }; Querystring: { until?: string; seal?: string } }>,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { file } = request.params;
  const { until, seal } = request.query;
  const isSealed = deps.fileSeals.holds(file, String(until ?? ''), String(seal ?? ''), deps.kit.now());
  const found = isSealed ? await selectUpload(deps.reads, file) : undefined;
  if (found === undefined) throw new Refusal('NOT_FOUND');
  return reply
    .header('content-type', 'application/octet-stream')
    .header('content-disposition', `attachment; filename*=UTF-8''${encodeURIComponent(found.name)}`)
    .header('content-security-policy', "default-src 'none'; sandbox")
    .header('cache-control', 'private, no-store')
    .header('referrer-policy', 'no-referrer')
    .send(found.bytes);
}
