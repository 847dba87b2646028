// Does pressing do something? A link that leads nowhere is drawn like any other, and whoever presses it sees nothing happen.
import type { Action } from '../../../../contract/app/actions.ts';
import type { Fault, FlowDocument } from '../../../../contract/flow.ts';
import type { Manifest } from '../../../../contract/manifest.ts';
import type { Use } from '../uses.ts';
import { named, own, stop, warn } from './fault.ts';

type Pressed = Extract<Use, { what: 'action' }>;
/** An action of one kind. */
type Doing<Kind extends string> = Extract<Action, { [Name in Kind]: unknown }>;

/** Every action, by what it takes where it stands. */
export function checkActions(document: FlowDocument, manifest: Manifest, uses: readonly Use[]): Fault[] {
  const shown = formsOfPages(uses);
  const withItem = new Set(uses.flatMap((use) => (use.what === 'page' && use.rows !== undefined ? [use.id] : [])));
  return uses.flatMap((use): Fault[] => {
    if (use.what !== 'action') return [];
    const { action } = use;
    if ('cart' in action) return action.cart === 'clear' ? [] : checkCart(manifest, action, use, withItem);
    if ('submit' in action) return checkSubmit(action, use, shown);
    if ('go' in action) return checkGo(manifest, action, use, withItem);
    if ('chat' in action) return checkChat(document, action, use);
    if ('language' in action && document.locales.length === 1)
      return [
        warn(
          'prop_unused',
          `${use.path}.language`,
          'There is no other language to change from.',
          'Add it to "locales".',
        ),
      ];
    return [];
  });
}

/** What goes into the cart is the row at hand, and the cart holds rows of the shop alone. */
function checkCart(manifest: Manifest, { cart }: Doing<'cart'>, use: Pressed, withItem: ReadonlySet<string>): Fault[] {
  const { shop } = manifest;
  const { rows, path } = use;
  if (shop === undefined || rows === undefined) return [];
  const fix = `Put it inside a list of rows ("each" from "${shop.data}"), or onto the page of one of them; "clear" needs no row.`;
  if (rows.length === 0 || isPageOnly(manifest, use, withItem))
    return [stop('row_nowhere', `${path}.cart`, `"${cart}" is about the row at hand, and there is none here.`, fix)];
  if (rows.includes(shop.data)) return [];
  const message = `The cart holds rows of "${shop.data}", and the row here is one of ${named(rows)}.`;
  return [stop('row_nowhere', `${path}.cart`, message, fix)];
}

/** Any address may end in the number of a row of the shop. Where a page neither says so nor is led to with one, none does. */
function isPageOnly(manifest: Manifest, { page, isListed }: Pressed, withItem: ReadonlySet<string>): boolean {
  if (page === undefined || isListed) return false;
  return own(manifest.pages, page)?.data === undefined && !withItem.has(page);
}

function checkSubmit(
  { submit }: Doing<'submit'>,
  use: Pressed,
  shown: ReadonlyMap<string, ReadonlySet<string>>,
): Fault[] {
  const pages = shown.get(submit);
  // A form that is nowhere is told where it stands.
  if (pages === undefined || use.page === undefined || pages.has(use.page)) return [];
  return [
    stop(
      'form_elsewhere',
      `${use.path}.submit`,
      `The form "${submit}" does not stand on the page "${use.page}", so there is nothing to send.`,
      `It stands on ${named([...pages])}: lead there by "go", or put it here too.`,
    ),
  ];
}

/** On which pages each form is asked. */
function formsOfPages(uses: readonly Use[]): Map<string, Set<string>> {
  const pages = new Map<string, Set<string>>();
  for (const use of uses) {
    if (use.what !== 'form' || !use.shown || use.page === undefined) continue;
    pages.set(use.id, (pages.get(use.id) ?? new Set()).add(use.page));
  }
  return pages;
}

function checkGo(manifest: Manifest, action: Doing<'go'>, use: Pressed, withItem: ReadonlySet<string>): Fault[] {
  const isHere = use.page === action.go && action.item !== true;
  // From one row to the page of all of them is a way.
  if (!isHere || withItem.has(action.go) || own(manifest.pages, action.go)?.data !== undefined) return [];
  const others = Object.keys(manifest.pages).filter((id) => id !== action.go);
  return [
    warn(
      'link_here',
      `${use.path}.go`,
      `This leads to the page it stands on.`,
      `Lead to another one: ${named(others)}.`,
    ),
  ];
}

/** A start parameter is heard by `start`, which may name its own, and by the command of that name. */
function checkChat({ triggers }: FlowDocument, { chat }: Doing<'chat'>, { path }: Pressed): Fault[] {
  if (chat === '') return [];
  const isHeard = Object.values(triggers).some((trigger) => {
    if (trigger.type === 'command') return trigger.props.command === 'start';
    if (trigger.type !== 'start') return false;
    const { equals, prefix } = trigger.props;
    return equals === undefined ? chat.startsWith(prefix ?? '') : equals === chat;
  });
  if (isHeard) return [];
  return [
    warn(
      'chat_unheard',
      `${path}.chat`,
      `Nothing in the chat hears the start parameter "${chat}".`,
      `Add a trigger { "type": "start", "props": { "equals": "${chat}" } }, or write "".`,
    ),
  ];
}
