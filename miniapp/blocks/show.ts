// From what blocks have drawn to nodes: values are read, conditions decided, lists opened.

import type { AppPages, AppRows, Deed, Drawn, DrawnAttrs, Live, LiveList, Row, Test } from '../../contract/app/view.ts';
import type { Attrs, VNode } from './attributes.ts';
import { cartLines, goods, listed } from './lists.ts';
import { begin, type PageState, pages, row, rowOf, standAt, state } from './now.ts';
import { holds, read, say } from './values.ts';

type DrawnElement = readonly [tag: string, attrs: DrawnAttrs, ...kids: readonly (Drawn | null)[]];

function element([t, attrs, ...kids]: DrawnElement): VNode {
  const a: Attrs = {};
  for (const name in attrs) a[name] = name === 'do' ? [attrs.do as Deed, row] : say(attrs[name] as Live);
  const { name, type, value } = a;
  if (name) {
    const held = read(name as string);
    if (type === 'radio') a['checked'] = held === '' ? a['checked'] : held === value;
    else if (type === 'checkbox') a['checked'] = value ? (held as string).includes(value as string) : held === true;
    else if (type !== 'file') a['value'] = held as string;
  }
  return { t, a, c: kids[0] === null ? undefined : show(kids as Drawn[]) };
}

/** No two texts may stand side by side: a page that was read from HTML has one there. */
export const show = (drawn: readonly Drawn[] = []): VNode[] =>
  drawn.flatMap((one): VNode | VNode[] => {
    const { each, if: test, show: inside, or } = one as AnyDrawn;
    if (each) {
      const before = row;
      const list = listed(one as LiveList);
      const nodes = list.flatMap((at) => {
        standAt(at);
        return show(inside);
      });
      standAt(before);
      return list[0] ? nodes : show(or);
    }
    if (test) return show(holds(test) ? inside : or);
    return Array.isArray(one) ? element(one as unknown as DrawnElement) : (say(one as Live) as string) || [];
  });

type AnyDrawn = { each?: string; if?: Test; show?: readonly Drawn[]; or?: readonly Drawn[] };
type Form = AppPages['forms'][string];

/** The fields of a form that the visitor sees now. */
export const asked = (form: Form): Form['fields'][number][] => form.fields.filter((field) => holds(field.showIf));

/** The row that the page is about. */
export function pageRow(ofPages: AppPages, ofRows: AppRows, ofState: PageState): Row | undefined {
  begin(ofPages, ofRows, ofState);
  const { data } = pages.pages[state.page] || {};
  const of = state.item ? rowOf(data || pages.shop?.data, state.item) : undefined;
  return of && pages.shop ? goods(of) : of;
}

/** The body of a page. */
export function renderPage(ofPages: AppPages, ofRows: AppRows, ofState: PageState): VNode[] {
  standAt(pageRow(ofPages, ofRows, ofState));
  const { values } = state;
  values['page.id'] = state.page;
  values['page.item'] = state.item || '';
  values['cart.count'] = values['cart.total'] = 0;
  for (const { $count, $sum } of cartLines()) {
    values['cart.count'] += $count as number;
    values['cart.total'] += $sum as number;
  }
  for (const id in pages.forms) {
    const list = asked(pages.forms[id] as Form).map((field) => field.id);
    const at = Math.max(0, list.indexOf(read(`step.${id}`) as string));
    values[`step.${id}`] = list[at] as string;
    values[`at.${id}`] = at + 1;
    values[`of.${id}`] = list.length;
    values[`more.${id}`] = at < list.length - 1;
  }
  return show([...pages.head, ['main', { tabindex: -1 }, ...(pages.pages[state.page]?.body || [])], ...pages.foot]);
}
