import { createHash } from 'node:crypto';
import type { User } from '@grammyjs/types';
import type { SimulatorCore } from '../core.ts';
import type { Conversation } from '../world/conversation.ts';
import type { StoredFile } from '../world/files.ts';
import type { Charge } from '../world/payments.ts';
import { type BotRecord, recordBot, recordSettings, restoreBot } from './bot-record.ts';
import { type ChatRecord, recordChat, recordState, restoreChat } from './chat-record.ts';

/** After a stop that saved nothing more, this many numbers of messages and updates are passed over. */
const SKIP_AFTER_CRASH = 1_000;

/** Everything that is worth keeping, but the bytes of files. */
export type Snapshot = {
  version: 1;
  /** Written at the end of a clean stop: no number has been given out since. */
  clean: boolean;
  next: Record<string, number>;
  users: User[];
  bots: BotRecord[];
  chats: ChatRecord[];
  charges: Charge[];
  files: Omit<StoredFile, 'bytes'>[];
  /** Absent in folders of earlier versions. */
  appKey?: string;
  appStorage?: [string, [string, string][]][];
};

export function takeSnapshot(core: SimulatorCore, clean: boolean): Snapshot {
  const { world, settings } = core;
  const bots = [...world.bots.values()];
  return {
    version: 1,
    clean,
    next: { ...world.next },
    users: [...world.users.values()],
    bots: bots.map((bot) => recordBot(bot, world.clock.mono(), settings.speed)),
    chats: chatsOf(core).map(recordChat),
    charges: [...world.payments.charges.values()],
    files: [...world.files.all()].map(({ bytes: _, ...file }) => file),
    appKey: world.appKey.record(),
    appStorage: world.appStorage.record(),
  };
}

function chatsOf({ world }: SimulatorCore): Conversation[] {
  return [...world.groups.values(), ...[...world.bots.values()].flatMap((bot) => [...bot.privates.values()])];
}

/**
 * Changes whenever a snapshot would, and costs less. Messages, people and charges are told of in the feed; a webhook or a
 * description is told to nobody, so what bots and chats have set is looked at itself.
 */
export function markOf(core: SimulatorCore): string {
  const { world } = core;
  const hash = createHash('sha256');
  for (const bot of world.bots.values()) hash.update(JSON.stringify([recordSettings(bot), bot.queue.pending.size]));
  for (const chat of chatsOf(core)) hash.update(JSON.stringify(recordState(chat)));
  const { size: charges } = world.payments.charges;
  return `${world.feed.mark} ${world.appStorage.changes} ${charges} ${hash.digest('base64')}`;
}

/** Puts a snapshot back into a simulator in which nothing is yet. `bytesOf` reads a file's bytes. */
export async function restoreSnapshot(
  core: SimulatorCore,
  snapshot: Snapshot,
  bytesOf: (uniqueId: string) => Promise<Buffer | undefined>,
): Promise<void> {
  const { world } = core;
  const skip = snapshot.clean ? 0 : SKIP_AFTER_CRASH;
  Object.assign(world.next, snapshot.next);
  if (snapshot.appKey) world.appKey.restore(snapshot.appKey);
  world.appStorage.restore(snapshot.appStorage ?? []);
  for (const user of snapshot.users) world.users.set(user.id, user);
  for (const file of snapshot.files) {
    const bytes = await bytesOf(file.uniqueId);
    if (bytes) world.files.restore({ ...file, bytes });
  }
  for (const bot of snapshot.bots) restoreBot(core, bot, skip);
  for (const chat of snapshot.chats) restoreChat(world, chat, skip);
  for (const charge of snapshot.charges) world.payments.charges.set(charge.id, charge);
}
