// Finds every pattern of the product's code, and texts that each of them may be slow on.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

export type FoundPattern = { readonly at: string; readonly source: string; readonly flags: string };

/** Patterns that are written as such in a file. */
export function patternsIn(root: string, file: string): FoundPattern[] {
  const tree = ts.createSourceFile(file, readFileSync(join(root, file), 'utf8'), ts.ScriptTarget.Latest, true);
  const found: FoundPattern[] = [];
  const visit = (node: ts.Node): void => {
    if (node.kind === ts.SyntaxKind.RegularExpressionLiteral) {
      const end = node.getText().lastIndexOf('/');
      const line = tree.getLineAndCharacterOfPosition(node.getStart()).line + 1;
      found.push({
        at: `${file}:${line}`,
        source: node.getText().slice(1, end),
        flags: node.getText().slice(end + 1),
      });
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

/** One sign of each kind that patterns tell apart. */
const SIGNS = [...' \t\n\r01379adhmnpswxyzADTZя٣é.,:;/\\-_+=@#$%&?!"\'`<>()[]{}|*~^\u0301\u00a0\u2028\u200b'];

/** The parts of a pattern that stand for one sign each, in the order in which they are written. */
function partsOf(source: string): string[] {
  // A class; a kind of signs; an escaped sign; what only groups, repeats or looks; any other sign.
  const lexer =
    /(\[(?:\\.|[^\]\\])*\])|(\\[pP]\{[^}]*\}|\\u[0-9a-f]{4}|\\x[0-9a-f]{2})|(\\.)|(\(\?<?[:=!]|\(\?<\w+>|\{[\d,]+\}|[()|?*+^$])|(.)/gis;
  const parts: string[] = [];
  for (const [part, , , escaped, structure] of source.matchAll(lexer))
    if (structure === undefined && !/^\\[bB1-9k]$/.test(escaped ?? '')) parts.push(part);
  return parts;
}

/**
 * Texts that may be slow for a pattern, as what stands before, what is repeated, and what ends it: the beginning of
 * something that fits, then one or two signs that the pattern tells apart, then something that fits nothing.
 */
export function attacksOn({ source, flags }: FoundPattern): Attack[] {
  const fits = (part: string, sign: string): boolean => new RegExp(`^(?:${part})$`, flags.replace('g', '')).test(sign);
  const parts = partsOf(source);
  const kinds = new Map<string, string>();
  for (const sign of SIGNS) {
    const kind = parts.map((part) => Number(fits(part, sign))).join('');
    if (!kinds.has(kind)) kinds.set(kind, sign);
  }
  const signs = [...kinds.values()].slice(0, 16);
  const sample = parts.map(
    (part) => signs.find((sign) => fits(part, sign)) ?? SIGNS.find((sign) => fits(part, sign)) ?? '',
  );
  const attacks = new Map<string, Attack>();
  const add = (before: string, pump: string): void => {
    if (pump !== '') attacks.set(`${before}\u0000${pump}`, { before, pump });
  };
  for (const one of signs.slice(0, 10))
    for (const other of signs.slice(0, 10)) add('', one === other ? one : one + other);
  for (let at = 0; at <= Math.min(sample.length, placesMax); at += 1) {
    const before = sample.slice(0, at).join('');
    const near = parts.slice(Math.max(0, at - 1), at + 2);
    for (const sign of signs) if (at === 0 || near.some((part) => fits(part, sign))) add(before, sign);
    for (const length of [2, 3, 5, 9]) {
      add('', sample.slice(at, at + length).join(''));
      add(before, sample.slice(at, at + length).join(''));
    }
  }
  return [...attacks.values()];
}

/** Longer patterns are lists of words. */
const placesMax = 24;

export type Attack = { readonly before: string; readonly pump: string };

/** What fits nothing, in a line and below one; and nothing at all. */
export const ENDS = ['\u0000', '\u0000\n\u0000', ''];

/** The text of an attack, so long. */
export const textOf = ({ before, pump }: Attack, chars: number, end: string): string =>
  before + pump.repeat(Math.ceil(chars / pump.length)) + end;

/** Where nothing is repeated without end, each place of a text costs the same. */
export const mayGrow = ({ source }: FoundPattern): boolean => /[*+]|\{\d+,\}/.test(source.replace(/\\./g, ''));
