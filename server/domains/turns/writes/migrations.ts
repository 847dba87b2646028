import { migrateChat } from '../../contacts/contacts.ts';
import type { FlowEvent } from '../../flow/flow.ts';
import { renameChat } from '../../outbox/outbox.ts';
import type { OutcomeRow } from './kinds.ts';

type Migration = { integrationId: number; fromId: number; toId: number };

/** A group became a supergroup: what belongs to it moves to its new id. */
export const migrations: OutcomeRow<Migration> = {
  collect: ({ turn: { bot, event } }) => migrationOf(bot.id, event),
  write: (tx, rows) => Promise.all(rows.flatMap((row) => [migrateChat(tx, row), renameChat(tx, row)])),
  committed: (states) => states.clear(),
};

/** Either of its two service messages says so. */
function migrationOf(integrationId: number, event: FlowEvent): Migration | undefined {
  if (!('chat' in event) || !event.chat) return undefined;
  if (event.migratedTo !== 0) return { integrationId, fromId: event.chat.id, toId: event.migratedTo };
  if (event.migratedFrom !== 0) return { integrationId, fromId: event.migratedFrom, toId: event.chat.id };
  return undefined;
}
