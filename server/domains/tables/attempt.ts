import type { Tx } from '../../../kernel/db.ts';
import * as statements from './sql.ts';

/** Does something that may turn out not to be allowed: what it gives as objections, one or more, takes all of it back. */
export async function attempt<Objection>(
  tx: Tx,
  work: () => Promise<readonly Objection[]>,
): Promise<readonly Objection[]> {
  await statements.markHere(tx);
  const objections = await work();
  if (objections.length > 0) await statements.takeBack(tx);
  await statements.forgetMark(tx);
  return objections;
}
