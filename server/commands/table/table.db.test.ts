import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sampleDocument } from '../../domains/projects/fixtures.ts';
import { createTestCli, type TestCli } from '../cli/harness.ts';

let cli: TestCli;
beforeAll(async () => {
  cli = await createTestCli();
  const tables = {
    goods: {
      columns: {
        title: { type: 'text', required: true },
        sku: { type: 'text', unique: true },
        price: { type: 'money' },
      },
      rows: [
        { title: 'Honey', sku: 'h', price: 12.5 },
        { title: '=Jam', sku: 'j' },
      ],
    },
    answers: { columns: { text: { type: 'text' } } },
    spots: { columns: { a: { type: 'text' }, b: { type: 'text' }, c: { type: 'text' } }, order: ['c', 'a'] },
  };
  await cli.run('project', 'import', await file('shop.json', JSON.stringify({ ...sampleDocument(), tables })));
});
afterAll(() => cli.close());

async function file(name: string, text: string): Promise<string> {
  const path = join(cli.folder, name);
  await writeFile(path, text);
  return path;
}

test('tables are listed with their columns and rows', async () => {
  const { out } = await cli.run('table', 'list', 'shop');
  expect(out).toMatch(/answers +0 +never +text\ngoods +2 +\d+ s ago +price, sku, title\nspots +0 +never +c, a, b/);
  const { tables } = await cli.json<{ tables: object[] }>('table', 'list', 'shop');
  expect(tables).toMatchObject([
    { name: 'answers', rows: 0, changedAt: null },
    { name: 'goods', rows: 2, declared: true, columns: ['price', 'sku', 'title'] },
    { name: 'spots', columns: ['c', 'a', 'b'] },
  ]);
});

test('the columns of a CSV stand in the order of the document, before and after it is published', async () => {
  const head = async () => (await cli.run('table', 'export', 'shop', 'spots')).out;
  expect(await head()).toBe('id,c,a,b\n');
  await cli.run('project', 'publish', 'shop');
  expect(await head()).toBe('id,c,a,b\n');
});

test('a table goes out as CSV and comes in again', async () => {
  const path = join(cli.folder, 'goods.csv');
  expect((await cli.run('table', 'export', 'shop', 'goods')).out).toBe(
    "id,price,sku,title\r\n1,12.5,h,Honey\r\n2,,j,'=Jam\n",
  );
  expect((await cli.run('table', 'export', 'shop', 'goods', path, '--semicolon')).out).toBe(`Wrote ${path}.\n`);
  const text = await readFile(path, 'utf8');
  expect(text).toBe("\ufeffid;price;sku;title\r\n1;12,5;h;Honey\r\n2;;j;'=Jam\r\n");
  await writeFile(path, `${text};1 000,50;t;Tea\r\n`);
  expect((await cli.run('table', 'import', 'shop', 'goods', path)).out).toBe(
    '1 row added, 2 rows changed, 0 rows taken out.\n',
  );
  const only = await file('only.csv', 'id;price\n3;5');
  expect(await cli.json('table', 'import', 'shop', 'goods', only, '--replace')).toEqual({
    added: 0,
    changed: 1,
    removed: 2,
  });
  expect((await cli.run('table', 'export', 'shop', 'goods')).out).toBe('id,price,sku,title\r\n3,5,t,Tea\n');
});

test('every mistake of a file is told, and nothing is stored', async () => {
  const path = await file('wrong.csv', 'title,price\n,5\nSalt,dear\n');
  const { code, err } = await cli.run('table', 'import', 'shop', 'goods', path);
  expect(code).toBe(1);
  expect(err).toBe(
    [
      'CSV_WRONG: The file has 2 mistakes. Nothing was stored.',
      '  mistake  line 2, title: This has to be filled in.',
      '  mistake  line 3, price: "dear" is not a number. Write it as 1500 or 12.5.',
      '',
    ].join('\n'),
  );
});

test('a table or a file that there is not is said so', async () => {
  expect((await cli.run('table', 'export', 'shop', 'gods')).err).toContain(
    'TABLE_NOT_FOUND: The project "shop" has no table "gods". It has answers, goods, spots.',
  );
  const { folder } = cli;
  const said = async (...argv: string[]) => (await cli.run('table', ...argv)).err;
  const none = join(folder, 'none.csv');
  expect(await said('import', 'shop', 'goods', none)).toBe(
    `FILE_UNUSABLE: ${none} cannot be read: there is no such file.\n`,
  );
  expect(await said('import', 'shop', 'goods', folder)).toBe(
    `FILE_UNUSABLE: ${folder} cannot be read: it is a folder.\n`,
  );
  const nowhere = join(folder, 'no', 'x.csv');
  expect(await said('export', 'shop', 'goods', nowhere)).toBe(
    `FILE_UNUSABLE: ${nowhere} cannot be written: there is no such folder.\n`,
  );
  expect(await said('export', 'shop', 'goods', folder)).toBe(
    `FILE_UNUSABLE: ${folder} cannot be written: it is a folder.\n`,
  );
});
