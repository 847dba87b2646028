import type { UserFromGetMe } from '@grammyjs/types';
import type { Poller } from '../delivery/poller.ts';
import type { UpdateQueue } from '../delivery/update-queue.ts';
import type { WebhookSender } from '../delivery/webhook-sender.ts';
import type { Conversation } from './conversation.ts';

/** A webhook as setWebhook left it. */
export type Webhook = {
  url: string;
  secret: string;
  maxConnections: number;
  ipAddress: string | undefined;
  /** PEM of a self-signed certificate. */
  certificate: string | undefined;
};

/** A bot of the simulated Telegram. Ten thousand sleeping ones must stay small: what only some need is made late. */
export class Bot {
  readonly id: number;
  token: string;
  readonly user: UserFromGetMe;
  readonly queue: UpdateQueue;
  /** Chats with single people, by the person's id. */
  readonly privates = new Map<number, Conversation>();
  /** Kinds of updates wanted; null is Telegram's default set. */
  allowedUpdates: ReadonlySet<string> | null = null;
  webhook: Webhook | undefined;
  lastErrorAt = 0;
  lastError = '';
  setWebhookAt = Number.NEGATIVE_INFINITY;
  /** When this server began to serve it, in monotonic milliseconds; undefined after `close`, until the next call. */
  servedSince: number | undefined;
  /** Until when this server refuses it after `logOut`. */
  loggedOutUntil = Number.NEGATIVE_INFINITY;
  sender: WebhookSender | undefined;
  poller: Poller | undefined;
  /** Times of the last accepted messages, a ring; see api/limiter.ts. */
  sentAt: Float64Array | undefined;
  sentNext = 0;
  /** What set* methods stored and get* methods give back, by name. */
  readonly profile = new Map<string, unknown>();

  constructor(token: string, user: UserFromGetMe, queue: UpdateQueue) {
    this.id = user.id;
    this.token = token;
    this.user = user;
    this.queue = queue;
  }
}
