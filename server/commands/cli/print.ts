// Words and columns for people at a terminal. Pure.
import type { Fault } from '../../../contract/flow.ts';

/** Rows with their columns aligned by two spaces; the last column runs free. Control characters become spaces. */
export function table(rows: readonly (readonly string[])[]): string[] {
  const clean = rows.map((row) => row.map(plain));
  const widths: number[] = [];
  for (const row of clean) {
    for (const [index, cell] of row.entries()) widths[index] = Math.max(widths[index] ?? 0, width(cell));
  }
  return clean.map((row) =>
    row
      .map((cell, index) => cell + ' '.repeat(widths[index]! - width(cell)))
      .join('  ')
      .trimEnd(),
  );
}

/** Without what could move the cursor or colour the terminal: names and errors come from strangers. */
export function plain(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is cut
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]+/g, ' ');
}

const width = (text: string): number => [...text].length;

/** `1 bot`, `3 bots`. */
export function count(number: number, one: string, many = `${one}s`): string {
  return `${number.toLocaleString('en-US')} ${number === 1 ? one : many}`;
}

/** A length of time in at most two units: `45 s`, `3 min 20 s`, `2 d 4 h`. */
export function duration(seconds: number): string {
  let left = Math.max(0, Math.round(seconds));
  const parts: string[] = [];
  for (const [size, unit] of units) {
    const number = Math.floor(left / size);
    left %= size;
    if (number > 0) parts.push(`${number} ${unit}`);
    else if (parts.length > 0) break;
    if (parts.length === 2) break;
  }
  return parts.join(' ') || '0 s';
}

const units = [
  [86_400, 'd'],
  [3_600, 'h'],
  [60, 'min'],
  [1, 's'],
] as const;

/** How long ago, as `3 min ago`, or `never`. */
export function ago(at: Date | null | undefined, nowMs: number): string {
  if (at == null) return 'never';
  return `${duration((nowMs - at.getTime()) / 1000)} ago`;
}

/** A moment in UTC, to the second. */
export function moment(at: Date): string {
  return `${at.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

/** Cuts a long text at `length` characters. */
export function short(text: string, length: number): string {
  const letters = [...plain(text)];
  return letters.length <= length ? letters.join('') : `${letters.slice(0, length - 1).join('')}…`;
}

/** A document's mistakes, one after the other: where, what, how to mend. */
export function faultLines(faults: readonly Pick<Fault, 'path' | 'message' | 'fix' | 'severity'>[]): string[] {
  return faults.flatMap((fault) => {
    const head = `  ${fault.severity === 'warns' ? 'warning' : 'mistake'}  ${fault.path || '(document)'}: ${fault.message}`;
    return [plain(head), ...(fault.fix ? [plain(`           ${fault.fix}`)] : [])];
  });
}

/** A name as it can be typed again: in quotes where a shell would take it apart. */
export function quote(name: string): string {
  return /^[\p{L}\p{N}._-]+$/u.test(name) ? name : `"${name}"`;
}
