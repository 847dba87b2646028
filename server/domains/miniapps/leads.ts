// What visitors have sent, for the owner.
import type { Queryable, Tx } from '../../../kernel/db.ts';
import { Refusal } from '../../../kernel/errors.ts';
import { giveToRows } from '../tables/tables.ts';
import * as statements from './sql.ts';
import type { VisitorProfile } from './visitors/visitor.ts';

export type Lead = {
  readonly number: number;
  readonly form: string;
  readonly kind: string;
  readonly createdAt: Date;
  /** Undefined: it stands. */
  readonly cancelledAt: Date | undefined;
  readonly visitor: VisitorProfile & { readonly kind: 'telegram' | 'web' };
  readonly fields: { readonly [field: string]: unknown };
  /** The same for people. */
  readonly words: { readonly [field: string]: string };
  readonly lines: readonly {
    readonly id: number;
    readonly title: string;
    readonly variant: string | null;
    readonly count: number;
    readonly price: number;
  }[];
  readonly files: readonly { readonly id: string; readonly name: string; readonly field: string }[];
  readonly total: number | null;
  readonly currency: string | null;
  readonly locale: string;
  readonly start: string | null;
};

export type LeadList = {
  readonly form?: string | undefined;
  readonly before?: number | undefined;
  readonly limit: number;
};

/** The newest first. */
export async function listLeads(db: Queryable, projectId: number, list: LeadList): Promise<Lead[]> {
  const rows = await statements.selectLeads(db, {
    projectId,
    form: list.form ?? null,
    before: list.before ?? null,
    limit: list.limit,
  });
  return rows.map(leadOf);
}

export async function countLeads(db: Queryable, projectId: number, form?: string): Promise<number> {
  return (await statements.countLeads(db, projectId, form ?? null))?.count ?? 0;
}

/** The forms that visitors have sent something by. */
export const formsSent = async (db: Queryable, projectId: number): Promise<string[]> =>
  (await statements.leadForms(db, projectId)).map(({ form }) => form);

export type Cancelled = {
  /** False: it was cancelled before, and nothing was done. */
  readonly changed: boolean;
  /** A time became free. */
  readonly freed: boolean;
  /** How many goods went back to where they were taken from; those whose row is gone did not. */
  readonly goods: number;
};

/**
 * Takes back what a visitor has sent: its times are free again and its goods are back in stock. The entry itself stays,
 * and nobody is told. Throws Refusal LEAD_NOT_FOUND.
 */
export async function cancelLead(tx: Tx, projectId: number, number: number): Promise<Cancelled> {
  const lead = await statements.cancelLead(tx, projectId, number);
  if (lead === undefined) {
    if ((await statements.hasLead(tx, projectId, number)) === undefined) throw new Refusal('LEAD_NOT_FOUND');
    return { changed: false, freed: false, goods: 0 };
  }
  const cells = await statements.freeCells(tx, lead.id);
  const taken = await statements.takenGoods(tx, lead.id);
  let goods = 0;
  for (const { table, column, items } of taken)
    goods += await giveToRows(tx, { projectId, name: table }, { column, items });
  return { changed: true, freed: cells > 0, goods };
}

function leadOf(row: statements.LeadRow): Lead {
  return {
    number: row.number,
    form: row.form,
    kind: row.kind,
    createdAt: row.created_at,
    cancelledAt: row.cancelled_at ?? undefined,
    visitor: { ...JSON.parse(row.profile), kind: row.visitor_id.startsWith('tg:') ? 'telegram' : 'web' },
    fields: JSON.parse(row.fields),
    words: JSON.parse(row.words),
    lines: row.lines === null ? [] : JSON.parse(row.lines),
    files: row.files === null ? [] : JSON.parse(row.files),
    total: row.total,
    currency: row.currency,
    locale: row.locale,
    start: row.start,
  };
}
