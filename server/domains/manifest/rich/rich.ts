// A page as a rich message of Telegram: as much of it as a message can be. Pure.
import type { FlowDocument } from '../../../../contract/flow.ts';
import { Scope } from './blocks.ts';
import { fitted } from './size.ts';
import type { RichBlock, RichMessage, RichPlace } from './types.ts';

const OPEN_IN_APP = { ru: 'Открыть в приложении', en: 'Open in the app' };

/**
 * The page in this language. What cannot be in a message (forms, the cart, rows, what depends on the visitor) is left out,
 * and what is over Telegram's limits is cut off at a block; where something is missing, a button opens the page, if it can
 * be opened. undefined: there is no such page, or nothing of it can be shown.
 */
export function richPage(
  document: FlowDocument,
  page: string,
  locale: string,
  place: RichPlace,
): RichMessage | undefined {
  const pages = document.app?.pages ?? {};
  const one = Object.hasOwn(pages, page) ? pages[page] : undefined;
  if (one === undefined) return undefined;
  const scope = new Scope(document, page, locale, place);
  const drawn = scope.element(one.root);
  const body = drawn.some(isContent) ? drawn : [...titleOf(scope, one.title), ...drawn];
  const main = one.mainButton ? scope.button(one.mainButton.text, one.mainButton.do, true) : [];
  const second = one.secondaryButton ? scope.button(one.secondaryButton.text, one.secondaryButton.do) : [];
  const whole = [...body, ...main, ...second];
  const more = moreButton(page, locale, place);
  const kept = fitted(whole, more);
  const isLess = scope.isLess || kept.length < whole.length;
  const blocks = isLess ? [...kept, ...more] : kept;
  return blocks.length === 0 ? undefined : { blocks };
}

/** Buttons alone are no message: the title of the page says what they are about. */
const isContent = ({ type }: RichBlock): boolean => type !== 'buttons' && type !== 'divider';

function titleOf(scope: Scope, title: string): RichBlock[] {
  const text = scope.texts.plain(title) ?? '';
  return text === '' ? [] : [{ type: 'heading', text, size: 1 }];
}

function moreButton(page: string, locale: string, place: RichPlace): RichBlock[] {
  const target = place.open(page);
  const text = /^ru\b/.test(locale) ? OPEN_IN_APP.ru : OPEN_IN_APP.en;
  return target === undefined ? [] : [{ type: 'buttons', buttons: [{ text, style: 'primary', ...target }] }];
}
