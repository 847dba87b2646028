import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Table } from '../../../contract/tables.ts';
import { sql } from '../../../kernel/sql.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import {
  countRows,
  deleteRows,
  exportCsv,
  importCsv,
  insertRow,
  type Place,
  projectRevs,
  rowsOf,
  seedTables,
  settleTables,
  tableFacts,
  takeFromRows,
  updateRows,
} from './tables.ts';

const goods: Table = {
  columns: {
    title: { type: 'text', required: true },
    sku: { type: 'text', unique: true },
    price: { type: 'money' },
    shown: { type: 'bool' },
  },
};

let database: TestDatabase;
let projectId = 0;
let place: Place;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  const name = `p${projectId + 1}`;
  const row = await database.db.one<{ id: number }>(
    sql`insert into project (public_id, name) values (${name}, ${name}) returning id`,
  );
  projectId = row?.id ?? 0;
  place = { projectId, name: 'goods', table: goods };
  await database.db.tx((tx) => settleTables(tx, projectId, { goods }));
});

const insert = (values: { [field: string]: unknown }, where: Place = place) =>
  database.db.tx((tx) => insertRow(tx, where, values));
const titles = async (query = {}): Promise<unknown[]> =>
  (await rowsOf(database.db, place, query)).map((row) => row.values['title']);
const csv = (text: string, options = {}) =>
  database.db.tx((tx) => importCsv(tx, place, new TextEncoder().encode(text), options));
const claims = async () =>
  (
    await database.db.one<{ count: number }>(
      sql`select count(*)::int as count from record_claim where project_id = ${projectId}`,
    )
  )?.count;

test('rows are numbered, found, sorted, changed and taken out', async () => {
  for (const [title, price] of [
    ['ёлка', 30],
    ['Honey', 12.5],
    ['Жасмин', 5],
  ] as const)
    expect(await insert({ title, price })).toMatchObject({ ok: true });
  expect(await titles()).toEqual(['ёлка', 'Honey', 'Жасмин']);
  expect(await titles({ sort: 'price' })).toEqual(['Жасмин', 'Honey', 'ёлка']);
  expect(await titles({ sort: 'price', descending: true, limit: 1 })).toEqual(['ёлка']);
  // Case and "ё" do not matter for letters.
  expect(await titles({ sort: 'title' })).toEqual(['Honey', 'ёлка', 'Жасмин']);
  expect(await titles({ where: [{ field: 'title', contains: 'ЖАС' }] })).toEqual(['Жасмин']);
  expect(await titles({ where: [{ field: 'price', over: 5, under: 30 }] })).toEqual(['Honey']);
  expect(await titles({ where: [{ field: 'id', is: 3 }] })).toEqual(['Жасмин']);
  expect(await titles({ where: [{ field: 'shown', is: false }] })).toHaveLength(3);

  const { db } = database;
  const changed = await db.tx((tx) =>
    updateRows(tx, place, [{ field: 'price', over: 10 }], { shown: 'yes', price: '' }),
  );
  expect(changed).toEqual({
    ok: true,
    rows: [
      { id: 1, values: { title: 'ёлка', shown: true } },
      { id: 2, values: { title: 'Honey', shown: true } },
    ],
  });
  expect(await countRows(db, place, [{ field: 'shown', is: true }])).toBe(2);
  expect(await db.tx((tx) => deleteRows(tx, place, [{ field: 'shown', not: true }]))).toBe(1);
  expect((await tableFacts(db, projectId)).get('goods')?.rows).toBe(2);
  // A number is never given twice.
  expect(await insert({ title: 'New' })).toMatchObject({ rows: [{ id: 4 }] });
});

test('a row that does not fit is not stored', async () => {
  expect(await insert({ price: 'dear' })).toEqual({
    ok: false,
    faults: [
      { field: 'price', message: '"dear" is not a number. Write it as 1500 or 12.5.' },
      { field: 'title', message: 'This has to be filled in.' },
    ],
  });
  expect(await titles()).toEqual([]);
});

