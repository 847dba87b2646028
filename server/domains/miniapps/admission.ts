// Who may send something, decided by the head of a request: nothing of its body is taken into memory before.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '../../../kernel/errors.ts';
import { askedHost } from '../../../kernel/http.ts';
import { networkOf } from '../../../kernel/tally.ts';
import { chooseLocale } from '../manifest/manifest.ts';
import type { AppEntry } from './apps.ts';
import type { MiniappsDeps } from './deps.ts';
import { unknownVisitor } from './kept.ts';
import { languageOfSender } from './serving/language.ts';
import { createRateLimit, createRoom, type RateLimit } from './visitors/limits.ts';
import { type Visitor, visitorOf } from './visitors/visitor.ts';
import { ownLanguages, words } from './words.ts';

export type AppParams = { app: string };

/** Of one visitor in a minute, and of one network: an office has one for many. Each form asks for the visitor first. */
const limits = {
  visitor: { events: 12, files: 24, visitors: 12 },
  address: { events: 120, files: 120, visitors: 240, slots: 600 },
} as const;
type Sent = keyof typeof limits.visitor;
type Asked = keyof typeof limits.address;

/** Bodies that are on their way, of everybody and of one network: by the length that they announce. */
const bodiesBytesMax = 48 * 1024 * 1024;
const networkBodiesBytesMax = 24 * 1024 * 1024;

/** Who is refused is told so in the language of what they send, when that is short enough to be read for it. */
const readForWordsBytes = 4_096;

/** A visitor who may send: what was found by the head of the request. */
export type Admitted = { readonly app: AppEntry; readonly visitor: Visitor; readonly locale: string };

type Decision = { readonly app: AppEntry; readonly visitor?: Visitor; readonly refuse?: Refuse };
type Refuse = (locale: string) => Refusal;

const decision = Symbol('decision');
type Decided = FastifyRequest & { [decision]?: Decision };

export type Admission = {
  /** For `onRequest`: finds who it is, counts them, and keeps room for what comes. */
  head(what: Sent, bytesMax: number): (request: FastifyRequest, reply: FastifyReply) => Promise<void>;
  /** For `onRequest` of what anybody may ask. */
  asked(what: Asked, bytesMax?: number): (request: FastifyRequest, reply: FastifyReply) => Promise<void>;
  /** For the handler: who was let in. Throws Refusal UNKNOWN_VISITOR, TOO_MANY_REQUESTS in the language of the body. */
  admitted(request: FastifyRequest): Promise<Admitted>;
  /** For the handler of what anybody may ask. Throws Refusal TOO_MANY_REQUESTS. */
  app(request: FastifyRequest): Promise<AppEntry>;
};

export function createAdmission(deps: MiniappsDeps): Admission {
  const guard = guardOf(deps);
  const room = createRoom(bodiesBytesMax, networkBodiesBytesMax);

  /** Throws Refusal BUSY where too much is on its way already. */
  function keepRoom(request: FastifyRequest, reply: FastifyReply, bytesMax: number): void {
    const announced = Number(request.headers['content-length'] ?? bytesMax);
    const leave = room.take(networkOf(request.ip), Math.min(Number.isFinite(announced) ? announced : 0, bytesMax));
    if (leave === undefined) {
      reply.header('retry-after', String(2 + Math.floor(deps.kit.random() * 5)));
      throw new Refusal('BUSY');
    }
    for (const end of ['finish', 'close']) reply.raw.once(end, leave);
  }

  /** Whoever is refused and sends much is refused before it comes. */
  async function decide(request: FastifyRequest, made: Decision): Promise<void> {
    (request as Decided)[decision] = made;
    const length = Number(request.headers['content-length'] ?? Number.NaN);
    if (request.method === 'GET' || length <= readForWordsBytes) return;
    if (made.refuse !== undefined) throw made.refuse(await languageOf(deps, made.app, request));
  }

  async function decided(request: FastifyRequest): Promise<Decision & { readonly locale: string }> {
    const made = (request as Decided)[decision];
    if (made === undefined) throw new Error('Nobody has looked at the head of this request.');
    const locale = await languageOf(deps, made.app, request);
    if (made.refuse !== undefined) throw made.refuse(locale);
    return { ...made, locale };
  }

  async function find(app: AppEntry, request: FastifyRequest, reply: FastifyReply, what: Sent): Promise<Decision> {
    const { authorization, cookie } = request.headers;
    // Inside Telegram a page may come from nowhere, and what it carries cannot be known by another site.
    const isForeign = authorization === undefined && comesFromElsewhere(request);
    const visitor = isForeign
      ? ({ unknown: 'unknownVisitor' } as const)
      : await visitorOf(deps, app, { authorization, cookie, isHttps: isHttps(request) });
    if ('unknown' in visitor) {
      const tooMany = guard.address(reply, what);
      if (tooMany === undefined && visitor.fault !== undefined) guard.tell(app, visitor.fault);
      return {
        app,
        refuse: tooMany ?? ((locale) => unknownVisitor(locale, visitor)),
      };
    }
    // Thousands of phones may share one address of their network; those that Telegram vouches for are counted one by one.
    const byAddress = visitor.kind === 'web' ? guard.address(reply, what) : undefined;
    const refuse = byAddress ?? guard.visitor(reply, visitor, what);
    return refuse === undefined ? { app, visitor } : { app, refuse };
  }

  return {
    head: (what, bytesMax) => async (request, reply) => {
      const app = appOf(deps, request);
      if (!deps.accepts()) throw new Refusal('DATABASE_UNAVAILABLE');
      await decide(request, await find(app, request, reply, what));
      keepRoom(request, reply, bytesMax);
    },
    asked: (what, bytesMax) => async (request, reply) => {
      const app = appOf(deps, request);
      const refuse = guard.address(reply, what);
      await decide(request, refuse === undefined ? { app } : { app, refuse });
      if (bytesMax !== undefined) keepRoom(request, reply, bytesMax);
    },
    async admitted(request) {
      const { app, visitor, locale } = await decided(request);
      if (visitor === undefined) throw new Error('Nobody has asked who this is.');
      return { app, visitor, locale };
    },
    app: async (request) => (await decided(request)).app,
  };
}

