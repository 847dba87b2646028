import { isUpdateKind, laneOf } from '../delivery/update-kinds.ts';
import type { PendingUpdate } from '../delivery/update-queue.ts';
import type { World } from '../world/world.ts';
import { findBot } from './place.ts';

/** An update made by hand. */
export type Injection = {
  bot: number;
  /** The body as it goes to the webhook: text, or bytes that need not even be UTF-8. */
  body: string | Buffer;
  /** What the queue calls it; read from the body where that is JSON, else the next number. */
  update_id?: number;
  kind?: string;
  /** Updates of one lane come in order; read from the body where it can be. */
  chat?: number;
  lane?: string;
  /** Lifetime. */
  seconds?: number;
};

type Sketch = { update_id?: unknown; [kind: string]: unknown };

function sketch(body: string | Buffer): Sketch {
  try {
    const value: unknown = JSON.parse(body.toString());
    return typeof value === 'object' && value !== null ? (value as Sketch) : {};
  } catch {
    return {};
  }
}

/** The chat or user that an update's payload names. */
function subjectOf(payload: unknown): { chat: number | undefined; user: number | undefined } {
  const parts = (payload ?? {}) as {
    chat?: { id?: unknown };
    from?: { id?: unknown };
    message?: { chat?: { id?: unknown } };
  };
  const chat = parts.chat?.id ?? parts.message?.chat?.id;
  const user = parts.from?.id;
  return { chat: typeof chat === 'number' ? chat : undefined, user: typeof user === 'number' ? user : undefined };
}

/** Queues bytes for a bot; the same number may be sent again and again. */
export function inject(world: World, injection: Injection): PendingUpdate | undefined {
  const bot = findBot(world, injection.bot);
  const read = sketch(injection.body);
  const kind = injection.kind ?? Object.keys(read).find((name) => name !== 'update_id') ?? 'raw';
  const { chat, user } = subjectOf(read[kind]);
  const chatId = injection.chat ?? chat ?? 0;
  const said = injection.update_id ?? (typeof read.update_id === 'number' ? read.update_id : undefined);
  const byUser = /query$|^chosen|^chat_member$|^chat_join/.test(kind);
  const subject = byUser ? (user ?? chatId) : chatId;
  return bot.queue.inject({
    body: injection.body,
    updateId: said ?? bot.queue.nextUpdateId++,
    kind,
    chatId,
    lane: injection.lane ?? (isUpdateKind(kind) ? laneOf(kind, subject) : `raw:${subject}`),
    seconds: injection.seconds ?? 86_400,
  });
}
