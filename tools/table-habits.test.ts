import { expect, test } from 'vitest';
import { tableFaults } from './table-habits.ts';
import type { TableOwner } from './table-owners.ts';

const migrations = `
create table goods (
  id bigint primary key
);
create table sale (
  project_id bigint not null,
  id bigint not null,
  primary key (project_id, id)
);
`;
const owners: Record<string, TableOwner> = {
  goods: { owner: 'shop', columnsOf: { till: { columns: ['price'], why: 'It knows them.' } } },
  sale: { owner: 'till', distributedBy: 'project_id' },
};
const faults = (domain: string, statement: string, map = owners) =>
  tableFaults(
    [{ path: `server/domains/${domain}/sql.ts`, text: `const one = (db) => db.run(sql\`${statement}\`);` }],
    migrations,
    map,
  );

test.each([
  ['shop', 'insert into goods values (1)'],
  ['shop', 'update goods set name = 1'],
  ['till', 'update goods g set price = 1, price = greatest(2, name) where g.name = 2'],
  ['till', 'with changed as (update goods set price = 1 returning id) select id from changed'],
  ['till', 'delete from sale'],
])('%s may: %s', (domain, statement) => {
  expect(faults(domain, statement)).toEqual([]);
});

test.each([
  ['till', 'insert into goods values (1)'],
  ['till', 'delete from goods'],
  ['till', 'update goods set price = 1, name = 2 where price = 1'],
  ['till', 'with sold as (delete from sale) update goods set name = 2'],
  ['shop', 'update sale set price = 1'],
])('%s may not: %s', (domain, statement) => {
  expect(faults(domain, statement)).toEqual([expect.stringContaining('call its door.')]);
});

test('reading the table of another domain needs a reason, and a reason needs a reader', () => {
  const read = 'select 1 from sale join goods on true';
  expect(faults('shop', read)).toEqual([expect.stringContaining('reads sale, which belongs to till')]);
  const allowed = { ...owners, sale: { ...(owners.sale as TableOwner), readBy: { shop: 'Why not.' } } };
  expect(faults('shop', read, allowed)).toEqual([]);
  expect(faults('shop', 'select 1 from goods', allowed)).toEqual([expect.stringContaining('which it does not')]);
});

test('each table has an owner, and each owner a table', () => {
  const { sale: _sale, ...rest } = owners;
  expect(faults('shop', 'select 1', rest)).toEqual([expect.stringContaining('sale has no owner')]);
  expect(faults('shop', 'select 1', { ...owners, ghost: { owner: 'shop' } })).toEqual([
    expect.stringContaining('names ghost'),
  ]);
});

test('what distributes a table stands first in its primary key', () => {
  const wrong = { ...owners, goods: { owner: 'shop', distributedBy: 'project_id' } as const };
  expect(faults('shop', 'select 1', wrong)).toEqual([expect.stringContaining('its primary key begins with id')]);
});
