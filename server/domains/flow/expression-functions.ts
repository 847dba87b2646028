// What expressions can do beside CEL's own functions. All of it without a clock and without chance.

import type { Environment } from '@marcbachmann/cel-js';
import { FLOW_LIMITS } from '../../../contract/limits.ts';
import { addDays, asNumber, isDate } from './values.ts';

const ARITHMETIC = {
  '+': (left: number, right: number) => left + right,
  '-': (left: number, right: number) => left - right,
  '*': (left: number, right: number) => left * right,
  '/': (left: number, right: number) => left / right,
  '%': (left: number, right: number) => left % right,
} as const;

type CelNumber = number | bigint;

/** Adds our functions to an environment and lets whole numbers, fractions and texts meet. */
export function registerFunctions(environment: Environment): Environment {
  registerArithmetic(environment);
  registerNumbers(environment);
  registerTexts(environment);
  registerDates(environment);
  return environment;
}

function registerArithmetic(environment: Environment): void {
  for (const [sign, compute] of Object.entries(ARITHMETIC)) {
    const handler = (left: CelNumber, right: CelNumber): number => compute(Number(left), Number(right));
    environment.registerOperator(`double ${sign} int: double`, handler);
    environment.registerOperator(`int ${sign} double: double`, handler);
  }
  environment.registerOperator('double % double: double', ARITHMETIC['%']);
  environment.registerOperator('double == int: bool', (left: number, right: bigint) => left === Number(right));
  for (const type of ['double', 'int']) {
    environment.registerOperator(`string + ${type}: string`, (left: string, right: CelNumber) => `${left}${right}`);
    environment.registerOperator(`${type} + string: string`, (left: CelNumber, right: string) => `${left}${right}`);
  }
}

function numberOf(value: unknown): number {
  const number = typeof value === 'string' ? asNumber(value) : Number(value as CelNumber);
  if (typeof value === 'object' || value === '' || !Number.isFinite(number)) throw new Error('not a number');
  return number;
}

function listOf(value: unknown): unknown[] {
  if (!Array.isArray(value)) throw new Error('not a list');
  return value;
}

function registerNumbers(environment: Environment): void {
  environment.registerFunction('number(dyn): double', numberOf);
  environment.registerFunction('round(dyn): double', (value: unknown) => Math.round(numberOf(value)));
  environment.registerFunction('round(dyn, dyn): double', (value: unknown, digits: unknown) => {
    const places = Math.min(10, Math.max(0, Math.trunc(numberOf(digits))));
    return Number(numberOf(value).toFixed(places));
  });
  environment.registerFunction('floor(dyn): double', (value: unknown) => Math.floor(numberOf(value)));
  environment.registerFunction('ceil(dyn): double', (value: unknown) => Math.ceil(numberOf(value)));
  environment.registerFunction('abs(dyn): double', (value: unknown) => Math.abs(numberOf(value)));
  environment.registerFunction('min(dyn, dyn): double', (left: unknown, right: unknown) =>
    Math.min(numberOf(left), numberOf(right)),
  );
  environment.registerFunction('max(dyn, dyn): double', (left: unknown, right: unknown) =>
    Math.max(numberOf(left), numberOf(right)),
  );
  environment.registerFunction('sum(list): double', (list: unknown) =>
    listOf(list).reduce((total: number, item) => total + numberOf(item), 0),
  );
}

function registerTexts(environment: Environment): void {
  environment.registerFunction('string.lower(): string', (text: string) => text.toLowerCase());
  environment.registerFunction('string.upper(): string', (text: string) => text.toUpperCase());
  environment.registerFunction('string.replace(string, string): string', replaceAll);
}

/** The result is measured before it is made: a short text in place of each letter can fill the memory. */
function replaceAll(text: string, search: string, by: string): string {
  if (search === '') return text;
  let count = 0;
  for (let at = text.indexOf(search); at >= 0; at = text.indexOf(search, at + search.length)) count += 1;
  if (text.length + count * (by.length - search.length) > FLOW_LIMITS.expressionValueChars)
    throw new Error('the text is too long');
  return text.split(search).join(by);
}

function registerDates(environment: Environment): void {
  environment.registerFunction('addDays(string, dyn): string', (date: string, days: unknown) => {
    const moved = addDays(date, numberOf(days));
    if (moved === null) throw new Error('not a date');
    return moved;
  });
  environment.registerFunction('daysBetween(string, string): double', (from: string, to: string) => {
    if (!isDate(from) || !isDate(to)) throw new Error('not a date');
    return Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000);
  });
  /** 1 is Monday, 7 is Sunday. */
  environment.registerFunction('weekday(string): double', (date: string) => {
    if (!isDate(date)) throw new Error('not a date');
    return new Date(Date.parse(date)).getUTCDay() || 7;
  });
}
