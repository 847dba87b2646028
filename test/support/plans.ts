import type { Db, Queryable } from '../../kernel/db.ts';
import type { Sql } from '../../kernel/sql.ts';

/** What PostgreSQL does for a statement: the plan it takes, as text, and how many pages it looked at. */
export type Plan = { readonly text: string; readonly pages: number };

/** Runs what `work` asks for, and tells how. Nothing of it stays. */
export async function planOf(db: Db, work: (db: Queryable) => Promise<unknown>): Promise<Plan> {
  const asked: Sql[] = [];
  const note = async (statement: Sql): Promise<never[]> => {
    asked.push(statement);
    return [];
  };
  await work({
    many: note,
    one: async (statement) => void (await note(statement)),
    run: async (statement) => (await note(statement)).length,
  });
  const [statement] = asked;
  if (statement === undefined || asked.length > 1) throw new Error('A plan is that of one statement.');
  let plan: Plan | undefined;
  const undone = new Error('undone');
  await db
    .tx(async (tx) => {
      const rows = await tx.many<{ 'QUERY PLAN': string }>({
        text: `explain (analyze, buffers, costs off, timing off, summary off) ${statement.text}`,
        values: statement.values,
      });
      const text = rows.map((row) => row['QUERY PLAN']).join('\n');
      const [, hit = '0'] = /Buffers: shared hit=(\d+)/.exec(text) ?? [];
      const [, read = '0'] = /Buffers: shared.* read=(\d+)/.exec(text) ?? [];
      plan = { text, pages: Number(hit) + Number(read) };
      throw undone;
    })
    .catch((error: unknown) => {
      if (error !== undone) throw error;
    });
  return plan as Plan;
}
