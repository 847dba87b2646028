// Refusals whose way out leads away from the page. Their message holds for every page; what the page says instead where it
// could keep what was written comes along.
import type { KeptWords } from '../../../contract/app/view.ts';
import { Refusal } from '../../../kernel/errors.ts';
import type { Unknown } from './visitors/visitor.ts';
import { words } from './words.ts';

const kept = (said: string): { fields: { [Name in KeptWords]: string } } => ({ fields: { $kept: said } });

/** APP_OUTDATED, with what else a program may want to know. */
export function outdated(locale: string, facts: Readonly<Record<string, unknown>> = {}): Refusal {
  const says = words(locale);
  return new Refusal('APP_OUTDATED', says.outdated, { ...facts, ...kept(says.outdatedKept) });
}

/** UNKNOWN_VISITOR. A visitor of the web stays on the page and sends again. */
export function unknownVisitor(locale: string, { unknown }: Unknown): Refusal {
  const says = words(locale);
  const facts = unknown === 'unknownVisitor' ? {} : kept(says[`${unknown}Kept`]);
  return new Refusal('UNKNOWN_VISITOR', says[unknown], facts);
}
