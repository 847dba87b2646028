import { type ContactWrite, toContactWrite, writeContacts } from '../../contacts/contacts.ts';
import { lastOf, type OutcomeRow } from './kinds.ts';

/** What is remembered of the person, or of the chat. */
export const contacts: OutcomeRow<ContactWrite> = {
  collect: ({ turn: { need }, after: { contact } }) =>
    contact && toContactWrite(need, contact.profile, contact.state, contact.version),
  write: (tx, rows) => writeContacts(tx, latest(rows)),
  committed: (states, rows) => {
    for (const row of latest(rows)) states.contactStands(row);
  },
};

/** The last form counts, against the version that was read first. */
const latest = (rows: readonly ContactWrite[]): ContactWrite[] =>
  lastOf(rows, ({ integrationId, contactId }) => `${integrationId} ${contactId}`);
