// Keys that stand twice in one object of a JSON text. Reading it keeps the last of them and says nothing. Pure.
import type { Fault } from '../../../contract/flow.ts';

type Open = { readonly path: string; readonly keys: Set<string> | null; key: string; index: number };

/** More of them than this help nobody. */
const FAULTS_MAX = 100;

/** Every key that its object has already. The text is valid JSON; one look at each of its characters. */
export function keysTwice(text: string): Fault[] {
  const faults: Fault[] = [];
  const open: Open[] = [];
  for (let at = 0; at < text.length && faults.length < FAULTS_MAX; at += 1) {
    const sign = text[at];
    const top = open.at(-1);
    if (sign === '{' || sign === '[')
      open.push({ path: placeIn(top), keys: sign === '{' ? new Set() : null, key: '', index: 0 });
    else if (sign === '}' || sign === ']') open.pop();
    else if (sign === ',' && top) {
      top.index += 1;
      top.key = '';
    } else if (sign === '"') {
      const end = endOfString(text, at);
      // The first string of a pair is its key; the value follows where there is one.
      if (top?.keys && top.key === '' && isKey(text, end)) {
        top.key = JSON.parse(text.slice(at, end + 1)) as string;
        if (top.keys.has(top.key)) faults.push(twice(placeIn(top), top.key));
        top.keys.add(top.key);
      }
      at = end;
    }
  }
  return faults;
}

function placeIn(top: Open | undefined): string {
  if (!top) return '';
  const name = top.keys ? top.key : String(top.index);
  return top.path === '' ? name : `${top.path}.${name}`;
}

function isKey(text: string, end: number): boolean {
  let at = end + 1;
  while (' \t\n\r'.includes(text[at] ?? ':')) at += 1;
  return text[at] === ':';
}

function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at;
}

const twice = (path: string, key: string): Fault => ({
  code: 'key_twice',
  path,
  message: `"${key.slice(0, 64)}" stands here twice, and only the last one would count.`,
  fix: 'Give one of the two another name, or remove it.',
  severity: 'stops',
});