/** The app that an address names. Throws Refusal NOT_FOUND. */
function appOf({ apps }: MiniappsDeps, request: FastifyRequest): AppEntry {
  const app = apps.byPublicId((request.params as AppParams).app);
  if (app === undefined) throw new Refusal('NOT_FOUND');
  return app;
}

export const isHttps = (request: FastifyRequest): boolean => request.protocol === 'https';

/** Another site's page could send a form in the name of whoever looks at it. */
export function comesFromElsewhere(request: FastifyRequest): boolean {
  const { origin, 'sec-fetch-site': site } = request.headers;
  if (site !== undefined) return site === 'cross-site';
  return origin !== undefined && origin !== `${request.protocol}://${askedHost(request)}`;
}

/** What refusals speak: the language of the page that something is sent from, else the best of those that the app has. */
export async function languageOf(deps: MiniappsDeps, app: AppEntry, request: FastifyRequest): Promise<string> {
  const asked = languageOfSender(request.body, request.headers);
  const accepted = request.headers['accept-language'];
  const release = await deps.content.releaseOf(app);
  return chooseLocale(release?.document ?? ownLanguages, { asked, accepted });
}

type Guard = {
  /** Counts one, and answers with what to refuse it with; undefined where it is allowed. Says when to come again. */
  address(reply: FastifyReply, what: Asked): Refuse | undefined;
  visitor(reply: FastifyReply, visitor: Visitor, what: Sent): Refuse | undefined;
  /** Logs why somebody was not believed: a few times a minute, since anybody can make it happen. */
  tell(app: AppEntry, fault: string): void;
};

const toldPerMinute = 5;

function guardOf({ kit }: MiniappsDeps): Guard {
  const minute = (max: number): RateLimit => createRateLimit(max, 60);
  const { visitor, address } = limits;
  const byVisitor = {
    events: minute(visitor.events),
    files: minute(visitor.files),
    visitors: minute(visitor.visitors),
  };
  const byAddress = {
    events: minute(address.events),
    files: minute(address.files),
    visitors: minute(address.visitors),
    slots: minute(address.slots),
  };
  const told = minute(toldPerMinute);
  const refusal = (reply: FastifyReply, seconds: number): Refuse | undefined => {
    if (seconds <= 0) return undefined;
    reply.header('retry-after', String(seconds));
    return (locale) => new Refusal('TOO_MANY_REQUESTS', words(locale).tooMany, { retryAfterSeconds: seconds });
  };
  return {
    address: (reply, what) => refusal(reply, byAddress[what].take(networkOf(reply.request.ip), kit.now())),
    visitor: (reply, { id }, what) => refusal(reply, byVisitor[what].take(id, kit.now())),
    tell(app, fault) {
      if (told.take(app.publicId, kit.now()) === 0) kit.log.info({ app: app.publicId, fault }, 'app.visitor_refused');
    },
  };
}
