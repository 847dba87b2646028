// Expressions of makers: CEL, with a budget of steps and with patterns on RE2.
// The library's own `matches` is the JavaScript RegExp, which a pattern of 29 characters stalls for seconds, and it has
// no budget; so every node of a parsed expression gets a counting `evaluate`. That reaches into its parsed tree: the
// version is pinned and expressions.test.ts fails when the tree changes its shape.

import { Environment } from '@marcbachmann/cel-js';
import { FLOW_LIMITS } from '../../../contract/limits.ts';
import type { Value, Variable, VariableType } from '../../../contract/variables.ts';
import { registerFunctions } from './expression-functions.ts';
import { type CelNode, meterTree, rootsOf, unifyNumbers } from './expression-tree.ts';
import type { Meter } from './meter.ts';
import { cleanText } from './values.ts';

/** What an expression can see, by name. */
export type Scope = { readonly [name: string]: unknown };

export type Program = {
  /** Names it reads: variables, and `contact`, `chat`, `event`, `today`, `now`, `known`. */
  readonly roots: readonly string[];
  /** Members of known values it reads, as `contact.name`. */
  readonly members: readonly string[];
  /** The CEL type that the checker found. */
  readonly type: string;
  /** Throws on failure: callers turn that into an error exit. */
  readonly run: (scope: Scope, meter: Meter) => Value;
};

const CEL_TYPES: { readonly [Type in VariableType]: string } = {
  text: 'string',
  number: 'double',
  bool: 'bool',
  date: 'string',
  time: 'string',
  phone: 'string',
  email: 'string',
  link: 'string',
  choice: 'string',
  list: 'list',
  object: 'map',
  file: 'map',
  location: 'map',
};

const baseEnvironment = registerFunctions(
  new Environment({
    homogeneousAggregateLiterals: false,
    limits: { maxAstNodes: FLOW_LIMITS.expressionNodes, maxDepth: FLOW_LIMITS.expressionDepth },
  }),
)
  .registerVariable('contact', 'map')
  .registerVariable('chat', 'map')
  .registerVariable('event', 'map')
  .registerVariable('today', 'string')
  .registerVariable('now', 'google.protobuf.Timestamp')
  .registerVariable('known', 'list');

/** The names and types that expressions of one document may use. Secrets are not among them. */
export function expressionEnvironment(variables: { readonly [name: string]: Variable }): Environment {
  const environment = baseEnvironment.clone();
  for (const [name, variable] of Object.entries(variables)) {
    if (variable.scope !== 'secret' && !environment.hasVariable(name))
      environment.registerVariable(name, CEL_TYPES[variable.type]);
  }
  return environment;
}

/** Compiles an expression once; running it costs a few microseconds. */
export function compileExpression(environment: Environment, source: string): Program | { readonly error: string } {
  try {
    const parsed = environment.parse(source);
    const tree = parsed.ast as unknown as CelNode;
    unifyNumbers(tree);
    const checked = parsed.check();
    if (!checked.valid) return { error: summaryOf(checked.error) };
    const current: { meter: Meter | null } = { meter: null };
    meterTree(tree, current);
    const { roots, members } = rootsOf(tree);
    const run = (scope: Scope, meter: Meter): Value => {
      meter.begin();
      current.meter = meter;
      return toValue(parsed(scope), { left: FLOW_LIMITS.expressionSteps, chars: FLOW_LIMITS.expressionValueChars });
    };
    return { roots, members, type: checked.type ?? 'dyn', run };
  } catch (error) {
    return { error: summaryOf(error) };
  }
}

function summaryOf(error: unknown): string {
  if (error instanceof Error)
    return 'summary' in error && typeof error.summary === 'string' ? error.summary : error.message;
  return String(error);
}

/** Brings a CEL value to JSON. A shared list can be small in memory and endless when written out, hence the room. */
function toValue(value: unknown, room: { left: number; chars: number }): Value {
  room.left -= 1;
  if (room.left < 0 || room.chars < 0) throw new Error('the value is too large');
  switch (typeof value) {
    case 'string':
      room.chars -= value.length;
      if (room.chars < 0) throw new Error('the value is too large');
      return cleanText(value);
    case 'boolean':
      return value;
    case 'bigint':
      return Number(value);
    case 'number':
      if (!Number.isFinite(value)) throw new Error('the result is not a number');
      return value;
    default:
      return toStructure(value, room);
  }
}

function toStructure(value: unknown, room: { left: number; chars: number }): Value {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return value.map((item) => toValue(item, room));
  if (value instanceof Date) return value.toISOString();
  const entries: Iterable<[unknown, unknown]> | null =
    value instanceof Map
      ? value.entries()
      : Object.getPrototypeOf(value) === Object.prototype
        ? Object.entries(value)
        : null;
  if (entries === null) {
    if ('seconds' in (value as object)) return Number((value as { seconds: bigint }).seconds);
    throw new Error('the result cannot be remembered');
  }
  const result: Record<string, Value> = {};
  for (const [key, item] of entries) {
    const name = cleanText(String(key));
    room.chars -= name.length;
    if (name !== '__proto__') result[name] = toValue(item, room);
  }
  return result;
}
