// What visitors send: who they are, forms, files, and which times are free.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { appEventSchema } from '../../../contract/app/event.ts';
import { APP_LIMITS } from '../../../contract/app/limits.ts';
import { idSchema } from '../../../contract/ids.ts';
import { Refusal } from '../../../kernel/errors.ts';
import { chooseLocale } from '../manifest/manifest.ts';
import type { AppEntry } from './apps.ts';
import type { MiniappsDeps } from './deps.ts';
import { languageOfSender } from './serving/language.ts';
import { ownAddress } from './serving/places.ts';
import type { Taken } from './submission-counts.ts';
import { freeSlots, slotDaysMax } from './submissions/booking.ts';
import { submit } from './submissions/submit.ts';
import { selectUpload } from './uploads/sql.ts';
import { fileTooLarge, keepUpload } from './uploads/uploads.ts';
import { freshCookie, readCookie } from './visitors/cookie.ts';
import { createRateLimit, type RateLimit } from './visitors/limits.ts';
import { type Visitor, visitorOf } from './visitors/visitor.ts';
import { ownLanguages, words } from './words.ts';

type AppParams = { app: string };

/**
 * A person fills in no form in this time after coming. Who does waits for what is missing, and nobody is refused: a
 * robot that makes itself a new visitor for each form is as slow as people are.
 */
const formMsMin = 2_000;

/** Of one visitor in a minute, and of one address: an office has one for many. Each form asks for the visitor first. */
const limits = {
  visitor: { events: 12, files: 24 },
  address: { events: 120, files: 120, visitors: 240, slots: 600 },
} as const;
type Sent = keyof typeof limits.visitor;
type Asked = keyof typeof limits.address;

export function visitorRoutes(app: FastifyInstance, deps: MiniappsDeps): void {
  const guard = guardOf(deps);
  app.post<{ Params: AppParams }>('/v1/apps/:app/visitors', { bodyLimit: 1_024 }, async (request, reply) => {
    guard.address(reply, 'visitors', await languageOf(deps, appOf(deps, request), request));
    return greet(deps, request, reply);
  });
  app.post<{ Params: AppParams }>(
    '/v1/apps/:app/events',
    { bodyLimit: APP_LIMITS.eventBytes },
    async (request, reply) => {
      const answer = await deps.submissions.counted(() => takeEvent(deps, guard, request, reply));
      return reply.header('cache-control', 'no-store').send(answer);
    },
  );
  app.get<{ Params: AppParams }>('/v1/apps/:app/slots', async (request, reply) => {
    const entry = appOf(deps, request);
    guard.address(reply, 'slots', await languageOf(deps, entry, request));
    const release = await deps.content.releaseOf(entry);
    if (release === undefined) throw new Refusal('NOT_FOUND');
    const query = slotQuery.parse(request.query);
    const slots = await freeSlots(deps.db, release, query, deps.kit.now());
    return reply.header('cache-control', 'no-store').send({ ok: true, slots });
  });
  app.get<{ Params: { file: string }; Querystring: { until?: string; seal?: string } }>(
    '/v1/files/:file',
    (request, reply) => giveFile(deps, request, reply),
  );
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: APP_LIMITS.fileBytes }, (_request, body, done) =>
      done(null, body),
    );
    scope.setErrorHandler((error, request) =>
      refuseLarge(deps, error, request as FastifyRequest<{ Params: AppParams }>),
    );
    scope.post<{ Params: AppParams }>('/v1/apps/:app/files', { bodyLimit: APP_LIMITS.fileBytes }, (request, reply) =>
      takeFile(deps, guard, request, reply),
    );
  });
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

function appOf({ apps }: MiniappsDeps, request: FastifyRequest): AppEntry {
  const app = apps.byPublicId((request.params as AppParams).app);
  if (app === undefined) throw new Refusal('NOT_FOUND');
  return app;
}

const isHttps = (request: FastifyRequest): boolean => request.protocol === 'https';

/** A cookie for whoever has none; whoever has one keeps it. */
function greet(deps: MiniappsDeps, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  refuseForeign(request);
  const nowMs = deps.kit.now();
  const known = readCookie(deps.visitorKey, request.headers.cookie, nowMs, isHttps(request));
  if (known === undefined) reply.header('set-cookie', freshCookie(deps.visitorKey, nowMs, isHttps(request)));
  return reply.header('cache-control', 'no-store').send({ ok: true });
}

/** Another site's page could send a form in the name of whoever looks at it. */
function refuseForeign({ headers, protocol, host }: FastifyRequest): void {
  const site = headers['sec-fetch-site'];
  const isForeign = site !== undefined ? site === 'cross-site' : isOther(headers.origin, protocol, host);
  if (isForeign) throw new Refusal('UNKNOWN_VISITOR');
}

const isOther = (origin: string | undefined, protocol: string, host: string): boolean =>
  origin !== undefined && origin !== `${protocol}://${host}`;

type Accepted = Awaited<ReturnType<typeof submit>>;

