// The key that seals what a project keeps secret.
import type { Tx } from '../../../../kernel/db.ts';
import type { BotsDeps } from '../deps.ts';
import type { SealingKey } from '../vault.ts';
import { setDataKey } from './sql.ts';

/** The data key of a project, made where it has none. */
export async function dataKeyOf(
  { vault }: Pick<BotsDeps, 'vault'>,
  tx: Tx,
  project: { readonly id: number; readonly publicId: string },
): Promise<SealingKey> {
  const fresh = vault.makeDataKey(project.publicId);
  const standing = await setDataKey(tx, project.id, fresh.sealed);
  return vault.openDataKey(standing?.data_key ?? fresh.sealed, project.publicId);
}
