import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { codeFaults, longFiles, lostPaths, migrationFaults, unpassedPoints, unreadByNode } from './habits.ts';

describe('length', () => {
  test('a file of tests may be longer', () => {
    expect(longFiles([{ path: 'a.test.ts', text: 'x\n'.repeat(500) }])).toEqual([]);
    expect(longFiles([{ path: 'a.test.ts', text: 'x\n'.repeat(501) }])).toHaveLength(1);
  });

  test('300 lines are enough', () => {
    expect(longFiles([{ path: 'a.ts', text: 'x\n'.repeat(300) }])).toEqual([]);
    expect(longFiles([{ path: 'a.ts', text: 'x\n'.repeat(301) }])).toEqual([
      expect.stringContaining('a.ts has 301 lines'),
    ]);
  });
});

describe('what Node reads', () => {
  const unread = (text: string): string[] => unreadByNode([{ path: 'a.ts', text }]);
  test('types alone', () => expect(unread('for (const one of [1 as number]) console.log(one!);')).toEqual([]));
  test.each([
    'for (const of of [1]) console.log(of);',
    'enum A { B }',
    'class A { constructor(private a: number) {} }',
    'const a = <number>(1;',
  ])('not %s', (text) => expect(unread(text)).toEqual([expect.stringMatching(/^Node does not read a\.ts: /)]));
  test('nothing but TypeScript is looked at', () =>
    expect(unreadByNode([{ path: 'a.mjs', text: 'enum A { B }' }])).toEqual([]));
});

describe('codes', () => {
  const page = '| `ONE` | 400 | means |\n| `TWO` | 400 | means |\n';
  test('page and table say the same', () => expect(codeFaults(['ONE', 'TWO'], page)).toEqual([]));
  test('one that is not explained', () =>
    expect(codeFaults(['ONE', 'TWO', 'THREE'], page)).toEqual([expect.stringContaining('THREE is missing')]));
  test('one that is only explained', () =>
    expect(codeFaults(['ONE'], page)).toEqual([expect.stringContaining('TWO stands in')]));
  test('one that is explained twice', () => expect(codeFaults(['ONE', 'TWO'], page + page)).toHaveLength(2));
});

describe('fault points', () => {
  const file = { path: 'server/a.ts', text: `faultPoint('one');` };
  test('a passed one', () => expect(unpassedPoints(['one'], [file])).toEqual([]));
  test('one that nothing passes', () =>
    expect(unpassedPoints(['one', 'two'], [file])).toEqual([expect.stringContaining('two')]));
  test('a test does not count', () =>
    expect(unpassedPoints(['one'], [{ ...file, path: 'server/a.test.ts' }])).toHaveLength(1));
});

describe('paths', () => {
  const there = new Set(['kernel/db.ts', 'server/main.ts', 'server/domains/outbox/rules.ts', 'docs/build/flow.md']);
  const lost = (text: string): string[] => lostPaths([{ path: 'docs/build/app.md', text }], (path) => there.has(path));
  test('from the root, from the server, from its domains and beside the page', () =>
    expect(lost('`kernel/db.ts` `server/main.ts` `outbox/rules.ts` `build/../flow.md`')).toEqual([]));
  test('one that was moved, once', () =>
    expect(lost('`outbox/sender.ts`, and `outbox/sender.ts`')).toEqual([
      'docs/build/app.md names outbox/sender.ts, which is not there.',
    ]));
  test('a bare name, a pattern and an address are no paths', () =>
    expect(lost('`rules.ts` `docs/<name>.md` `test/*.ts` `/v1/apps/x.json` `https://a.example/x.md`')).toEqual([]));
});

describe('migrations', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'roost-habits-'));
  });
  afterEach(() => rm(folder, { recursive: true }));
  const file = (name: string, text: string): Promise<void> => writeFile(join(folder, name), text);
  const good =
    '-- roost: min_code_level 1\ncreate function f() returns void language plpgsql as $$ begin perform 1; end $$;\n';

  test('a good one, with the begin of a function', async () => {
    await file('000001_a.sql', good);
    expect(await migrationFaults(folder)).toEqual([]);
  });
  test.each(['commit;', '  BEGIN;', 'start transaction;', 'rollback;'])('one that says %s', async (statement) => {
    await file('000001_a.sql', `${good}${statement}\n`);
    expect(await migrationFaults(folder)).toEqual([
      expect.stringContaining('000001_a.sql begins or ends a transaction'),
    ]);
  });
  test('two of one number', async () => {
    await file('000001_a.sql', good);
    await file('000001_b.sql', good);
    expect(await migrationFaults(folder)).toEqual([expect.stringContaining('another migration has this number')]);
  });
  test.each([
    ['create index x on outbox (id);', 'outbox: this builds an index while writers wait'],
    ['create unique index x on inbox (seq);', 'inbox: this builds an index'],
    ['alter table outbox alter column tries type integer;', 'outbox: this rewrites the table'],
    ['alter table lead\n  add column a text,\n  add constraint b check (a is not null);', 'lead: this reads the whole'],
    ['-- roost: step\nupdate contact set tags = null;', 'contact: this changes many rows'],
  ])('one that holds up a system that runs: %s', async (statement, sentence) => {
    await file('000099_a.sql', `-- roost: min_code_level 1\n${statement}\n`);
    expect(await migrationFaults(folder)).toEqual([expect.stringContaining(sentence)]);
  });
  test.each([
    'alter table outbox add column a integer not null default 0;',
    'alter table outbox add constraint a check (tries >= 0) not valid;',
    'create table inbox (id integer);\ncreate index x on inbox (id);',
    '-- roost: step alone\ncreate index concurrently x on outbox (id);',
    '-- roost: step in batches\nupdate contact set tags = null where false returning null as next;',
  ])('one that holds up nobody: %s', async (statement) => {
    await file('000099_a.sql', `-- roost: min_code_level 1\n${statement}\n`);
    expect(await migrationFaults(folder)).toEqual([]);
  });
  test('one without a level', async () => {
    await file('000001_a.sql', 'create table x ();\n');
    expect(await migrationFaults(folder)).toEqual([expect.stringContaining('first line')]);
  });
});
