// What blocks draw with.

import type { Action } from '../../../contract/app/actions.ts';
import type { AppCondition } from '../../../contract/app/conditions.ts';
import type { ElementType, PropsOf } from '../../../contract/app/elements.ts';
import type { AppSpan, Content } from '../../../contract/app/texts.ts';
import type { AppView, Deed, Drawn, DrawnAttrs, Live, LiveValue, Test } from '../../../contract/app/view.ts';
import { isAttribute } from '../html.ts';
import { address } from '../places.ts';

/** What a block knows beside its props: the app in one language, and the page it stands on. */
export type Scope = { readonly view: AppView; readonly page: string };

/** `kids` are what the element holds, drawn; `id` is its own. */
export type Block<Type extends ElementType> = (
  props: PropsOf<Type>,
  scope: Scope,
  kids: readonly (readonly Drawn[])[],
  id: string,
) => readonly Drawn[];

/**
 * An element. The tag carries its classes: `h('p.hint', {}, ['text'])`. An attribute that no page has is left out: phones
 * take the names that stand here as they are.
 */
export function h(tag: string, attrs: DrawnAttrs = {}, kids: readonly Drawn[] = []): Drawn {
  const [name = '', ...classes] = tag.split('.');
  const known = Object.entries(attrs).filter(([attr]) => attr === 'do' || isAttribute(attr));
  return [name, { ...(classes.length > 0 && { class: classes.join(' ') }), ...Object.fromEntries(known) }, ...kids];
}

