// Conditions as makers build them. Texts are compared without regard to case and spelling: `expr` is there for exactness.

import type { Condition, Operator } from '../../../contract/conditions.ts';
import type { Value } from '../../../contract/variables.ts';
import { foldWords } from '../readers/readers.ts';
import type { CompiledCondition, Making } from './runner.ts';
import type { Turn } from './turn.ts';
import { asNumber, asText, isEmptyValue, sameValue } from './values.ts';

/** Prepares a condition. Running it throws when a part cannot be worked out; the block then fails. */
export function compileCondition(condition: Condition, making: Making): CompiledCondition {
  if ('all' in condition) {
    const parts = condition.all.map((part) => compileCondition(part, making));
    return (turn) => parts.every((part) => part(turn));
  }
  if ('any' in condition) {
    const parts = condition.any.map((part) => compileCondition(part, making));
    return (turn) => parts.some((part) => part(turn));
  }
  if ('not' in condition) {
    const part = compileCondition(condition.not, making);
    return (turn) => !part(turn);
  }
  if ('expr' in condition) return compileTruth(condition.expr, making);
  return compileComparison(condition, making);
}

function compileTruth(expression: string, making: Making): CompiledCondition {
  const program = making.program(expression);
  return (turn) => {
    if (program === null) throw new Error('the expression is wrong');
    const value = turn.evaluate(program);
    if (typeof value !== 'boolean') throw new Error('the expression is neither true nor false');
    return value;
  };
}

type Comparison = Extract<Condition, { op: Operator }>;

function compileComparison({ var: path, op, value }: Comparison, making: Making): CompiledCondition {
  const right = rightSide(value);
  if (op === 'hasTag' || op === 'hasNoTag') {
    return (turn) => turn.hasTag(asText(right(turn))) === (op === 'hasTag');
  }
  const left = path ?? '';
  if (op === 'isSet') return (turn) => !isEmptyValue(turn.read(left));
  if (op === 'isEmpty') return (turn) => isEmptyValue(turn.read(left));
  if (op === 'matches' || op === 'notMatches') {
    const pattern = typeof value === 'string' ? making.pattern(value, true) : null;
    return (turn) => {
      if (pattern === null) throw new Error('the pattern is wrong');
      turn.meter.begin();
      return pattern.finds(asText(turn.read(left)), turn.meter) === (op === 'matches');
    };
  }
  return (turn) => compare(turn.readFull(left), op, right(turn));
}

function rightSide(value: Comparison['value']): (turn: Turn) => Value | undefined {
  if (typeof value === 'object' && !Array.isArray(value)) {
    const entries = Object.keys(value);
    const path = (value as { readonly [key: string]: Value })['var'];
    if (entries.length === 1 && typeof path === 'string') return (turn) => turn.readFull(path);
  }
  return () => value as Value | undefined;
}

const folded = (value: Value | undefined): string => foldWords(asText(value));

/** The operators that look at two values. */
export function compare(left: Value | undefined, op: Operator, right: Value | undefined): boolean {
  switch (op) {
    case 'equals':
      return isSame(left, right);
    case 'notEquals':
      return !isSame(left, right);
    case 'contains':
      return holds(left, right);
    case 'notContains':
      return !holds(left, right);
    case 'startsWith':
      return folded(left).startsWith(folded(right));
    case 'endsWith':
      return folded(left).endsWith(folded(right));
    case 'oneOf':
      return Array.isArray(right) && right.some((item: Value) => isSame(left, item));
    case 'greater':
      return order(left, right) > 0;
    case 'greaterOrEqual':
      return order(left, right) >= 0;
    case 'less':
      return order(left, right) < 0;
    case 'lessOrEqual':
      return order(left, right) <= 0;
    default:
      return false;
  }
}

function isSame(left: Value | undefined, right: Value | undefined): boolean {
  if (typeof left === 'object' || typeof right === 'object') return sameValue(left, right);
  if (typeof left === 'number' || typeof right === 'number') return asNumber(left) === asNumber(right);
  return folded(left) === folded(right);
}

function holds(left: Value | undefined, right: Value | undefined): boolean {
  return Array.isArray(left) ? left.some((item: Value) => isSame(item, right)) : folded(left).includes(folded(right));
}

/** Numbers by size, days and other texts by letters; NaN, which is neither, when they cannot be compared. */
function order(left: Value | undefined, right: Value | undefined): number {
  const numbers = asNumber(left) - asNumber(right);
  if (!Number.isNaN(numbers)) return numbers;
  if (typeof left !== 'string' || typeof right !== 'string' || left === '' || right === '') return Number.NaN;
  return left < right ? -1 : Number(left > right);
}
