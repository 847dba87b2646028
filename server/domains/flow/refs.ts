// Names of messages, for later edits.

import { FLOW_LIMITS } from '../../../contract/limits.ts';
import type { Ref } from './step-types.ts';
import { jsonBytes } from './values.ts';

export type Refs = { readonly [name: string]: Ref };

/** Adds or moves a name. When there are too many the oldest ones go; they are told, so that the trace can tell. */
export function withRef(
  refs: Refs,
  name: string,
  ref: Ref,
): { readonly refs: Refs; readonly forgotten: readonly string[] } {
  const { [name]: _before, ...others } = refs;
  let kept: Refs = { ...others, [name]: ref };
  const forgotten: string[] = [];
  while (jsonBytes(kept, FLOW_LIMITS.conversationRefsBytes) > FLOW_LIMITS.conversationRefsBytes) {
    const [[oldest] = [''], ...younger] = Object.entries(kept);
    if (younger.length === 0) break;
    forgotten.push(oldest);
    kept = Object.fromEntries(younger);
  }
  return { refs: kept, forgotten };
}
