// Patterns that makers write. They run on RE2, whose time grows with the text and never explodes with the pattern.

import { RE2JS } from 're2js';
import { FLOW_LIMITS } from '../../../contract/limits.ts';
import { evenPattern, evenText } from '../readers/readers.ts';
import type { Meter } from './meter.ts';

export type Pattern = {
  /** Somewhere in the text. */
  readonly finds: (text: string, meter: Meter) => boolean;
  /** The whole text. */
  readonly fits: (text: string, meter: Meter) => boolean;
  /** The first group of the first match, else the match itself; null without a match. */
  readonly takes: (text: string, meter: Meter) => string | null;
};

/** Units of text times states of the pattern that cost as much as a step of an expression (some 5 ns each at worst). */
const WORK_PER_STEP = 250;

/** Compiles a pattern, or says why it cannot be. */
export function compilePattern(source: string, ignoreCase: boolean): Pattern | { readonly error: string } {
  if (source.length > FLOW_LIMITS.patternChars) return { error: `longer than ${FLOW_LIMITS.patternChars} characters` };
  try {
    const compiled = RE2JS.compile(evenPattern(source), ignoreCase ? RE2JS.CASE_INSENSITIVE : 0);
    if (compiled.programSize() > FLOW_LIMITS.patternProgramSize) return { error: 'it has too many repetitions' };
    return metered(compiled);
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}

function metered(compiled: RE2JS): Pattern {
  const size = compiled.programSize();
  const prepare = (text: string, meter: Meter): string => {
    const part = text.length > FLOW_LIMITS.patternTextChars ? text.slice(0, FLOW_LIMITS.patternTextChars) : text;
    const looked = evenText(part);
    meter.spend(Math.ceil((size * looked.length) / WORK_PER_STEP));
    return looked;
  };
  return {
    finds: (text, meter) => compiled.test(prepare(text, meter)),
    fits: (text, meter) => text.length <= FLOW_LIMITS.patternTextChars && compiled.testExact(prepare(text, meter)),
    takes: (text, meter) => takeFirst(compiled, prepare(text, meter)),
  };
}

function takeFirst(compiled: RE2JS, text: string): string | null {
  const matcher = compiled.matcher(text);
  if (!matcher.find()) return null;
  const group = matcher.groupCount() > 0 ? matcher.group(1) : null;
  return group ?? matcher.group() ?? null;
}
