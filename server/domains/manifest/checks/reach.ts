// Which pages and bookings can anybody come to?
import type { Fault, FlowDocument } from '../../../../contract/flow.ts';
import type { Manifest } from '../../../../contract/manifest.ts';
import type { Use } from '../uses.ts';
import { own, warn } from './fault.ts';

/** Pages that nothing leads to, and bookings that no form offers. */
export function checkReach(document: FlowDocument, manifest: Manifest, uses: readonly Use[]): Fault[] {
  const reached = reachedPages(document, manifest, uses);
  const offered = new Set(
    Object.values(manifest.forms ?? {}).flatMap(({ fields }) =>
      Object.values(fields).flatMap((field) => (field.type === 'slot' ? [field.booking] : [])),
    ),
  );
  return [
    ...Object.keys(manifest.pages)
      .filter((id) => !reached.has(id))
      .map((id) =>
        warn(
          'page_nowhere',
          `pages.${id}`,
          `Nothing leads to the page "${id}": only whoever knows its address comes there.`,
          `Give it a "menu", or lead there by { "go": "${id}" }.`,
        ),
      ),
    ...Object.keys(manifest.bookings ?? {})
      .filter((id) => !offered.has(id))
      .map((id) =>
        warn(
          'booking_nowhere',
          `bookings.${id}`,
          `No form offers times of "${id}".`,
          'Add a field of the type "slot".',
        ),
      ),
  ];
}

/** From the first page, the menu and the chat along everything that leads on. */
function reachedPages(document: FlowDocument, manifest: Manifest, uses: readonly Use[]): Set<string> {
  const ways = new Map<string | undefined, string[]>();
  // What stands on no page (the action after a form) leads on from anywhere.
  for (const use of uses) if (use.what === 'page') ways.set(use.page, [...(ways.get(use.page) ?? []), use.id]);
  const open = [
    manifest.start,
    ...(ways.get(undefined) ?? []),
    ...Object.keys(manifest.pages).filter((id) => own(manifest.pages, id)?.menu !== undefined),
    ...pagesOfChat(document),
  ];
  const reached = new Set<string>();
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (reached.has(id)) continue;
    reached.add(id);
    open.push(...(ways.get(id) ?? []));
  }
  return reached;
}

/** Pages that blocks of the chat send or open. */
function pagesOfChat({ blocks }: FlowDocument): string[] {
  return Object.values(blocks).flatMap((block) => {
    const opened =
      'buttons' in block.props
        ? (block.props.buttons ?? []).flat().flatMap((button) => (button.kind === 'app' ? [button.page ?? ''] : []))
        : [];
    return block.type === 'page' ? [block.props.page, ...opened] : opened;
  });
}
