// Work on the parsed tree of a CEL expression: one kind of numbers, what it reads, and a count of every step.

import { FLOW_LIMITS } from '../../../contract/limits.ts';
import type { Meter } from './meter.ts';
import { compilePattern, type Pattern } from './patterns.ts';

type Evaluate = (evaluator: unknown, node: CelNode, context: unknown) => unknown;
type Handle = (...given: unknown[]) => unknown;

/** The parts of the library's tree that we touch. */
export type CelNode = {
  readonly op: string;
  args: unknown;
  evaluate: Evaluate;
  readonly meta: {
    readonly evaluate: Evaluate;
    readonly alternate?: CelNode;
    readonly macro?: { readonly [key: string]: unknown; readonly evaluate: Evaluate };
  };
  readonly left?: CelNode;
  readonly right?: CelNode;
  readonly receiverWithArgs?: readonly CelNode[];
  readonly handle?: Handle;
};

const isNode = (value: unknown): value is CelNode =>
  typeof value === 'object' && value !== null && 'op' in value && 'meta' in value;

/** Nodes right below a node, those of macros and of what macros expand to included. */
function childrenOf(node: CelNode): CelNode[] {
  const found: CelNode[] = [];
  const look = (value: unknown): void => {
    if (isNode(value)) found.push(value);
    else if (Array.isArray(value)) value.forEach(look);
  };
  look(node.args);
  if (node.op === 'comprehension') {
    const { iterable, init, step } = node.args as { iterable: unknown; init: unknown; step: unknown };
    look([iterable, init, step]);
  }
  look(node.meta.alternate);
  if (node.meta.macro) Object.values(node.meta.macro).forEach(look);
  return found;
}

/** All nodes of a tree, each once. */
function nodesOf(root: CelNode): Set<CelNode> {
  const seen = new Set<CelNode>();
  const open = [root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (seen.has(node)) continue;
    seen.add(node);
    open.push(...childrenOf(node));
  }
  return seen;
}

/** Literals that have to stay whole numbers: positions in lists and plain arguments of functions. */
function wholeLiterals(nodes: Set<CelNode>): Set<unknown> {
  const whole = new Set<unknown>();
  for (const node of nodes) {
    if (node.op === '[]') whole.add((node.args as unknown[])[1]);
    if (node.op === 'call' || node.op === 'rcall') {
      const list = (node.args as unknown[]).at(-1);
      for (const argument of list as unknown[]) whole.add(argument);
    }
  }
  return whole;
}

/** Makers know one kind of number: `1` becomes `1.0`, so that `score > 0 ? score : 0` and `10 / 4` mean what they say. */
export function unifyNumbers(root: CelNode): void {
  const nodes = nodesOf(root);
  const whole = wholeLiterals(nodes);
  for (const node of nodes) {
    if (node.op === 'value' && typeof node.args === 'bigint' && !whole.has(node)) node.args = Number(node.args);
  }
}

/** Free names a tree reads, and members of them as `contact.name`. Names of loop variables may be among them. */
export function rootsOf(root: CelNode): { roots: string[]; members: string[] } {
  const roots = new Set<string>();
  const members = new Set<string>();
  for (const node of nodesOf(root)) {
    if (node.op === 'id') roots.add(String(node.args));
    if (node.op === '.') {
      const [from, member] = node.args as [CelNode, string];
      if (from.op === 'id') members.add(`${String(from.args)}.${member}`);
    }
  }
  return { roots: [...roots], members: [...members] };
}

/** Makes every node count a step, and operators and calls count the size of what they are given. */
export function meterTree(root: CelNode, current: { readonly meter: Meter | null }): void {
  const spend = (steps: number): void => current.meter?.spend(steps);
  for (const node of nodesOf(root)) {
    const inner = evaluateOf(node, current);
    node.evaluate = (evaluator, self, context) => {
      spend(1);
      return inner(evaluator, self, context);
    };
  }
}

