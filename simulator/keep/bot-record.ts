import type { UserFromGetMe } from '@grammyjs/types';
import type { SimulatorCore } from '../core.ts';
import type { Bot, Webhook } from '../world/bot.ts';

/** An update that waits; bytes that are no text are kept as base64. */
type PendingRecord = {
  updateId: number;
  kind: string;
  chatId: number;
  lane: string;
  text?: string;
  base64?: string;
  seconds: number;
};

/** A bot as it is kept on the disk. */
export type BotRecord = {
  token: string;
  user: UserFromGetMe;
  nextUpdateId: number;
  allowedUpdates: string[] | null;
  webhook: Webhook | null;
  profile: [string, unknown][];
  pending: PendingRecord[];
};

/** All of a bot but what waits for it. */
export function recordSettings(bot: Bot): Omit<BotRecord, 'pending'> {
  return {
    token: bot.token,
    user: bot.user,
    nextUpdateId: bot.queue.nextUpdateId,
    allowedUpdates: bot.allowedUpdates ? [...bot.allowedUpdates] : null,
    webhook: bot.webhook ?? null,
    profile: [...bot.profile],
  };
}

export function recordBot(bot: Bot, nowMono: number, speed: number): BotRecord {
  return {
    ...recordSettings(bot),
    pending: [...bot.queue.pending.values()].map(({ updateId, kind, chatId, lane, body, expiresAt }) => ({
      updateId,
      kind,
      chatId,
      lane,
      ...(typeof body === 'string' ? { text: body } : { base64: body.toString('base64') }),
      seconds: Math.max(0, ((expiresAt - nowMono) / 1000) * speed),
    })),
  };
}

/** Puts a bot back, with `skip` update numbers left out, and delivers again what waits. */
export function restoreBot(core: SimulatorCore, record: BotRecord, skip: number): void {
  const { token, user } = record;
  const bot = core.createBot({ token, id: user.id });
  Object.assign(bot.user, user);
  bot.queue.nextUpdateId = record.nextUpdateId + skip;
  bot.allowedUpdates = record.allowedUpdates ? new Set(record.allowedUpdates) : null;
  for (const [name, value] of record.profile) bot.profile.set(name, value);
  for (const { text, base64, ...update } of record.pending) {
    bot.queue.inject({ ...update, body: text ?? Buffer.from(base64 ?? '', 'base64') });
  }
  if (!record.webhook) return;
  bot.webhook = { ...record.webhook, ipAddress: record.webhook.ipAddress, certificate: record.webhook.certificate };
  core.openSender(bot, bot.webhook);
}
