import type { Simulator } from '../../simulator/simulator.ts';
import type { Chance } from './chance.ts';
import type { TestBot } from './installation.ts';
import { pause } from './waiting.ts';

/** A chat of a bot in which somebody writes, and what was written there so far, oldest first. */
export type Chat = {
  readonly bot: TestBot;
  readonly user: number;
  /** The id Telegram gives it: the person's in a private chat, negative in a group. */
  readonly id: number;
  readonly said: string[];
};

export type Crowd = {
  readonly chats: Chat[];
  /** Writes the next text of a chat. What it begins with decides what the flow does. */
  say(chat: Chat, kind?: 'm' | 'two' | 'menu' | 'later'): string;
  /** Everybody writes `count` texts at once. */
  sayAll(count?: number): void;
  /** Writes at random, about so many texts a second in all, until told to stop. */
  keepTalking(chance: Chance, perSecond: number, signal: AbortSignal): Promise<void>;
  total(): number;
};

/** People who write to these bots: so many private chats a bot, and groups where wanted. */
export function createCrowd(
  simulator: Simulator,
  bots: readonly TestBot[],
  options: { chatsABot: number; groupsABot?: number },
): Crowd {
  const chats = bots.flatMap((bot) => [
    ...times(options.chatsABot, () => privateChat(simulator, bot)),
    ...times(options.groupsABot ?? 0, () => groupChat(simulator, bot)),
  ]);

  function say(chat: Chat, kind: 'm' | 'two' | 'menu' | 'later' = 'm'): string {
    const text = `${kind} ${chat.said.length + 1}`;
    chat.said.push(text);
    const where = chat.id < 0 ? { chat: chat.id } : { bot: chat.bot.id };
    simulator.people.text({ user: chat.user, ...where, text });
    return text;
  }

  return {
    chats,
    say,
    sayAll: (count = 1) => {
      for (let round = 0; round < count; round += 1) for (const chat of chats) say(chat);
    },
    async keepTalking(chance, perSecond, signal) {
      const privates = chats.filter((chat) => chat.id > 0);
      while (!signal.aborted) {
        say(chance.one(privates), chance.next() < 0.15 ? 'two' : 'm');
        await pause((2_000 / perSecond) * chance.next());
      }
    },
    total: () => chats.reduce((sum, chat) => sum + chat.said.length, 0),
  };
}

function privateChat(simulator: Simulator, bot: TestBot): Chat {
  const user = simulator.people.create().id;
  return { bot, user, id: user, said: [] };
}

function groupChat(simulator: Simulator, bot: TestBot): Chat {
  const user = simulator.people.create().id;
  const group = simulator.people.createGroup({ title: 'Group', type: 'supergroup', members: [user], bots: [bot.id] });
  return { bot, user, id: group.id, said: [] };
}

function times<Value>(count: number, make: () => Value): Value[] {
  return Array.from({ length: count }, make);
}
