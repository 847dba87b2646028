import { markReachable, markUnreachable } from '../../contacts/contacts.ts';
import type { FlowEvent } from '../../flow/flow.ts';
import { speakingChat } from '../reach.ts';
import type { OutcomeRow } from './kinds.ts';

/** `reason`: why the chat cannot be written to; '' where it can be again. */
type ReachChange = { integrationId: number; chatId: number; reason: string };

/** The bot was blocked, put out of a chat or let in again; or a chat that could not be written to has written. */
export const reach: OutcomeRow<ReachChange> = {
  collect: ({ turn: { bot, event }, closedFor }) => {
    const change = memberChange(event) ?? (closedFor ? reopened(event) : undefined);
    return change && { integrationId: bot.id, ...change };
  },
  write: (tx, rows) =>
    Promise.all(rows.map((row) => (row.reason === '' ? markReachable(tx, row) : markUnreachable(tx, row)))),
  committed: (states, rows) => {
    for (const { integrationId, chatId, reason } of rows) states.reach.learn(integrationId, chatId, reason);
  },
};

type Change = Omit<ReachChange, 'integrationId'>;

function memberChange(event: FlowEvent): Change | undefined {
  if (!('member' in event) || !event.member?.ofBot || !event.chat) return undefined;
  const { after } = event.member;
  const isOut = after === 'kicked' || after === 'left';
  return { chatId: event.chat.id, reason: !isOut ? '' : event.chat.id < 0 ? 'kicked' : 'blocked' };
}

function reopened(event: FlowEvent): Change | undefined {
  const chatId = speakingChat(event);
  return chatId === undefined ? undefined : { chatId, reason: '' };
}