describe('a value that must be unique', () => {
  const taken = { ok: false, faults: [{ field: 'sku', message: 'Another row has this "sku" already.' }] };

  test('is had once, also by a hundred writers at once', async () => {
    const written = await Promise.all(
      Array.from({ length: 100 }, (_, index) => insert({ title: `${index}`, sku: 'one' })),
    );
    expect(written.filter((each) => each.ok)).toHaveLength(1);
    expect(written.filter((each) => !each.ok)[0]).toEqual(taken);
    expect([(await titles()).length, await claims()]).toEqual([1, 1]);
  });

  test('is free again when its row has another or is gone', async () => {
    const { db } = database;
    await insert({ title: 'a', sku: 'A' });
    await insert({ title: 'b', sku: 'B' });
    expect(await db.tx((tx) => updateRows(tx, place, [{ field: 'id', is: 2 }], { sku: 'A', title: 'c' }))).toEqual(
      taken,
    );
    expect(await titles()).toEqual(['a', 'b']);
    expect(await db.tx((tx) => updateRows(tx, place, [{ field: 'id', is: 1 }], { sku: '' }))).toMatchObject({
      ok: true,
    });
    expect(await db.tx((tx) => updateRows(tx, place, [{ field: 'id', is: 2 }], { sku: 'A' }))).toMatchObject({
      ok: true,
    });
    await db.tx((tx) => deleteRows(tx, place, [{ field: 'id', is: 2 }]));
    expect(await insert({ title: 'd', sku: 'A' })).toMatchObject({ ok: true });
    // Two rows cannot both become it.
    expect(await db.tx((tx) => updateRows(tx, place, [], { sku: 'Z' }))).toEqual(taken);
  });

  test('does not disturb the rest of a transaction', async () => {
    await insert({ title: 'a', sku: 'A' });
    await database.db.tx(async (tx) => {
      await insertRow(tx, place, { title: 'before' });
      expect(await insertRow(tx, place, { title: 'x', sku: 'A' })).toEqual(taken);
      await insertRow(tx, place, { title: 'after' });
    });
    expect(await titles()).toEqual(['a', 'before', 'after']);
  });

  test('follows the document', async () => {
    const { db } = database;
    const loose: Table = { columns: { ...goods.columns, sku: { type: 'text' } } };
    await db.tx((tx) => settleTables(tx, projectId, { goods: loose }));
    await insert({ title: 'a', sku: 'A' });
    await insert({ title: 'b', sku: 'A' });
    const { faults } = await db.tx((tx) => settleTables(tx, projectId, { goods }));
    expect(faults).toMatchObject([{ path: 'tables.goods.columns.sku.unique', code: 'rows_alike' }]);
    await db.tx((tx) => updateRows(tx, place, [{ field: 'id', is: 2 }], { sku: 'B' }));
    expect(await db.tx((tx) => settleTables(tx, projectId, { goods }))).toEqual({ faults: [] });
    expect(await insert({ title: 'c', sku: 'B' })).toEqual(taken);
  });
});

test('columns that the document has no more are kept, and shown again when they are back', async () => {
  await insert({ title: 'Honey', price: 5 });
  const bare: Place = { ...place, table: { columns: { title: { type: 'text' } } } };
  const [row] = await rowsOf(database.db, bare);
  expect(row?.values).toEqual({ title: 'Honey' });
  await database.db.tx((tx) => updateRows(tx, bare, [], { title: 'Jam' }));
  expect(await rowsOf(database.db, place)).toEqual([{ id: 1, values: { title: 'Jam', price: 5 } }]);
});

test('what is taken off a stock is there, for a hundred at once', async () => {
  await insert({ title: 'Honey', price: 30 });
  await insert({ title: 'Jam' });
  const take = (id: number, count: number) =>
    database.db.tx((tx) => takeFromRows(tx, place, { column: 'price', items: [{ id, count }] }));
  const taken = await Promise.all(Array.from({ length: 100 }, () => take(1, 1)));
  expect(taken.filter(({ short }) => short.length === 0)).toHaveLength(30);
  expect(await rowsOf(database.db, place)).toMatchObject([{ values: { price: 0 } }, { values: { title: 'Jam' } }]);
  expect(await take(2, 1)).toEqual({ short: [2] });
});

test('a revision moves with every change and with nothing else', async () => {
  const rev = async () => (await projectRevs(database.db, [projectId])).get(projectId) ?? 0;
  const revs = [await rev()];
  const { db } = database;
  const step = async (work: () => Promise<unknown>): Promise<void> => {
    await work();
    revs.push(await rev());
  };
  await step(() => insert({ title: 'Honey', sku: 'h' }));
  await step(() => insert({ title: 'Jam', sku: 'h' }));
  await step(() => db.tx((tx) => updateRows(tx, place, [{ field: 'id', is: 9 }], { price: 1 })));
  await step(() => db.tx((tx) => updateRows(tx, place, [], { price: 1 })));
  await step(() => db.tx((tx) => deleteRows(tx, place, [])));
  const moved = revs.slice(1).map((each, index) => each > (revs[index] as number));
  expect(moved).toEqual([true, false, false, true, true]);
});

