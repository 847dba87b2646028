import { shortName } from '../../../../kernel/names.ts';
import { deleteTimers, insertTimers, type NewTimer } from '../sql.ts';
import type { RowEffect } from './kinds.ts';

/** A timer: the event that its lane gets when the time has come. */
export const timers: RowEffect<'timer', NewTimer> = {
  collect: ({ bot, conversation }, effect) => ({
    integrationId: bot.id,
    bucket: bot.bucket,
    lane: conversation.chatId,
    key: shortName(effect.id),
    delayMs: effect.delayMs,
    body: JSON.stringify({ roost: { kind: 'timer', report: { id: effect.id, conversation } } }),
  }),
  write: insertTimers,
};

/** A timer that nobody waits for any more. */
export const cancelledTimers: RowEffect<'cancelTimer', { integrationId: number; key: string }> = {
  collect: ({ bot }, effect) => ({ integrationId: bot.id, key: shortName(effect.id) }),
  write: deleteTimers,
};
