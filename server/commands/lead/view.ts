import type { Queryable } from '../../../kernel/db.ts';
import { purposeKey } from '../../../kernel/purpose-key.ts';
import { createFileSeals, formsSent, type Lead } from '../../domains/miniapps/miniapps.ts';
import { type Project, readRelease } from '../../domains/projects/projects.ts';
import type { Installation } from '../cli/installation.ts';

/**
 * Makes addresses under which the owner fetches files of visitors, good for a month; none where the master key is lost.
 * `home`: where this server is reached.
 */
export function fileAddresses(
  { ground }: Pick<Installation, 'ground'>,
  home: string,
  nowMs: number,
): (id: string) => string | null {
  if (!ground.hasKey) return () => null;
  const seals = createFileSeals(purposeKey(ground.masterKey(), ground.id, 'roost files'));
  return (id) => `${home}${seals.address(id, nowMs)}`;
}

/** Why there is nothing to show: nobody has sent anything, or nothing by this form, or no form has this name. */
export async function nothingSent(db: Queryable, project: Project, form: string | undefined): Promise<string> {
  if (form === undefined) return 'Nobody has sent anything yet.';
  const { id, name, releaseNumber } = project;
  const release = releaseNumber === null ? undefined : await readRelease(db, id, releaseNumber);
  const forms = [...new Set([...Object.keys(release?.document.app?.forms ?? {}), ...(await formsSent(db, id))])];
  if (forms.includes(form)) return `Nobody has sent anything by the form "${form}" yet.`;
  return `"${name}" has no form "${form}". ${forms.length > 0 ? `It has ${forms.join(', ')}.` : 'It has none.'}`;
}

/** What was sent, as programs see it. */
export function leadView(lead: Lead, fileAddress: (id: string) => string | null): object {
  return { ...lead, files: lead.files.map((file) => ({ ...file, address: fileAddress(file.id) })) };
}

/** Who has sent it, in a few words. */
export function visitorName({ visitor, fields }: Lead): string {
  const name = [visitor.firstName, visitor.lastName].filter((part) => part !== '').join(' ');
  if (visitor.username !== '') return `${name} @${visitor.username}`.trim();
  const given = fields['name'];
  return name || (typeof given === 'string' ? given : '') || (visitor.kind === 'web' ? 'from the site' : visitor.id);
}

/** The lines of an order in one: `Honey × 2, Tea (M) × 1`. */
export function orderLine(lead: Lead): string {
  return lead.lines
    .map(({ title, variant, count }) => `${title}${variant === null ? '' : ` (${variant})`} × ${count}`)
    .join(', ');
}
