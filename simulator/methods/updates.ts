import type { Call, Method } from '../api/call.ts';
import { badRequest, conflict, tooManyRequests } from '../api/refusal.ts';
import type { PollEnd } from '../delivery/poller.ts';
import { Poller } from '../delivery/poller.ts';
import { NOT_ALLOWED } from '../delivery/transport.ts';
import { isUpdateKind } from '../delivery/update-kinds.ts';
import type { PendingUpdate } from '../delivery/update-queue.ts';
import type { Bot, Webhook } from '../world/bot.ts';

const POLL_SECONDS_MAX = 50;

/** A result that is JSON already: the updates of a poll, joined without being read again. */
export class ReadyJson {
  readonly json: string;

  constructor(json: string) {
    this.json = json;
  }
}

/** Unknown names are ignored; an absent list keeps what was said before, an empty one is the default set. */
function readAllowed(call: Call): void {
  const list = call.list('allowed_updates');
  if (list === undefined) return;
  const names = list.filter((name): name is string => typeof name === 'string' && isUpdateKind(name));
  call.bot.allowedUpdates = names.length > 0 ? new Set(names) : null;
}

/** Raw bytes that are not JSON cannot stand in an answer to a poll; only webhooks see those. */
function pollResult(updates: readonly PendingUpdate[]): ReadyJson {
  const bodies: string[] = [];
  for (const update of updates) {
    const body = update.body.toString();
    try {
      JSON.parse(body);
      bodies.push(body);
    } catch {
      // Left out.
    }
  }
  return new ReadyJson(`[${bodies.join(',')}]`);
}

function pollOutcome(outcome: PendingUpdate[] | PollEnd): ReadyJson {
  if (outcome === 'replaced')
    throw conflict('terminated by other getUpdates request; make sure that only one bot instance is running');
  if (outcome === 'webhook') throw conflict('terminated by setWebhook request');
  return pollResult(typeof outcome === 'string' ? [] : outcome);
}

export const getUpdates: Method = (call) => {
  const { bot } = call;
  if (bot.webhook)
    throw conflict(
      "can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first",
    );
  bot.poller?.end('replaced');
  bot.poller = undefined;
  readAllowed(call);
  const limit = Math.min(Math.max(call.number('limit') ?? 100, 1), 100);
  const seconds = Math.min(Math.max(call.number('timeout') ?? 0, 0), POLL_SECONDS_MAX);
  const updates = bot.queue.take(call.number('offset') ?? 0, limit);
  if (updates.length > 0 || seconds === 0) return pollResult(updates);
  return new Promise<PendingUpdate[] | PollEnd>((resolve) => {
    const settle = (outcome: PendingUpdate[] | PollEnd): void => {
      bot.poller = undefined;
      resolve(outcome);
    };
    bot.poller = new Poller(seconds * 1000, () => bot.queue.take(0, limit), settle);
  }).then(pollOutcome);
};

function readUrl(call: Call, raw: string): string {
  const text = /^[a-z]+:\/\//i.test(raw) ? raw : `https://${raw}`;
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw badRequest('bad webhook: invalid URL specified');
  }
  if (!call.world.outward.mayPost(url)) throw badRequest(`bad webhook: ${NOT_ALLOWED}`);
  const loopback = /^(127\.|localhost$|\[::1\]$)/.test(url.hostname);
  const httpAllowed = loopback || !call.world.settings.strict;
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && httpAllowed))
    throw badRequest('bad webhook: An HTTPS URL must be provided for webhook');
  const port = url.port === '' ? 443 : Number(url.port);
  if (call.world.settings.strict && !loopback && ![443, 80, 88, 8443].includes(port)) {
    throw badRequest('bad webhook: Webhook can be set up only on ports 80, 88, 443 or 8443');
  }
  return url.href;
}

function readWebhook(call: Call, url: string): Webhook {
  const secret = call.text('secret_token') ?? '';
  if (secret.length > 256) throw badRequest('secret token is too long');
  if (!/^[A-Za-z0-9_-]*$/.test(secret)) throw badRequest('secret token contains unallowed characters');
  return {
    url: readUrl(call, url),
    secret,
    maxConnections: Math.min(Math.max(call.number('max_connections') ?? 40, 1), 100),
    ipAddress: call.text('ip_address'),
    certificate: call.uploads?.get('certificate')?.bytes.toString('utf8'),
  };
}

function sameWebhook(one: Webhook | undefined, other: Webhook): boolean {
  return one !== undefined && JSON.stringify(one) === JSON.stringify(other);
}

