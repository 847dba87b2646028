import { randomBytes } from 'node:crypto';
import fastify, { type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { ZodError } from 'zod';
import { diskFullRefusal } from './disk-full.ts';
import { boundedFacts, pathPiece, quoted } from './echo.ts';
import { isDatabaseFault, Refusal, type RefusalCode } from './errors.ts';
import type { Kit } from './kit.ts';
import { errorText, redact } from './redact.ts';

export type HttpOptions = {
  /** For every route that does not set its own. */
  bodyBytesMax?: number;
  /** Proxies whose X-Forwarded-For is believed; none by default, since anybody can send that header. */
  trustedProxies?: string[];
  /** Answers an address that cannot be read, as `/%`, whoever has pages below it. Without one it is nobody's. */
  unreadable?: (request: FastifyRequest, reply: FastifyReply) => FastifyReply | Promise<FastifyReply>;
};

/** Requests that are on their way when the server closes have so long to end. */
const closingMsMax = 5_000;

/** What a caller is answered when something could not be done. `error.code` is for programs, `message` for people. */
export type ErrorAnswer = {
  ok: false;
  error: { code: string; message: string; requestId: string; facts?: Readonly<Record<string, unknown>> };
};

/**
 * An HTTP server that speaks of errors in one way: a Refusal is answered with its status, code and sentence; a
 * wrong request with the path of every mistake; a database that is away with 503 and a moment to come back;
 * everything else is a bug, logged whole and answered with a number that finds it in the log, and nothing more.
 */
export function createHttp(kit: Kit, options: HttpOptions = {}): FastifyInstance {
  const app: FastifyInstance = fastify({
    bodyLimit: options.bodyBytesMax ?? 1024 * 1024,
    // Telegram and proxies keep connections for a minute: closing later than they do spares them a lost request.
    keepAliveTimeout: 75_000,
    // The whole of a request must arrive in this time, so that slow senders cannot hold every connection.
    requestTimeout: 30_000,
    forceCloseConnections: 'idle',
    trustProxy: options.trustedProxies ?? false,
    genReqId: requestIds(),
    // Our own logger, and only for what goes wrong: a line a webhook would cost more than the webhook.
    logger: false,
    routerOptions: { maxParamLength: 256 },
    frameworkErrors: (_error, request, reply) => void unreadable(kit, options, request, reply),
  });
  // What nobody takes is not read.
  app.addHook('onRequest', (request, _reply, done) => done(request.is404 ? new Refusal('NOT_FOUND') : undefined));
  // Nobody looks any more whether a request takes too long: what was begun before could be held open without end.
  app.addHook('preClose', (done) => {
    setTimeout(() => app.server.closeAllConnections(), closingMsMax).unref();
    done();
  });
  app.addHook('onSend', (request, reply, payload, done) => {
    withHeaders(reply, request);
    done(null, payload);
  });
  app.setNotFoundHandler((request, reply) => answer(reply, request, new Refusal('NOT_FOUND')));
  app.setErrorHandler((error, request, reply) => onError(kit, error, request, reply));
  return app;
}

/** An address that cannot be read: Fastify's own answer repeats it. Hooks do not run for these. */
async function unreadable(kit: Kit, options: HttpOptions, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  withHeaders(reply, request);
  try {
    if (options.unreadable === undefined) throw new Refusal('NOT_FOUND');
    await options.unreadable(request, reply);
  } catch (error) {
    onError(kit, error, request, reply);
  }
}

function withHeaders(reply: FastifyReply, request: FastifyRequest): FastifyReply {
  return reply.header('x-request-id', request.id).header('x-content-type-options', 'nosniff');
}

/** Ids that differ between processes and cost an addition: every webhook gets one. */
function requestIds(): () => string {
  const process = randomBytes(6).toString('base64url');
  let count = 0;
  return () => `${process}-${((count += 1)).toString(36)}`;
}

/**
 * The host that a request was sent to. X-Forwarded-Host is never asked: proxies pass what a client says in it, and pages
 * of one host would be kept by them as those of another. A proxy of ours passes Host on as it came.
 */
export function askedHost({ headers }: FastifyRequest): string {
  return (headers.host ?? '').toLowerCase();
}

/** Starts to listen; a taken port or a forbidden one is refused in words. Answers the address. */
export async function listen(app: FastifyInstance, at: { host: string; port: number }): Promise<string> {
  try {
    return await app.listen({ host: at.host, port: at.port });
  } catch (error) {
    throw listenRefusal(error, at.host, at.port);
  }
}

/** Why nobody can listen there, in words; an error that is something else comes back as it is. */
export function listenRefusal(error: unknown, host: string, port: number, chosenBy = 'PORT'): unknown {
  switch ((error as NodeJS.ErrnoException).code) {
    case 'EADDRINUSE':
      return new Refusal(
        'PORT_TAKEN',
        `Port ${port} on ${host} is taken by another program. Choose another with ${chosenBy}, or stop that program.`,
      );
    case 'EACCES':
      return new Refusal(
        'PORT_TAKEN',
        `This user may not listen on port ${port}. Choose one above 1023 with ${chosenBy}.`,
      );
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new Refusal('CONFIG_WRONG', `${host} is not an address of this machine.`);
    default:
      return error;
  }
}

function onError(kit: Kit, error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const refusal = refusalOf(error);
  if (refusal !== undefined) return answer(reply, request, refusal);
  if (isDatabaseFault(error)) {
    kit.log.warn(
      { request: request.id, route: request.routeOptions.url, reason: errorText(error) },
      'http.database_unavailable',
    );
    // Spread over a few seconds, so that those who were turned away do not come back at one moment.
    reply.header('retry-after', String(1 + Math.floor(kit.random() * 5)));
    return answer(reply, request, new Refusal('DATABASE_UNAVAILABLE'));
  }
  kit.log.error(
    { request: request.id, method: request.method, route: request.routeOptions.url, err: error },
    'http.bug',
  );
  return answer(reply, request, new Refusal('BUG'));
}

/** The refusal an error means, or undefined when it is a bug or a fault. */
function refusalOf(error: unknown): Refusal | undefined {
  if (error instanceof Refusal) return error;
  const full = diskFullRefusal(error);
  // A full disk of the database passes, and who asked may come again.
  if (full !== undefined && !isDatabaseFault(error)) return full;
  if (error instanceof ZodError) return new Refusal('INPUT_WRONG', undefined, { faults: faultsOf(error) });
  const status = (error as Partial<FastifyError> | null)?.statusCode;
  if (typeof status !== 'number' || status < 400 || status >= 500) return undefined;
  return new Refusal(codes[(error as FastifyError).code] ?? codeByStatus[status] ?? 'BODY_BROKEN');
}

/** What Fastify itself refuses, in our words: its own messages can repeat what was sent. */
const codes: Readonly<Record<string, RefusalCode>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'BODY_TOO_LARGE',
};
const codeByStatus: Readonly<Record<number, RefusalCode>> = {
  401: 'UNAUTHORIZED',
  404: 'NOT_FOUND',
  413: 'BODY_TOO_LARGE',
  429: 'TOO_MANY_REQUESTS',
};

