import type { Db } from './db.ts';
import { Refusal } from './errors.ts';

/**
 * A pool at which no more than `waitingMax` callers stand in line: whoever comes then is refused at once with BUSY, since
 * what waits for long holds memory and is answered to somebody who has gone.
 */
export function boundedDb(db: Db, waitingMax: number): Db {
  const bounded =
    <Given extends unknown[], Result>(ask: (...given: Given) => Promise<Result>) =>
    async (...given: Given): Promise<Result> => {
      if (db.load().waiting >= waitingMax) throw new Refusal('BUSY');
      return ask(...given);
    };
  return {
    ...db,
    many: bounded(db.many) as Db['many'],
    one: bounded(db.one) as Db['one'],
    run: bounded(db.run),
    tx: bounded(db.tx) as Db['tx'],
    batch: bounded(db.batch) as Db['batch'],
  };
}
