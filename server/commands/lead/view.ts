import { purposeKey } from '../../../kernel/purpose-key.ts';
import { createFileSeals, type Lead } from '../../domains/miniapps/miniapps.ts';
import type { Installation } from '../cli/installation.ts';

/** Makes addresses under which the owner fetches files of visitors, good for a month. `home`: where this server is reached. */
export function fileAddresses(
  { ground }: Pick<Installation, 'ground'>,
  home: string,
  nowMs: number,
): (id: string) => string {
  const seals = createFileSeals(purposeKey(ground.masterKey, ground.id, 'roost files'));
  return (id) => `${home}${seals.address(id, nowMs)}`;
}

/** What was sent, as programs see it. */
export function leadView(lead: Lead, fileAddress: (id: string) => string): object {
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
