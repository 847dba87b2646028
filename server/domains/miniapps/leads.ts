// What visitors have sent, for the owner.
import type { Queryable } from '../../../kernel/db.ts';
import * as statements from './sql.ts';
import type { VisitorProfile } from './visitors/visitor.ts';

export type Lead = {
  readonly number: number;
  readonly form: string;
  readonly kind: string;
  readonly createdAt: Date;
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

function leadOf(row: statements.LeadRow): Lead {
  return {
    number: row.number,
    form: row.form,
    kind: row.kind,
    createdAt: row.created_at,
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
