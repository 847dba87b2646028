import type { Bot } from '../world/bot.ts';
import type { Conversation } from '../world/conversation.ts';
import type { World } from '../world/world.ts';
import type { Upload } from './body.ts';
import type { Params } from './check.ts';
import { spend } from './limiter.ts';
import type { MethodSpec } from './method-table.ts';
import { badRequest } from './refusal.ts';

/** One call while it runs. */
export class Call {
  readonly world: World;
  readonly bot: Bot;
  readonly spec: MethodSpec;
  readonly params: Params;
  readonly uploads: ReadonlyMap<string, Upload> | undefined;
  /** The last message it sent, also as the answer will say it: written once. */
  accepted: { message: unknown; json: string } | undefined;
  /** The last message it made or touched, for the log. */
  messageId: number | undefined;

  constructor(world: World, bot: Bot, spec: MethodSpec, params: Params, uploads?: ReadonlyMap<string, Upload>) {
    this.world = world;
    this.bot = bot;
    this.spec = spec;
    this.params = params;
    this.uploads = uploads;
  }

  /** Counts messages against the limits; throws 429. */
  spend(chat: Conversation, count = 1, album = false): void {
    spend(this.bot, chat, { messages: count, album }, this.world.clock, this.world.settings.limits);
  }

  text(name: string): string | undefined {
    const value = this.params[name];
    return typeof value === 'string' ? value : undefined;
  }

  number(name: string): number | undefined {
    const value = this.params[name];
    return typeof value === 'number' ? value : undefined;
  }

  flag(name: string): boolean {
    return this.params[name] === true;
  }

  object(name: string): Record<string, unknown> | undefined {
    const value = this.params[name];
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  }

  list(name: string): unknown[] | undefined {
    const value = this.params[name];
    return Array.isArray(value) ? value : undefined;
  }

  /** A number that the call cannot do without. */
  need(name: string, complaint: string): number {
    const value = this.number(name);
    if (value === undefined) throw badRequest(complaint);
    return value;
  }
}

/** A method's work: hands back the result, or throws an ApiRefusal. A promise where it must wait. */
export type Method = (call: Call) => unknown;
