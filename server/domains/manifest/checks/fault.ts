// Faults of the pages; their paths begin at the document.
import type { Fault } from '../../../../contract/flow.ts';

/** A fault that stops publishing. `path` is below `app`. */
export function stop(code: string, path: string, message: string, fix?: string): Fault {
  return { code, path: below(path), message, severity: 'stops', ...(fix === undefined ? {} : { fix }) };
}

/** A fault that publishing survives. `path` is below `app`. */
export function warn(code: string, path: string, message: string, fix?: string): Fault {
  return { code, path: below(path), message, severity: 'warns', ...(fix === undefined ? {} : { fix }) };
}

const below = (path: string): string => (path === '' ? 'app' : `app.${path}`);

/** `"a", "b"`, or a word where there is nothing to name. */
export function named(names: readonly string[], none = 'none'): string {
  const shown = names.slice(0, 12).map((name) => `"${name}"`);
  return shown.length === 0 ? none : `${shown.join(', ')}${names.length > shown.length ? ' …' : ''}`;
}

/** The own entry of a map, never something inherited. */
export function own<Value>(map: { readonly [key: string]: Value } | undefined, key: string): Value | undefined {
  return map !== undefined && Object.hasOwn(map, key) ? map[key] : undefined;
}
