import { isVisitorLane } from '../../../kernel/names.ts';
import type { ContactWrite } from './sql.ts';

/** The names of a person, as Telegram last gave them. */
export type Profile = {
  readonly id: number;
  readonly firstName: string;
  readonly lastName: string;
  readonly username: string;
  readonly language: string;
};

/** Names as JSON text, in the form in which the engine reads them. The same names always give the same text. */
export function profileText({ id, firstName, lastName, username, language }: Profile): string {
  return JSON.stringify({ id, firstName, lastName, username, language });
}

/** The row of a contact. `profile` is JSON text, or '' where nobody has said a name; `version` is the one that was read. */
export function toContactWrite(
  { integrationId, contactId }: { integrationId: number; contactId: number },
  profile: string,
  { vars, tags, locale }: { vars: object; tags: readonly string[]; locale: string | null },
  version: number,
): ContactWrite {
  return {
    integrationId,
    contactId,
    kind: kindOf(contactId),
    profile: profile === '' ? null : profile,
    vars: JSON.stringify(vars),
    tags,
    locale,
    version,
  };
}

function kindOf(contactId: number): 'visitor' | 'chat' | 'user' {
  if (isVisitorLane(contactId)) return 'visitor';
  return contactId < 0 ? 'chat' : 'user';
}
