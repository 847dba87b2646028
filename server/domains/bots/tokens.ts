// Opened tokens of the bots that are in use.
import type { Queryable } from '../../../kernel/db.ts';
import { Refusal } from '../../../kernel/errors.ts';
import type { SealedToken } from './sql.ts';
import { readTokens } from './sql.ts';
import type { SealingKey, Vault } from './vault.ts';
import { open } from './vault.ts';

export type Tokens = {
  /** Throws Refusal BOT_NOT_FOUND or KEY_WRONG, or a database fault. */
  get(id: number): Promise<string>;
  forget(id: number): void;
};

const idsAQuery = 500;

type Waiter = { resolve(token: string): void; reject(error: unknown): void };

/**
 * Tokens by bot, the least recently used dropped beyond `tokensMax`. Those that are asked for in one turn of the
 * event loop are read by one statement, so that the first send of a thousand bots is no thousand queries.
 * `revOf` tells the revision the caller knows: what was read before it is not kept.
 */
export function createTokens(
  db: Queryable,
  vault: Vault,
  options: { tokensMax: number; revOf(id: number): number | undefined },
): Tokens {
  const opened = new Map<number, string>();
  let wanted = new Map<number, Waiter[]>();

  function keep(id: number, token: string): void {
    opened.delete(id);
    opened.set(id, token);
    if (opened.size > options.tokensMax) opened.delete(opened.keys().next().value as number);
  }

  function settle(row: SealedToken | undefined, waiters: readonly Waiter[], keys: Map<string, SealingKey>): void {
    try {
      if (row === undefined || row.token_sealed === null || row.data_key === null) throw new Refusal('BOT_NOT_FOUND');
      const token = openToken(vault, row, keys);
      if (row.rev >= (options.revOf(row.id) ?? 0)) keep(row.id, token);
      for (const waiter of waiters) waiter.resolve(token);
    } catch (error) {
      for (const waiter of waiters) waiter.reject(error);
    }
  }

  async function read(ids: readonly number[], waiting: ReadonlyMap<number, Waiter[]>): Promise<void> {
    try {
      const rows = new Map((await readTokens(db, ids)).map((row) => [row.id, row]));
      const keys = new Map<string, SealingKey>();
      for (const id of ids) settle(rows.get(id), waiting.get(id) ?? [], keys);
    } catch (error) {
      for (const id of ids) for (const waiter of waiting.get(id) ?? []) waiter.reject(error);
    }
  }

  function readWanted(): void {
    const waiting = wanted;
    wanted = new Map();
    const ids = [...waiting.keys()];
    for (let from = 0; from < ids.length; from += idsAQuery) void read(ids.slice(from, from + idsAQuery), waiting);
  }

  return {
    get(id) {
      const token = opened.get(id);
      if (token !== undefined) {
        keep(id, token);
        return Promise.resolve(token);
      }
      return new Promise((resolve, reject) => {
        if (wanted.size === 0) setImmediate(readWanted);
        const waiters = wanted.get(id);
        if (waiters) waiters.push({ resolve, reject });
        else wanted.set(id, [{ resolve, reject }]);
      });
    },
    forget: (id) => void opened.delete(id),
  };
}

/** Bots of one project share its data key, which is opened once a statement. */
function openToken(vault: Vault, row: SealedToken, keys: Map<string, SealingKey>): string {
  const key = keys.get(row.project_public_id) ?? vault.openDataKey(row.data_key as Buffer, row.project_public_id);
  keys.set(row.project_public_id, key);
  return open(key, tokenPlace(row.public_id), row.token_sealed as Buffer);
}

export function tokenPlace(publicId: string): { table: string; column: string; publicId: string } {
  return { table: 'integration', column: 'token_sealed', publicId };
}

export function secretPlace(publicId: string): { table: string; column: string; publicId: string } {
  return { table: 'integration', column: 'secret_sealed', publicId };
}
