// The buttons of a page: Telegram draws them below it; on the web they are a bar, unless the page has a button for the
// same thing where it belongs.

import type { Action } from '../../../contract/app/actions.ts';
import type { Element } from '../../../contract/app/elements.ts';
import type { Shop } from '../../../contract/app/forms.ts';
import type { AppView, Drawn, DrawnButton, Live, Test } from '../../../contract/app/view.ts';
import type { Page } from '../../../contract/manifest.ts';
import { ALWAYS, deedOf, h, is, isSet, plain, press, type Scope, testOf, when } from './nodes.ts';

/** An element and everything in it. `depth` ends what a manifest that nobody has checked might never end. */
export function elementsIn({ elements }: Pick<AppView, 'elements'>, id: string, depth = 0): readonly Element[] {
  const one: Element | undefined = Object.hasOwn(elements, id) ? elements[id] : undefined;
  if (one === undefined || depth > 32) return [];
  return [one, ...(one.children ?? []).flatMap((child) => elementsIn({ elements }, child, depth + 1))];
}

/** An own button of the page. It steps back while Telegram shows one that does the same. */
export function unlessTelegrams({ view, page }: Scope, action: Action, drawn: Drawn): Drawn {
  const { mainButton, secondaryButton } = view.pages[page] ?? {};
  if (mainButton !== undefined && isSame(mainButton.do, action)) return when(onPage('main'), [drawn]);
  if (secondaryButton !== undefined && isSame(secondaryButton.do, action)) return when(onPage('second'), [drawn]);
  return drawn;
}

/** Whether Telegram does not draw this button: on the web, and the second one in an older client (`page.buttons`). */
const onPage = (which: 'main' | 'second'): Test =>
  which === 'main' ? is('page.buttons', 'all') : isSet('page.buttons');

/** What means another thing for every row of a list is no button of the page, though it says the same. */
export const isOfRow = (action: Action): boolean => 'cart' in action || ('go' in action && action.item === true);

const isSame = (one: Action, other: Action): boolean => JSON.stringify(one) === JSON.stringify(other);

/** A price that is not below nothing: what an order may have. */
export const hasPrice = (shop: Shop): Test => ['|', [['>', `row.${shop.price}`, 0], is(`row.${shop.price}`, '0')]];

/** What a page has for Telegram, and for the web. Where the main button has nothing to do, the second one is the strong one. */
export function pageButtons(
  scope: Scope,
  page: Page,
): { readonly main?: DrawnButton | undefined; readonly second?: DrawnButton | undefined; readonly bar: Drawn[] } {
  const button = (one: Page['mainButton']): DrawnButton | undefined =>
    one && { text: wordsOf(scope, one), do: deedOf(scope, one.do), if: useOf(scope, page, one.do) };
  const main = button(page.mainButton);
  const second = button(page.secondaryButton);
  const quiet: Live = main ? { if: main.if, show: 'button quiet', or: 'button main' } : 'button main';
  const bar = [
    ...inBar(scope, page, page.secondaryButton, second, quiet, 'second'),
    ...inBar(scope, page, page.mainButton, main, 'button main', 'main'),
  ];
  const uses = bar.map(({ use }) => use);
  const drawn = h(
    'div.bar',
    {},
    bar.map(({ use, button }) => when(use, [button])),
  );
  return {
    main,
    second,
    bar: uses.length > 0 ? [when(['&', [isSet('page.buttons'), ['|', uses]]], [drawn])] : [],
  };
}

type Button = NonNullable<Page['mainButton']>;

/** A quiz goes on to its next question until the last one, whatever its button says then. */
function wordsOf(scope: Scope, { text, do: action }: Button): Live {
  const words = plain(scope, text);
  const isQuiz =
    'submit' in action &&
    Object.values(scope.view.elements).some((one) => one.type === 'quiz' && one.props.form === action.submit);
  return isQuiz ? { if: isSet(`more.${action.submit}`), show: scope.view.words.next, or: words } : words;
}

/** When a button of the page has something to do: goods that can be had, a form in sight that was not sent, a cart that is not empty. */
function useOf({ view }: Scope, page: Page, action: Action): Test {
  const way = wayTo(view, page.root, action);
  if ('submit' in action) return ['&', [['!', isSet(`done.${action.submit}`)], ...(way ?? [])]];
  if ('cart' in action && action.cart === 'add' && view.shop) {
    const { stock } = view.shop;
    const left: Test[] = stock === undefined ? [] : [['!', ['<', `row.${stock}`, 1]]];
    // Of what is in the cart already, there is a counter.
    const isNew: Test[] = way === undefined ? [] : [['!', ['>', 'row.$count', 0]]];
    return ['&', [isSet('row.id'), hasPrice(view.shop), ...left, ...isNew]];
  }
  const root = 'go' in action ? view.pages[action.go]?.root : undefined;
  return root !== undefined && showsCart(view, root) ? ['>', 'cart.count', 0] : ALWAYS;
}

const showsCart = (view: Pick<AppView, 'elements'>, id: string): boolean =>
  elementsIn(view, id).some(({ type }) => type === 'cart' || type === 'summary');

/** Whether this element has a button for that, which steps back inside Telegram. */
function does(one: Element, action: Action): boolean {
  if ('submit' in action) return (one.type === 'form' || one.type === 'quiz') && one.props.form === action.submit;
  if ('cart' in action) return one.type === 'product' && action.cart === 'add';
  return one.type === 'button' && !isOfRow(action) && isSame(one.props.do, action);
}

/** The conditions on the way to the element of a page that does this; nothing where none does. */
function wayTo(view: AppView, id: string, action: Action, depth = 0): readonly Test[] | undefined {
  const one: Element | undefined = Object.hasOwn(view.elements, id) ? view.elements[id] : undefined;
  if (one === undefined || depth > 32) return undefined;
  const own = one.showIf ? [testOf({ view }, one.showIf)] : [];
  if (does(one, action)) return own;
  for (const child of one.children ?? []) {
    const way = wayTo(view, child, action, depth + 1);
    if (way !== undefined) return [...own, ...way];
  }
  return undefined;
}

/** In the bar of the web, while the page shows no button of its own for it. */
function inBar(
  scope: Scope,
  page: Page,
  one: Button | undefined,
  drawn: DrawnButton | undefined,
  look: Live,
  which: 'main' | 'second',
): Barred[] {
  if (one === undefined || drawn === undefined) return [];
  const way = wayTo(scope.view, page.root, one.do);
  if (way?.length === 0) return [];
  return [
    {
      use: ['&', [onPage(which), drawn.if, ...(way === undefined ? [] : [['!', ['&', way]] as const])]],
      button: press(scope, one.do, '', [drawn.text], { class: look }),
    },
  ];
}

type Barred = { readonly use: Test; readonly button: Drawn };