function closeWebhook(bot: Bot): void {
  bot.sender?.stop();
  bot.sender = undefined;
  bot.webhook = undefined;
}

/** How long a bot stays where it is: closing soon after its start and coming back after logOut both take ten minutes. */
const MOVE_MS = 600_000;

/** The bot moves to another server: deliveries and polls end here, until it is called here again. */
export const close: Method = (call) => {
  const { bot, world } = call;
  const leftMs = (bot.servedSince ?? 0) + MOVE_MS / world.settings.speed - world.clock.mono();
  if (leftMs > 0) throw tooManyRequests(Math.ceil(leftMs / 1000), 'close');
  bot.sender?.stop();
  bot.sender = undefined;
  bot.poller?.end('closed');
  bot.servedSince = undefined;
  return true;
};

/** The bot leaves the cloud: its webhook and what waits for it are gone, and it is refused for ten minutes. */
export const logOut: Method = (call) => {
  const { bot, world } = call;
  bot.poller?.end('closed');
  closeWebhook(bot);
  bot.queue.clear();
  bot.loggedOutUntil = world.clock.mono() + MOVE_MS / world.settings.speed;
  return true;
};

function checkPace(call: Call): void {
  const now = call.world.clock.mono();
  if (
    call.world.settings.limits.on &&
    call.world.settings.limits.setWebhookPerSecond &&
    now - call.bot.setWebhookAt < 1_000
  ) {
    throw tooManyRequests(1, 'setWebhook');
  }
  call.bot.setWebhookAt = now;
}

/** setWebhook; `open` starts the sender. The old webhook is closed before the new address is looked at, as Telegram does. */
export function setWebhookWith(open: (bot: Bot, webhook: Webhook) => void): Method {
  return (call) => {
    const { bot } = call;
    const url = call.text('url') ?? '';
    if (url === '') return dropWebhook(call, 'Webhook was deleted', 'Webhook is already deleted');
    checkPace(call);
    const same = call.flag('drop_pending_updates') ? undefined : readWebhookSafely(call, url);
    if (same && sameWebhook(bot.webhook, same) && call.list('allowed_updates') === undefined)
      return new Described(true, 'Webhook is already set');
    bot.poller?.end('webhook');
    closeWebhook(bot);
    const webhook = readWebhook(call, url);
    readAllowed(call);
    if (call.flag('drop_pending_updates')) bot.queue.clear();
    bot.webhook = webhook;
    bot.lastError = '';
    bot.lastErrorAt = 0;
    open(bot, webhook);
    return new Described(true, 'Webhook was set');
  };
}

/** A wrong secret is refused before anything is closed; a wrong address only after. */
function readWebhookSafely(call: Call, url: string): Webhook | undefined {
  const secret = call.text('secret_token') ?? '';
  if (secret.length > 256) throw badRequest('secret token is too long');
  if (!/^[A-Za-z0-9_-]*$/.test(secret)) throw badRequest('secret token contains unallowed characters');
  try {
    return readWebhook(call, url);
  } catch {
    return undefined;
  }
}

/** A result with Telegram's sentence beside it. */
export class Described {
  readonly result: unknown;
  readonly description: string;

  constructor(result: unknown, description: string) {
    this.result = result;
    this.description = description;
  }
}

function dropWebhook(call: Call, done: string, already: string): Described {
  const { bot } = call;
  const had = bot.webhook !== undefined;
  closeWebhook(bot);
  if (call.flag('drop_pending_updates')) bot.queue.clear();
  bot.lastError = '';
  bot.lastErrorAt = 0;
  return new Described(true, had ? done : already);
}

export const deleteWebhook: Method = (call) => dropWebhook(call, 'Webhook was deleted', 'Webhook is already deleted');

export const getWebhookInfo: Method = ({ bot }) => ({
  url: bot.webhook?.url ?? '',
  has_custom_certificate: bot.webhook?.certificate !== undefined,
  pending_update_count: bot.queue.pending.size,
  ...(bot.webhook
    ? { max_connections: bot.webhook.maxConnections, ip_address: bot.webhook.ipAddress ?? '127.0.0.1' }
    : {}),
  ...(bot.lastErrorAt ? { last_error_date: bot.lastErrorAt, last_error_message: bot.lastError } : {}),
  ...(bot.allowedUpdates ? { allowed_updates: [...bot.allowedUpdates] } : {}),
});

export const getMe: Method = ({ bot }) => bot.user;