async function takeEvent(
  deps: MiniappsDeps,
  guard: Guard,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Taken<Accepted>> {
  const { app, visitor, locale } = await admitted(deps, guard, reply, 'events');
  const event = appEventSchema.parse(request.body);
  const says = words(event.locale);
  // A robot is thanked and goes on its way.
  if (event.trap !== undefined && event.trap !== '')
    return { outcome: 'robot', answer: { ok: true, duplicate: false, number: 1, done: '' } };
  const release = await deps.content.releaseOf(app);
  if (release === undefined) throw new Refusal('APP_OUTDATED', says.outdated);
  const chosen = chooseLocale(release.document, { asked: event.locale, accepted: locale });
  const where = visitor.kind === 'telegram' ? 'a' : app.site?.domain == null ? 's' : 'd';
  const { view } = await deps.content.view(app, where, release, chosen);
  const answer = await submit(
    {
      kit: deps.kit,
      db: deps.db,
      eventsStored: deps.eventsStored,
      rowsChanged: deps.rowsChanged,
      fileAddress: (id) => `${ownAddress(app, deps.publicUrl)}${deps.fileSeals.address(id, deps.kit.now())}`,
    },
    { app, release, view, visitor, event },
  );
  return { outcome: answer.duplicate ? 'duplicate' : 'accepted', answer };
}

async function takeFile(
  deps: MiniappsDeps,
  guard: Guard,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { app, visitor, locale } = await admitted(deps, guard, reply, 'files');
  const query = fileQuery.parse(request.query);
  const release = await deps.content.releaseOf(app);
  if (release === undefined) throw new Refusal('APP_OUTDATED', words(locale).outdated);
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

type Admitted = { readonly app: AppEntry; readonly visitor: Visitor; readonly locale: string };

async function admitted(deps: MiniappsDeps, guard: Guard, reply: FastifyReply, what: Sent): Promise<Admitted> {
  const { request } = reply;
  const app = appOf(deps, request);
  if (!deps.accepts()) throw new Refusal('DATABASE_UNAVAILABLE');
  const locale = await languageOf(deps, app, request);
  const { authorization, cookie } = request.headers;
  // Inside Telegram a page may come from nowhere, and what it carries cannot be known by another site.
  if (authorization === undefined) refuseForeign(request);
  const presented = { authorization, cookie, isHttps: isHttps(request), locale };
  const visitor = await visitorOf(deps, app, presented).catch((error) => {
    guard.address(reply, what, locale);
    throw error;
  });
  // Thousands of phones may share one address of their network; those that Telegram vouches for are counted one by one.
  if (visitor.kind === 'web') guard.address(reply, what, locale);
  guard.visitor(reply, visitor, what, locale);
  const missingMs = formMsMin - (deps.kit.now() - (visitor.sinceMs ?? 0));
  if (what === 'events' && missingMs > 0) await deps.pause(missingMs);
  return { app, visitor, locale };
}

/** What refusals speak: the language of the page that something is sent from, else the best of those that the app has. */
async function languageOf(deps: MiniappsDeps, app: AppEntry, request: FastifyRequest): Promise<string> {
  const asked = languageOfSender(request.body, request.headers);
  const accepted = request.headers['accept-language'];
  const release = await deps.content.releaseOf(app);
  return chooseLocale(release?.document ?? ownLanguages, { asked, accepted });
}

type Guard = {
  address(reply: FastifyReply, what: Asked, locale: string): void;
  visitor(reply: FastifyReply, visitor: Visitor, what: Sent, locale: string): void;
};

/** Throws Refusal TOO_MANY_REQUESTS, and says when to come again. */
function guardOf({ kit }: MiniappsDeps): Guard {
  const minute = (max: number): RateLimit => createRateLimit(max, 60);
  const { visitor, address } = limits;
  const byVisitor = { events: minute(visitor.events), files: minute(visitor.files) };
  const byAddress = {
    events: minute(address.events),
    files: minute(address.files),
    visitors: minute(address.visitors),
    slots: minute(address.slots),
  };
  const refuse = (reply: FastifyReply, seconds: number, locale: string): void => {
    if (seconds <= 0) return;
    reply.header('retry-after', String(seconds));
    throw new Refusal('TOO_MANY_REQUESTS', words(locale).tooMany, { retryAfterSeconds: seconds });
  };
  return {
    address: (reply, what, locale) => refuse(reply, byAddress[what].take(reply.request.ip, kit.now()), locale),
    visitor: (reply, { id }, what, locale) => refuse(reply, byVisitor[what].take(id, kit.now()), locale),
  };
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
  const found = isSealed ? await selectUpload(deps.db, file) : undefined;
  if (found === undefined) throw new Refusal('NOT_FOUND');
  return reply
    .header('content-type', 'application/octet-stream')
    .header('content-disposition', `attachment; filename*=UTF-8''${encodeURIComponent(found.name)}`)
    .header('content-security-policy', "default-src 'none'; sandbox")
    .header('cache-control', 'private, no-store')
    .header('referrer-policy', 'no-referrer')
    .send(found.bytes);
}