/** Where the phone has a value. What Telegram says of a visitor it calls `first_name`; what objects inherit is nothing. */
function place(path: string): string {
  const [first, ...names] = path.split('.');
  if (names.some((name) => name in {})) return 'none';
  return first === 'visitor' ? path.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`) : path;
}

export const from = (path: string): LiveValue => ({ from: place(path) });

type Value = Exclude<Content, string>;

/** A value with the options of Intl by which people read it. */
export function liveOf({ view }: Pick<Scope, 'view'>, { from: path, format = 'plain' }: Value): LiveValue {
  const currency = view.shop?.currency;
  if (format === 'plain') return from(path);
  if (format === 'number' || (format === 'money' && currency === undefined)) return { ...from(path), number: {} };
  if (format === 'money')
    return {
      ...from(path),
      number: { style: 'currency', currency, currencyDisplay: 'narrowSymbol', trailingZeroDisplay: 'stripIfInteger' },
    };
  return { ...from(path), moment: MOMENTS[format] };
}

/** An amount that is known already. */
export const moneyText = (scope: Pick<Scope, 'view'>, amount: number): string =>
  new Intl.NumberFormat(scope.view.locale, money(scope, '').number).format(amount);

export const money = (scope: Pick<Scope, 'view'>, path: string): LiveValue =>
  liveOf(scope, { from: path, format: 'money' });

const MOMENTS = {
  date: { dateStyle: 'long' },
  time: { timeStyle: 'short' },
  dateTime: { dateStyle: 'long', timeStyle: 'short' },
} as const;

/** A condition of the manifest as the phone tests it. */
export function testOf(scope: Pick<Scope, 'view'>, condition: AppCondition): Test {
  if ('all' in condition) return ['&', condition.all.map((one) => testOf(scope, one))];
  if ('any' in condition) return ['|', condition.any.map((one) => testOf(scope, one))];
  if ('where' in condition) return ['=', 'page.telegram', `${condition.where === 'telegram'}`];
  const path = place(condition.field);
  if ('is' in condition) return ['=', path, `${condition.is}`];
  if ('not' in condition) return ['!', ['=', path, `${condition.not}`]];
  if ('over' in condition) return ['>', path, condition.over];
  if ('under' in condition) return ['<', path, condition.under];
  if ('contains' in condition) {
    const [, form = '', field = ''] = condition.field.split('.');
    const isList = scope.view.forms?.[form]?.fields[field]?.type === 'choices';
    return ['~', path, isList ? `,${condition.contains},` : condition.contains];
  }
  return 'set' in condition ? isSet(path) : ['!', isSet(path)];
}

/** All of nothing holds, and none of it does. */
export const ALWAYS: Test = ['&', []];
export const NEVER: Test = ['|', []];
export const isSet = (path: string): Test => ['?', place(path)];
export const is = (path: string, text: Live): Test => ['=', path, text];

export const when = (test: Test, show: readonly Drawn[], otherwise: readonly Drawn[] = []): Drawn => ({
  if: test,
  show,
  ...(otherwise.length > 0 && { or: otherwise }),
});

const MARKS = { bold: 'b', italic: 'i', underline: 'u', strike: 's', code: 'code' } as const;

/** A text with its marks. Line breaks are shown by `white-space: pre-line`. */
export function text(scope: Scope, content: Content | undefined): Drawn[] {
  if (content === undefined) return [];
  if (typeof content !== 'string') return [liveOf(scope, content)];
  const body = scope.view.texts[content] ?? '';
  return typeof body === 'string' ? [unbroken(body)] : joined(body.map((one) => span(scope, one)));
}

/** No line ends inside of a number, nor between a sum and its currency. */
const unbroken = (said: string): string => said.replace(/(\d) (?=\d{3}(?!\d)|[₽€$£%])/g, '$1\u00a0');

function span(scope: Scope, one: AppSpan): Drawn {
  if (typeof one === 'string') return unbroken(one);
  const value: Drawn = 'from' in one ? h('span', {}, [liveOf(scope, one)]) : unbroken(one.text);
  const marked = Object.entries(MARKS).reduce<Drawn>(
    (inner, [mark, tag]) => (one[mark as keyof typeof MARKS] ? h(tag, {}, [inner]) : inner),
    value,
  );
  return one.link ? h('a', { href: one.link, ...AWAY }, [marked]) : marked;
}

/** Texts side by side are one: a page that was read from HTML has no seam there. */
export function joined(nodes: readonly Drawn[]): Drawn[] {
  const all: Drawn[] = [];
  for (const node of nodes) {
    const last = all.at(-1);
    if (typeof node === 'string' && typeof last === 'string') all[all.length - 1] = last + node;
    else all.push(node);
  }
  return all;
}

/** A text without marks, for whatever cannot hold a link: attributes, buttons, names. */
export function plain(scope: Pick<Scope, 'view'>, content: Content | undefined): Live {
  if (content === undefined) return '';
  if (typeof content !== 'string') return liveOf(scope, content);
  const body = scope.view.texts[content] ?? '';
  if (typeof body === 'string') return unbroken(body);
  const parts = body.map(
    (one): Live => (typeof one === 'string' ? unbroken(one) : 'from' in one ? liveOf(scope, one) : unbroken(one.text)),
  );
  return parts.every((part) => typeof part === 'string') ? parts.join('') : { join: parts };
}

export const join = (...parts: readonly Live[]): Live =>
  parts.every((part) => typeof part !== 'object') ? parts.join('') : { join: parts };

/** Everything that leads away from our pages opens beside them. */
export const AWAY = { target: '_blank', rel: 'noopener' } as const;

/** The address of a page of ours; with `item`, of the row at hand on that page. */
export function addressOf({ view }: Pick<Scope, 'view'>, page: string, item?: boolean): Live {
  if (!item) return address(view, page);
  const [before = '', after = ''] = address(view, page, '|').split('|');
  return join(before, from('row.id'), after);
}

/** An action of the manifest as the runtime does it. */
export function deedOf(scope: Scope, action: Action): Deed {
  const { view } = scope;
  if ('go' in action) return { to: addressOf(scope, action.go, action.item) };
  if ('openFrom' in action) return { open: plain(scope, action.openFrom) };
  if ('chat' in action) return { open: `https://t.me/${view.bot}${action.chat === '' ? '' : `?start=${action.chat}`}` };
  if ('share' in action) return { share: plain(scope, action.share) };
  return action;
}

/** Something to press: a link where there is an address, so that it works without a script, else a button. */
export function press(
  scope: Scope,
  action: Action,
  tag: string,
  kids: readonly Drawn[],
  attrs: DrawnAttrs = {},
): Drawn {
  const deed = deedOf(scope, action);
  const link = (more: DrawnAttrs): Drawn => h(`a${tag}`, { ...attrs, ...more }, kids);
  if (deed.to !== undefined) return link({ href: deed.to, do: deed });
  if (deed.open !== undefined) return link({ href: deed.open, ...AWAY });
  if (deed.language !== undefined) return link({ href: `?lang=${deed.language}`, do: deed });
  return button(tag, deed, kids, attrs);
}

export const button = (tag: string, deed: Deed, kids: readonly Drawn[], attrs: DrawnAttrs = {}): Drawn =>
  h(`button${tag}`, { type: 'button', ...attrs, do: deed }, kids);

/** One of several, as a button that is a radio field: it works by keyboard, and where CSS decides also without a script. */
export const chip = (attrs: DrawnAttrs, value: Live, label: readonly Drawn[]): Drawn =>
  h('label.chip', {}, [h('input', { type: 'radio', ...attrs, value }), h('span', {}, label)]);
