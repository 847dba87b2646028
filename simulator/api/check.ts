import type { MethodSpec, ParamSpec } from './method-table.ts';
import { KIND } from './method-table.ts';

/** Parameters of a call. After `checkParams` they have the types the table names. */
export type Params = Record<string, unknown>;

/** What a check found. Undefined lists mean nothing, so that a good call allocates nothing. */
export type Findings = { unknown?: string[]; bad?: string[]; missing?: string };

const TRUE_WORDS = new Set(['true', 'yes', '1', 'on', 'y', 't']);
const FALSE_WORDS = new Set(['false', 'no', '0', 'off', 'n', 'f', '']);

/** The value as one of the kinds allowed, or undefined where it cannot be read so. */
function coerce(value: unknown, kinds: number): unknown {
  if (typeof value === 'string') return coerceText(value, kinds);
  if (typeof value === 'number')
    return kinds & KIND.number ? value : kinds & (KIND.string | KIND.boolean) ? String(value) : undefined;
  if (typeof value === 'boolean') return kinds & KIND.boolean ? value : undefined;
  if (Array.isArray(value)) return kinds & KIND.array ? value : undefined;
  if (typeof value === 'object') return kinds & (KIND.object | KIND.file) ? value : undefined;
  return undefined;
}

/** Forms carry everything as text; so may JSON. */
function coerceText(text: string, kinds: number): unknown {
  if (kinds & KIND.number && /^-?\d+(\.\d+)?$/.test(text)) return Number(text);
  if (kinds & (KIND.string | KIND.file)) return text;
  if (kinds & KIND.boolean) {
    const word = text.toLowerCase();
    return TRUE_WORDS.has(word) ? true : FALSE_WORDS.has(word) ? false : undefined;
  }
  if (kinds & (KIND.object | KIND.array)) return coerceJson(text, kinds);
  return undefined;
}

function coerceJson(text: string, kinds: number): unknown {
  try {
    const value: unknown = JSON.parse(text);
    if (Array.isArray(value)) return kinds & KIND.array ? value : undefined;
    return typeof value === 'object' && value !== null && kinds & KIND.object ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The common case, a JSON body of the right types, needs no new value. */
function fits(value: unknown, kinds: number): boolean {
  switch (typeof value) {
    case 'string':
      return (kinds & KIND.string) !== 0 && (kinds & KIND.number) === 0;
    case 'number':
      return (kinds & KIND.number) !== 0;
    case 'boolean':
      return (kinds & KIND.boolean) !== 0;
    default:
      return false;
  }
}

/** Looks at one parameter; replaces it by its typed value or takes it away. */
function checkOne(params: Params, name: string, spec: ParamSpec, findings: Findings): void {
  const value = params[name];
  if (fits(value, spec.kinds)) return;
  const typed = value === null ? undefined : coerce(value, spec.kinds);
  if (typed === undefined) {
    delete params[name];
    if (value !== null && value !== undefined && value !== '') (findings.bad ??= []).push(name);
  } else {
    params[name] = typed;
  }
}

/** Compares parameters with the table, turning text into what the table says in place. */
export function checkParams(spec: MethodSpec, params: Params, files: ReadonlySet<string> | undefined): Findings {
  const findings: Findings = {};
  for (const name in params) {
    const param = spec.params.get(name);
    if (param) checkOne(params, name, param, findings);
    // Some libraries name the method once more in the body, as webhook answers must.
    else if (name !== 'method') (findings.unknown ??= []).push(name);
  }
  for (const name of spec.required) {
    if (params[name] === undefined && !files?.has(name)) {
      findings.missing = name;
      break;
    }
  }
  return findings;
}