/** Each mistake with its place, as `props.text`. Values are never repeated, and of names only a piece. */
export function faultsOf(error: ZodError): { path: string; message: string }[] {
  return error.issues.slice(0, 100).map((issue) => ({ path: pathPiece(issue.path), message: messageOf(issue) }));
}

function messageOf(issue: ZodError['issues'][number]): string {
  if (issue.code !== 'unrecognized_keys') return issue.message;
  const names = issue.keys.slice(0, namesMax).map((key) => quoted(key));
  const more = issue.keys.length > namesMax ? ` and ${issue.keys.length - namesMax} more` : '';
  return `Nothing here is called ${names.join(', ')}${more}`;
}

const namesMax = 5;
/** Our own sentences are shorter; whatever they repeat of a request is cut here at the latest. */
const messageCharsMax = 2_000;
const factCharsMax = 500;

function answer(reply: FastifyReply, request: FastifyRequest, refusal: Refusal): FastifyReply {
  const { code, status, message, facts: given } = refusal;
  const facts = Object.keys(given).length > 0 ? { facts: boundedFacts(given, factCharsMax) as typeof given } : {};
  return send(reply, status, { code, message: message.slice(0, messageCharsMax), requestId: request.id, ...facts });
}

function send(reply: FastifyReply, status: number, error: ErrorAnswer['error']): FastifyReply {
  const body: ErrorAnswer = { ok: false, error };
  // A serializer of the route must not shape an error, so the text is made here.
  return reply
    .code(status)
    .header('content-type', 'application/json; charset=utf-8')
    .send(redact(JSON.stringify(body)));
}
