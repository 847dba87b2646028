// The addresses of sites, as an operator sets them.
import type { Queryable, Tx } from '../../../kernel/db.ts';
import { Refusal } from '../../../kernel/errors.ts';
import { domainFault, normalDomain, slugFault } from './rules.ts';
import * as statements from './sql.ts';

/** Sets the name below /s/, or takes it away. Throws Refusal SITE_WRONG, SITE_TAKEN. */
export async function setSlug(tx: Tx, projectId: number, slug: string | null): Promise<void> {
  const fault = slug === null ? undefined : slugFault(slug);
  if (fault !== undefined) throw new Refusal('SITE_WRONG', fault);
  await refuseTaken(tx, projectId, { slug, domain: null });
  await statements.saveSlug(tx, projectId, slug);
}

/** Sets the domain of its own, or takes it away. Throws Refusal SITE_WRONG, SITE_TAKEN. */
export async function setDomain(
  tx: Tx,
  projectId: number,
  domain: string | null,
  publicUrl: string | undefined,
): Promise<void> {
  const normal = domain === null ? null : normalDomain(domain);
  const home = publicUrl === undefined ? undefined : new URL(publicUrl).hostname;
  const fault = normal === null ? undefined : domainFault(normal, home);
  if (fault !== undefined) throw new Refusal('SITE_WRONG', fault);
  await refuseTaken(tx, projectId, { slug: null, domain: normal });
  await statements.saveDomain(tx, projectId, normal);
}

/** Two who come at the same moment meet at the unique index; then the second is a plain failure and may try again. */
async function refuseTaken(
  tx: Tx,
  projectId: number,
  site: { slug: string | null; domain: string | null },
): Promise<void> {
  const holders = await statements.findHolders(tx, site);
  if (holders.some((holder) => holder.project_id !== projectId)) throw new Refusal('SITE_TAKEN');
}

/** The addresses of a project's site; nulls where it has none. */
export async function siteOf(db: Queryable, projectId: number): Promise<statements.SiteRow> {
  return (await statements.selectSite(db, projectId)) ?? { slug: null, domain: null };
}
