import { writeBotMemories } from '../../contacts/contacts.ts';
import { lastOf, type OutcomeRow } from './kinds.ts';

type MemoryWrite = { integrationId: number; vars: string; version: number };

/** The variables that all conversations of a bot share. */
export const botMemories: OutcomeRow<MemoryWrite> = {
  collect: ({ turn: { bot }, after: { memory } }) =>
    memory && { integrationId: bot.id, vars: JSON.stringify(memory.state.vars), version: memory.version },
  write: (tx, rows) => writeBotMemories(tx, latest(rows)),
  committed: (states, rows) => {
    for (const { integrationId } of latest(rows)) states.memoryStands(integrationId);
  },
};

const latest = (rows: readonly MemoryWrite[]): MemoryWrite[] => lastOf(rows, ({ integrationId }) => integrationId);