function evaluateOf(node: CelNode, current: { readonly meter: Meter | null }): Evaluate {
  const { alternate, macro } = node.meta;
  if (alternate) return (evaluator, _self, context) => alternate.evaluate(evaluator, alternate, context);
  if (macro) return (evaluator, _self, context) => macro.evaluate(evaluator, macro as unknown as CelNode, context);
  switch (node.op) {
    case '+':
    case '==':
    case '!=':
    case '<':
    case '<=':
    case '>':
    case '>=':
    case 'in':
      return sizedBinary(node, current);
    case 'call':
      return sizedCall(node, current);
    case 'rcall':
      return sizedMethod(node, current);
    // Read late: the checker may still put a faster one in its place.
    default:
      return (evaluator, self, context) => node.meta.evaluate(evaluator, self, context);
  }
}

const run = (node: CelNode, evaluator: unknown, context: unknown): unknown => node.evaluate(evaluator, node, context);

function sizedBinary(node: CelNode, current: { readonly meter: Meter | null }): Evaluate {
  return (evaluator, _self, context) => {
    const left = run(node.left as CelNode, evaluator, context);
    const right = run(node.right as CelNode, evaluator, context);
    current.meter?.spend(sizeOf(left) + sizeOf(right));
    return withinLimits((node.handle as Handle)(left, right, node, evaluator));
  };
}

function sizedCall(node: CelNode, current: { readonly meter: Meter | null }): Evaluate {
  return (evaluator, _self, context) => {
    const [, list] = node.args as [string, CelNode[]];
    const given = list.map((argument) => run(argument, evaluator, context));
    for (const value of given) current.meter?.spend(sizeOf(value));
    return withinLimits((node.handle as Handle)(given, node, evaluator));
  };
}

function sizedMethod(node: CelNode, current: { readonly meter: Meter | null }): Evaluate {
  const [name, , list] = node.args as [string, CelNode, CelNode[]];
  const match = name === 'matches' ? matcherOf(list[0]) : null;
  return (evaluator, _self, context) => {
    const given = (node.receiverWithArgs as readonly CelNode[]).map((part) => run(part, evaluator, context));
    for (const value of given) current.meter?.spend(sizeOf(value));
    if (match) return match(given[0], given[1], current.meter);
    return withinLimits((node.handle as Handle)(given, evaluator, node));
  };
}

type Matcher = (text: unknown, source: unknown, meter: Meter | null) => boolean;

/** `matches` on RE2: a literal pattern is compiled once, one that is computed costs its compilation every time. */
function matcherOf(argument: CelNode | undefined): Matcher {
  const literal = argument?.op === 'value' && typeof argument.args === 'string' ? patternOf(argument.args) : null;
  return (text, source, meter) => {
    if (typeof text !== 'string' || typeof source !== 'string') throw new Error('matches needs two texts');
    if (meter === null) throw new Error('matches needs a budget');
    if (literal) return literal.finds(text, meter);
    meter.spend(500 + source.length * 10);
    return patternOf(source).finds(text, meter);
  };
}

function patternOf(source: string): Pattern {
  const pattern = compilePattern(source, false);
  if ('error' in pattern) throw new Error(`the pattern is wrong: ${pattern.error}`);
  return pattern;
}

/** Steps that handling a value may cost: 64 characters or one item each. Walks no further than a whole budget. */
function sizeOf(value: unknown, room = { left: FLOW_LIMITS.expressionSteps }): number {
  const before = room.left;
  measure(value, room);
  return before - room.left;
}

function measure(value: unknown, room: { left: number }): void {
  if (room.left <= 0) return;
  if (typeof value === 'string') room.left -= value.length >> 6;
  else if (Array.isArray(value)) {
    for (const item of value) {
      room.left -= 1;
      measure(item, room);
      if (room.left <= 0) return;
    }
  } else if (typeof value === 'object' && value !== null && !(value instanceof Date))
    measure(Object.values(value), room);
}

/** Doubling a text or a list thirty times has to stop at the first step that is too long. */
function withinLimits(value: unknown): unknown {
  if (typeof value === 'string' && value.length > FLOW_LIMITS.expressionValueChars)
    throw new Error('the text is too long');
  if (Array.isArray(value) && value.length > FLOW_LIMITS.listItems) throw new Error('the list is too long');
  return value;
}
