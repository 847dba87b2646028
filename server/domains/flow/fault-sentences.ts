// Turns what the schema found into sentences that a person understands.

import type { z } from 'zod';
import type { Fault } from '../../../contract/flow.ts';
import { pathPiece, quoted as quotedPiece } from '../../../kernel/echo.ts';

type Issue = z.core.$ZodIssue;

/** Told by the schema, where a name is not known: the names that are, so that they can be said. */
export const fieldsThere: z.core.$ZodErrorMap = ({ code, inst }) =>
  code === 'unrecognized_keys' && inst && 'shape' in inst ? Object.keys(inst.shape as object).join(',') : undefined;

const namesOf = (issue: Issue): string[] => issue.message.split(',').filter((name) => /^\w+$/.test(name));

/** One fault an issue; of a choice between shapes, the faults of the shape that was probably meant. */
export function sentencesOf(issues: readonly Issue[], base: readonly PropertyKey[] = []): Fault[] {
  return issues.flatMap((issue) => {
    const path = [...base, ...issue.path];
    if (issue.code === 'invalid_union' && issue.errors.length > 0)
      return sentencesOf(kindOf(issue.errors) ?? strange(issue.errors) ?? nearest(issue.errors), path);
    return [toFault(issue, path)];
  });
}

/** Where every shape wants another word in the same place (the `kind` of a button), they are all named. */
function kindOf(branches: readonly (readonly Issue[])[]): readonly Issue[] | undefined {
  const [first = [], ...others] = branches;
  for (const issue of first) {
    if (issue.code !== 'invalid_value' || issue.path.length === 0 || issue.input === undefined) continue;
    const place = issue.path.join('.');
    const same = others.map((branch) =>
      branch.find((one) => one.code === 'invalid_value' && one.path.join('.') === place),
    );
    if (same.includes(undefined)) continue;
    const values = [issue, ...same].flatMap((one) => (one?.code === 'invalid_value' ? one.values : []));
    return [{ ...issue, values: [...new Set(values)] }];
  }
  return undefined;
}

/** A name that no shape has, where nothing else says which of them was meant: the names of all are told. */
function strange(branches: readonly (readonly Issue[])[]): readonly Issue[] | undefined {
  const unknown = branches.flatMap((branch) =>
    branch.filter((one) => one.code === 'unrecognized_keys' && !one.path[0]),
  );
  const [first] = unknown;
  if (first?.code !== 'unrecognized_keys' || nearest(branches).length < 2) return undefined;
  const isObject = (branch: readonly Issue[]): boolean =>
    !branch.some((one) => one.path.length === 0 && one.code === 'invalid_type');
  if (unknown.length < branches.filter(isObject).length) return undefined;
  const keys = first.keys.filter((key) =>
    unknown.every((one) => one.code === 'unrecognized_keys' && one.keys.includes(key)),
  );
  return keys.length === 0
    ? undefined
    : [{ ...first, keys, message: [...new Set(unknown.flatMap(namesOf))].join(',') }];
}

/** The shape that reads furthest into the value is the one that was meant; among equals the one with fewest complaints. */
function nearest(branches: readonly (readonly Issue[])[]): readonly Issue[] {
  const depth = (branch: readonly Issue[]): number => Math.max(...branch.map((issue) => issue.path.length));
  const wrongKind = (branch: readonly Issue[]): number =>
    Number(branch.some((issue) => issue.path.length === 0 && issue.code === 'invalid_type'));
  const missing = (branch: readonly Issue[]): number =>
    branch.filter((issue) => issue.code === 'unrecognized_keys' || issue.code === 'invalid_value').length;
  const sorted = [...branches]
    .filter((branch) => branch.length > 0)
    .sort(
      (left, right) =>
        wrongKind(left) - wrongKind(right) ||
        missing(left) - missing(right) ||
        depth(right) - depth(left) ||
        left.length - right.length,
    );
  return sorted[0] ?? [];
}

function toFault(issue: Issue, path: readonly PropertyKey[]): Fault {
  const { code, message, fix } = describe(issue);
  return { code, path: pathPiece(path), message, severity: 'stops', ...(fix === undefined ? {} : { fix }) };
}

type Description = { readonly code: string; readonly message: string; readonly fix?: string };

function describe(issue: Issue): Description {
  switch (issue.code) {
    case 'invalid_type':
      return describeType(issue.expected, issue.input, issue.message);
    case 'unrecognized_keys':
      return {
        code: 'unknown_field',
        message: `Nothing here is called ${quoted(issue.keys)}.`,
        fix: thereIs(namesOf(issue)),
      };
    case 'invalid_value':
      return {
        code: 'wrong_value',
        message: `This must be ${issue.values.length > 1 ? 'one of ' : ''}${quoted(issue.values)}.`,
      };
    case 'invalid_union':
      return { code: 'wrong_value', message: 'There is no such kind.', fix: kindsOf(issue) };
    case 'too_big':
      return { code: 'too_much', message: describeSize(issue.origin, 'at most', issue.maximum) };
    case 'too_small':
      return { code: 'too_little', message: describeSize(issue.origin, 'at least', issue.minimum) };
    case 'invalid_format':
      return { code: 'wrong_form', message: ownWords(issue.message, 'This is not written the right way.') };
    case 'invalid_key':
      return {
        code: 'wrong_name',
        message: issue.issues.map((inner) => ownWords(inner.message, 'This name cannot be used.')).join(' '),
      };
    case 'custom':
      return { code: 'wrong_value', message: ownWords(issue.message, 'This value cannot be used.') };
    default:
      return { code: 'wrong_value', message: 'This value cannot be used.' };
  }
}

const thereIs = (names: readonly string[]): string =>
  names.length === 0 ? 'Remove it.' : `Remove it or correct its name: there is ${quoted(names)}.`;

const TYPE_WORDS: { readonly [type: string]: string } = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};

function describeType(expected: string, input: unknown, message: string): Description {
  const wanted = TYPE_WORDS[expected] ?? expected;
  if (input === undefined)
    return { code: 'missing', message: `Something is missing here: ${wanted}.`, fix: 'Fill it in.' };
  return { code: 'wrong_type', message: ownWords(message, `This must be ${wanted}.`) };
}

/** The kinds that there are, all of them: whoever wrote another one has no list. */
function kindsOf(issue: Extract<Issue, { code: 'invalid_union' }>): string {
  const options = 'options' in issue && Array.isArray(issue.options) ? (issue.options as readonly unknown[]) : [];
  return options.length === 0 ? 'Choose one of the kinds that exist.' : `Choose one of ${quoted(options)}.`;
}

function describeSize(origin: string, bound: string, size: number | bigint): string {
  switch (origin) {
    case 'string':
      return `This must have ${bound} ${size} characters.`;
    case 'array':
    case 'set':
      return `This list must have ${bound} ${size} entries.`;
    default:
      return `This must be ${bound} ${size}.`;
  }
}

const quoted = (values: readonly unknown[]): string => {
  const words = values.slice(0, 60).map((value) => quotedPiece(String(value)));
  return values.length > words.length
    ? `${words.join(', ')} and ${values.length - words.length} more`
    : words.join(', ');
};

/** Our schemas say what they want in a sentence; the library's own words are for programmers. */
function ownWords(message: string, otherwise: string): string {
  const isTechnical = message.startsWith('Invalid') || message.startsWith('Expected') || message === '';
  return isTechnical ? otherwise : message.endsWith('.') ? message : `${message}.`;
}
