// Faults of the checks.

import type { Fault } from '../../../../contract/flow.ts';

/** A fault that stops publishing. */
export function stop(code: string, path: string, message: string, fix?: string): Fault {
  return { code, path, message, severity: 'stops', ...(fix === undefined ? {} : { fix }) };
}

/** A fault that publishing survives. */
export function warn(code: string, path: string, message: string, fix?: string): Fault {
  return { code, path, message, severity: 'warns', ...(fix === undefined ? {} : { fix }) };
}