describe('the rows of a document', () => {
  const seeded: { goods: Table } = { goods: { ...goods, rows: [{ title: 'Honey', sku: 'h' }, { title: 'Jam' }] } };
  const seed = (tables = seeded) => database.db.tx((tx) => seedTables(tx, projectId, tables, {}));

  test('are put in once, and never again', async () => {
    await seed();
    await seed();
    expect(await titles()).toEqual(['Honey', 'Jam']);
    expect(await insert({ title: 'x', sku: 'h' })).toMatchObject({ ok: false });
    await database.db.tx((tx) => deleteRows(tx, place, []));
    await seed();
    expect(await titles()).toEqual([]);
  });

  test('are left out where there are rows, or where they have mistakes', async () => {
    await seed({ goods: { ...goods, rows: [{ title: 'Honey', price: 'x' as never }] } });
    expect(await titles()).toEqual([]);
    await insert({ title: 'Mine' });
    await seed();
    expect(await titles()).toEqual(['Mine']);
  });
});

describe('CSV', () => {
  const exported = async (): Promise<string> => {
    let text = '';
    for await (const piece of exportCsv(database.db, place)) text += piece;
    return text;
  };

  test('goes out and comes in again without a change', async () => {
    await insert({ title: '=1+1', sku: 'a', price: 12.5, shown: true });
    await insert({ title: 'Мёд "липовый"', sku: 'b' });
    const before = await rowsOf(database.db, place);
    const text = await exported();
    expect(text).toBe('\ufeffid,title,sku,price,shown\r\n1,\'=1+1,a,12.5,true\r\n2,"Мёд ""липовый""",b,,\r\n');
    expect(await csv(text)).toEqual({ added: 0, changed: 2, removed: 0 });
    expect(await rowsOf(database.db, place)).toEqual(before);
    await database.db.tx((tx) => deleteRows(tx, place, []));
    expect(await csv(text)).toEqual({ added: 2, changed: 0, removed: 0 });
    expect(await rowsOf(database.db, place)).toEqual(before);
  });

  test('changes what has a number, adds what has none, and takes out the rest only when asked', async () => {
    await csv('title;sku;price\nHoney;h;5,5\nJam;j;3\nTea;t;1');
    expect(await csv('id;sku;title\n1;j;\n2;h;', {}).catch((error) => error)).toMatchObject({ code: 'CSV_WRONG' });
    // Two rows change places.
    expect(await csv('id;sku\n1;j\n2;h\n')).toEqual({ added: 0, changed: 2, removed: 0 });
    expect(await csv('id;title;price\n2;Plum jam;4\n;Salt;1', { replace: true })).toEqual({
      added: 1,
      changed: 1,
      removed: 2,
    });
    expect(await rowsOf(database.db, place)).toEqual([
      { id: 2, values: { title: 'Plum jam', sku: 'h', price: 4 } },
      { id: 4, values: { title: 'Salt', price: 1 } },
    ]);
  });

  test('with a mistake stores nothing and names every line', async () => {
    const error = await csv('title,sku,price\nHoney,h,5\n,j,3\nTea,t,much').catch((refusal) => refusal);
    expect(error.message).toBe('The file has 2 mistakes. Nothing was stored.');
    expect(error.facts.faults).toMatchObject([{ path: 'line 3, title' }, { line: 4, field: 'price' }]);
    const twice = await csv('title,sku\nHoney,h\nJam,h').catch((refusal) => refusal);
    expect(twice.facts.faults).toMatchObject([
      { line: 3, field: 'sku', message: 'Another row has this "sku" already.' },
    ]);
    const absent = await csv('id,sku\n9,x').catch((refusal) => refusal);
    expect(absent.facts.faults).toMatchObject([{ line: 2, field: 'title', message: 'This has to be filled in.' }]);
    expect(await titles()).toEqual([]);
  });

  test('may have thousands of rows', async () => {
    const lines = Array.from({ length: 5_000 }, (_, index) => `Thing ${index},s${index}`);
    expect(await csv(`title,sku\n${lines.join('\n')}`)).toEqual({ added: 5_000, changed: 0, removed: 0 });
    expect((await exported()).split('\r\n')).toHaveLength(5_002);
  });
});
