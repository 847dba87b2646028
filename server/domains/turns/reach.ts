import type { FlowEvent } from '../flow/flow.ts';

const chatsMax = 50_000;

/**
 * Which chats cannot be written to (they have blocked the bot, or put it out), as far as this process knows: from their
 * contacts, and from what Telegram answers. One that cannot is not called again until it writes.
 */
export class Reach {
  /** The reason, or '' where nothing is known against it. */
  readonly #chats = new Map<string, string>();

  /** Undefined: nobody has looked. */
  reasonOf(integrationId: number, chatId: number): string | undefined {
    return this.#chats.get(`${integrationId} ${chatId}`);
  }

  learn(integrationId: number, chatId: number, reason: string): void {
    const name = `${integrationId} ${chatId}`;
    this.#chats.delete(name);
    this.#chats.set(name, reason);
    // A Map keeps insertion order: the first is the oldest. It is looked up anew.
    if (this.#chats.size > chatsMax) for (const oldest of this.#chats.keys()) return void this.#chats.delete(oldest);
  }

  forgetAll(): void {
    this.#chats.clear();
  }
}

/** Kinds of updates that only come from a chat that the bot can write to. */
const speaking = new Set(['message', 'channel_post', 'callback_query']);

/** The chat that has just spoken, whose bot can write to it; undefined for any other event. */
export function speakingChat(event: FlowEvent): number | undefined {
  if (!('updateKind' in event) || !event.chat || !speaking.has(event.updateKind)) return undefined;
  // Word that the bot itself has left may come after it.
  return event.kind === 'leftMember' ? undefined : event.chat.id;
}
