// What a migration must not do to a table that may hold ten million rows while the system runs.
import type { Migration } from '../kernel/migration-files.ts';
import { tableOwners } from './table-owners.ts';

/** Tables that grow with what people do. */
const big = Object.entries(tableOwners)
  .flatMap(([table, { distributedBy }]) => (distributedBy === undefined ? [] : [table]))
  .join('|');

/** Released before there were steps. */
const releasedBefore = 7;

const lawless: { readonly pattern: RegExp; readonly words: string }[] = [
  {
    pattern: new RegExp(`create (?:unique )?index (?!concurrently)(?:if not exists )?\\w+ on (${big})\\b`, 'i'),
    words: 'builds an index while writers wait. Use "create index concurrently" in a step that runs alone',
  },
  {
    pattern: new RegExp(`alter table (?:only )?(${big})\\b[^;]*alter (?:column )?\\w+ (?:set data )?type\\b`, 'i'),
    words: 'rewrites the table. Add a column, fill it in batches, and read both meanwhile',
  },
  {
    pattern: new RegExp(
      `alter table (?:only )?(${big})\\b(?![^;]*not valid)[^;]*(?:\\bcheck \\(|\\bforeign key\\b|\\breferences\\b|\\bset not null\\b)`,
      'i',
    ),
    words: 'reads the whole table under a lock. Add it "not valid", and validate it in a step of its own',
  },
  {
    pattern: new RegExp(`^\\s*(?:update (${big})|delete from (${big}))\\b`, 'im'),
    words: 'changes many rows in one transaction. Do it in batches',
  },
];

/** A sentence for each statement that holds up those who read and write a big table longer than a lock_timeout. */
export function holdUps({ name, number, text, steps }: Migration): string[] {
  if (number <= releasedBefore) return [];
  const created = new Set([...text.matchAll(/create table (\w+)/gi)].map((match) => match[1]));
  return steps
    .filter((step) => step.kind !== 'batches')
    .flatMap((step) =>
      lawless.flatMap(({ pattern, words }) => {
        const found = pattern.exec(step.text);
        const table = found?.slice(1).find((group) => group !== undefined);
        return table === undefined || created.has(table) ? [] : [`${name}: ${table}: this ${words}.`];
      }),
    );
}
