// Who writes which table, and who reads another's: read off the statements themselves.
import type { Source } from './habits.ts';
import type { TableOwner } from './table-owners.ts';

type Owners = Readonly<Record<string, TableOwner>>;

/**
 * A sentence for each table without an owner, each statement that writes another's table, each that reads one without a
 * reason, and each reason that nobody needs. `migrations` are all of them as one text.
 */
export function tableFaults(statements: readonly Source[], migrations: string, owners: Owners): string[] {
  const created = new Set(
    [...migrations.matchAll(/^create (?:unlogged )?table (\w+)/gim)].map(([, name]) => name ?? ''),
  );
  for (const [, from, to] of migrations.matchAll(/^alter table (\w+) rename to (\w+)/gim)) {
    created.delete(from ?? '');
    created.add(to ?? '');
  }
  const uses = statements.flatMap((source) => usesOf(source, created));
  const reasons = Object.entries(owners).flatMap(([table, { readBy }]) =>
    Object.keys(readBy ?? {}).map((domain) => ({ table, domain })),
  );
  return [
    ...[...created].filter((table) => !owners[table]).map((table) => `${table} has no owner in tools/table-owners.ts.`),
    ...Object.keys(owners)
      .filter((table) => !created.has(table))
      .map((table) => `tools/table-owners.ts names ${table}, which no migration creates.`),
    ...new Set(uses.flatMap((use) => misuse(use, owners))),
    ...reasons
      .filter(({ table, domain }) => !uses.some((use) => !use.writes && use.table === table && use.domain === domain))
      .map(({ table, domain }) => `tools/table-owners.ts lets ${domain} read ${table}, which it does not.`),
    ...Object.entries(owners).flatMap(([table, owner]) => keyFaults(table, owner, migrations)),
  ];
}

type Use = {
  readonly path: string;
  readonly domain: string;
  readonly table: string;
  readonly writes: boolean;
  /** Of an update: the columns that it sets. */
  readonly columns: readonly string[];
};

function usesOf({ path, text }: Source, tables: ReadonlySet<string>): Use[] {
  const domain = path.startsWith('kernel/') ? 'kernel' : (/^server\/domains\/([^/]+)\//.exec(path)?.[1] ?? path);
  return [...text.matchAll(/\bsql`([^`]*)`/g)].flatMap(([, statement = '']) =>
    [...statement.matchAll(/\b(insert into|update|delete from|from|join)\s+(\w+)/gi)]
      .filter(([, , table]) => tables.has(table ?? ''))
      .map(({ 1: verb = '', 2: table = '', index }) => ({
        path,
        domain,
        table,
        writes: !/^(from|join)$/i.test(verb),
        columns: /^update$/i.test(verb) ? columnsSet(statement.slice(index)) : [],
      })),
  );
}

/** What an update sets, read up to where its assignments end. */
function columnsSet(update: string): string[] {
  const assignments =
    /^update\s+\w+(?:\s+(?:as\s+)?\w+)?\s+set\s+([\s\S]*?)(?=\b(?:where|from|returning)\b|\)\s*,|$)/i.exec(update);
  return [...(assignments?.[1] ?? '').matchAll(/(?:^|,)\s*(\w+)\s*=/g)].map(([, column = '']) => column);
}

function misuse({ path, domain, table, writes, columns }: Use, owners: Owners): string[] {
  const owner = owners[table];
  if (!owner || owner.owner === domain) return [];
  const theirs = owner.columnsOf?.[domain]?.columns ?? [];
  if (writes && columns.length > 0 && columns.every((column) => theirs.includes(column))) return [];
  if (writes) return [`${path} writes ${table}, which belongs to ${owner.owner}: call its door.`];
  return owner.readBy?.[domain] === undefined
    ? [
        `${path} reads ${table}, which belongs to ${owner.owner}: call its door, or say why not in tools/table-owners.ts.`,
      ]
    : [];
}

function keyFaults(table: string, { distributedBy }: TableOwner, migrations: string): string[] {
  if (typeof distributedBy !== 'string') return [];
  const body =
    new RegExp(`^create (?:unlogged )?table ${table} \\(([\\s\\S]*?)^\\);`, 'im').exec(migrations)?.[1] ?? '';
  const key = /primary key \((\w+)/i.exec(body)?.[1] ?? /^\s*(\w+)[^,\n]* primary key/im.exec(body)?.[1];
  return key === distributedBy
    ? []
    : [`${table} is distributed by ${distributedBy}, and its primary key begins with ${key}.`];
}
