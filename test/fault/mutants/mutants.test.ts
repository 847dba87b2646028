import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { mutants } from './mutants.ts';

const root = join(import.meta.dirname, '..', '..', '..');

test('what each mutant changes stands in the code, once', async () => {
  const edits = mutants.flatMap(({ name, edits: all }) => all.map((edit) => ({ name, ...edit })));
  const stale: string[] = [];
  for (const { name, file, from } of edits) {
    const times = (await readFile(join(root, file), 'utf8')).split(from).length - 1;
    if (times !== 1) stale.push(`${name}: ${file} holds it ${times} times`);
  }
  expect(stale).toEqual([]);
});
