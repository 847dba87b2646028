// Rows of the data sources of a release, as phones get them, and word of their changes.

import { APP_LIMITS } from '../../../../contract/app/limits.ts';
import type { AppRows, Row, Scalar } from '../../../../contract/app/view.ts';
import type { Data } from '../../../../contract/manifest.ts';
import type { Db, Queryable } from '../../../../kernel/db.ts';
import type { Kit } from '../../../../kernel/kit.ts';
import { type Loop, loop } from '../../../../kernel/loop.ts';
import { type Place, projectRevs, type Query, rowsOf } from '../../tables/tables.ts';
import type { AppRelease } from './releases.ts';

/** A table as the release describes it; undefined where it has none of this name. */
export function placeOf(release: AppRelease, data: Data): Place | undefined {
  const table = release.document.tables?.[data.table];
  return table && { projectId: release.projectId, name: data.table, table };
}

export function queryOf(data: Data): Query {
  return {
    where: data.where,
    sort: data.sort,
    descending: data.descending,
    limit: Math.min(data.limit ?? APP_LIMITS.rowsPerData, APP_LIMITS.rowsPerData),
  };
}

/** How rows are shown: in which language, and where photos are fetched; without `address` there are none. */
export type RowsFor = { readonly locale: string; readonly address?: (mediaId: string) => string | undefined };

/**
 * The rows of one data source: what it names, and nothing else. A column `title_en` that is filled in stands in for
 * `title` where English is read.
 */
export async function readRows(
  db: Queryable,
  release: AppRelease,
  data: Data,
  { locale, address = () => undefined }: RowsFor,
): Promise<Row[]> {
  const place = placeOf(release, data);
  if (place === undefined) return [];
  const rows = await rowsOf(db, place, queryOf(data));
  return rows.map(({ id, values }) => {
    const row: { id: number; [field: string]: Scalar } = { id };
    for (const field of data.fields) {
      const value = filled(values, `${field}_${locale}`) ?? filled(values, field);
      if (value === undefined || field === 'id') continue;
      const shown = place.table.columns[field]?.type === 'photo' ? address(String(value)) : value;
      if (shown !== undefined) row[field] = shown;
    }
    return row;
  });
}

function filled(values: { readonly [column: string]: Scalar }, column: string): Scalar | undefined {
  const value = Object.hasOwn(values, column) ? values[column] : undefined;
  return value === '' ? undefined : value;
}

/** All data sources at once. */
export async function readAllRows(db: Queryable, release: AppRelease, wanted: RowsFor): Promise<AppRows> {
  const rows: { [data: string]: readonly Row[] } = {};
  for (const [id, data] of Object.entries(release.app.data ?? {})) rows[id] = await readRows(db, release, data, wanted);
  return rows;
}

/** Whether the tables of a project have changed, without asking the database each time. */
export type RowWatch = Loop & {
  /** The revision as last seen; undefined where nobody has looked yet. */
  peek(projectId: number): number | undefined;
  get(projectId: number): Promise<number>;
  /** Forgets all revisions: another server counts on from other ones. */
  forget(): void;
  /** Looks now: this process has changed something itself. */
  look(projectId: number): Promise<void>;
};

/** Projects that nobody has asked for in this time are not watched any more. */
const watchedMs = 600_000;
const pauseMsMin = 750;
const pauseMsSpread = 500;
const projectsALook = 2_000;

type Seen = { rev: number; askedMs: number };

export function createRowWatch(kit: Kit, db: Db): RowWatch {
  const seen = new Map<number, Seen>();

  async function look(ids: readonly number[]): Promise<void> {
    const revs = await projectRevs(db, ids);
    for (const [id, rev] of revs) {
      const known = seen.get(id);
      if (known) known.rev = rev;
      else seen.set(id, { rev, askedMs: kit.monotonicMs() });
    }
  }

  async function pass(): Promise<number> {
    const oldest = kit.monotonicMs() - watchedMs;
    for (const [id, { askedMs }] of seen) if (askedMs < oldest) seen.delete(id);
    const ids = [...seen.keys()];
    for (let at = 0; at < ids.length; at += projectsALook) await look(ids.slice(at, at + projectsALook));
    return pauseMsMin + kit.random() * pauseMsSpread;
  }

  return {
    ...loop(kit, 'app-rows', pass),
    peek(projectId) {
      const known = seen.get(projectId);
      if (known) known.askedMs = kit.monotonicMs();
      return known?.rev;
    },
    async get(projectId) {
      if (!seen.has(projectId)) await look([projectId]);
      return this.peek(projectId) ?? 0;
    },
    forget: () => seen.clear(),
    look: (projectId) => look([projectId]),
  };
}
