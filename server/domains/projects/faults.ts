// How a document's mistakes become one refusal.
import type { Fault } from '../../../contract/flow.ts';
import { Refusal } from '../../../kernel/errors.ts';

/** A refusal that names every fault with its path. Programs read `facts.faults`, people the sentence. */
export function documentRefusal(faults: readonly Fault[], lead = 'The document'): Refusal {
  const count = faults.length === 1 ? 'a mistake' : `${faults.length} mistakes`;
  return new Refusal('DOCUMENT_WRONG', `${lead} has ${count}.`, { faults });
}

/** A fault of a file that a document names. */
export function mediaFaultAt(id: string, message: string, fix?: string): Fault {
  return { code: 'MEDIA', path: `media.${id}`, message, severity: 'stops', ...(fix === undefined ? {} : { fix }) };
}
