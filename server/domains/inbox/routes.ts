import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '../../../kernel/errors.ts';
import { createTally, networkOf } from '../../../kernel/tally.ts';
import type { Incoming } from './intake.ts';
import { readUpdate, updateBytesMax } from './reading.ts';

/** A bot as the route knows it: by its public id, in memory. */
export type Addressee = { id: number; bucket: number };

export type WebhookOptions = {
  /** The bot whose secret was presented, or undefined: unknown and wrong look alike and take the same time. */
  admit(publicId: string, presentedSecret: string | undefined): Addressee | undefined;
  store(incoming: Incoming): Promise<'stored' | 'duplicate'>;
  /** False while draining or not yet known to all owners: deliveries are asked to come again. */
  accepts(): boolean;
  counted(result: 'stored' | 'duplicate' | 'refused' | 'broken' | 'unavailable'): void;
  random(): number;
  /** Refused requests of one address in a minute, beyond which it is told to stay away for a while. */
  refusedPerMinuteMax: number;
  /** Calls back after so many milliseconds. */
  after(ms: number, then: () => void): void;
};

type Params = { integrationPublicId: string };

const addressee = Symbol('addressee');

/**
 * POST /v1/telegram/webhooks/:integrationPublicId. The secret is compared before the body is read and without
 * the database. 200 only after the commit; 503 with Retry-After (2 to 10 s, spread, Telegram obeys it exactly)
 * while nothing can be stored. Content is never a reason to refuse, only size is (413): what is no JSON is kept as bytes.
 */
export function webhookRoutes(app: FastifyInstance, options: WebhookOptions): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: updateBytesMax }, (_request, body, done) =>
    done(null, body),
  );
  const refused = refusedCounter();

  app.post<{ Params: Params }>('/v1/telegram/webhooks/:integrationPublicId', {
    bodyLimit: updateBytesMax,
    onRequest: (request, reply, done) => {
      const header = request.headers['x-telegram-bot-api-secret-token'];
      const bot = options.admit(
        (request.params as Params).integrationPublicId,
        typeof header === 'string' ? header : undefined,
      );
      if (!bot) {
        options.counted('refused');
        const count = refused.count(request.ip);
        const tooMany = count > options.refusedPerMinuteMax;
        if (tooMany) reply.header('retry-after', '60');
        const refuse = (): void => done(new Refusal(tooMany ? 'TOO_MANY_REQUESTS' : 'UNAUTHORIZED'));
        if (count <= refusedAtOncePerMinute) return refuse();
        return options.after(refusedPauseMs, refuse);
      }
      (request as Admitted)[addressee] = bot;
      done();
    },
    handler: (request, reply) => accept(request as Admitted, reply, options),
  });
}

type Admitted = FastifyRequest & { [addressee]: Addressee };

const stored = '{"ok":true,"duplicate":false}';
const duplicate = '{"ok":true,"duplicate":true}';

async function accept(request: Admitted, reply: FastifyReply, options: WebhookOptions): Promise<FastifyReply> {
  if (!options.accepts()) throw later(reply, options);
  const incoming = readUpdate(request[addressee], Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0));
  try {
    const result = await options.store(incoming);
    options.counted(incoming.unreadable ? 'broken' : result);
    return reply
      .header('content-type', 'application/json; charset=utf-8')
      .send(result === 'stored' ? stored : duplicate);
  } catch (error) {
    throw error instanceof Refusal && error.code === 'DATABASE_UNAVAILABLE' ? later(reply, options) : error;
  }
}

/** Spread over some seconds, so that a thousand bots do not come back at one moment. */
function later(reply: FastifyReply, options: WebhookOptions): Refusal {
  options.counted('unavailable');
  reply.header('retry-after', String(2 + Math.floor(options.random() * 9)));
  return new Refusal('DATABASE_UNAVAILABLE');
}

const addressesMax = 10_000;

/**
 * Repeat offenders wait before each answer, so that a storm of guesses over 100 connections becomes 400 a second.
 * Measured: without the wait such a storm made valid updates three times as slow.
 */
const refusedAtOncePerMinute = 30;
const refusedPauseMs = 250;

/**
 * Counts refused requests by address and minute. Admitted ones are never counted: Telegram comes from few
 * addresses. The count only changes the answer of what is refused anyway.
 */
function refusedCounter(): { count(address: string): number } {
  let minute = 0;
  let counts = createTally(addressesMax);
  return {
    count(address) {
      const now = Math.floor(Date.now() / 60_000);
      if (now !== minute) counts = createTally(addressesMax);
      minute = now;
      const network = networkOf(address);
      counts.add(network);
      return counts.count(network);
    },
  };
}
