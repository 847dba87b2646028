// All pages of an app, drawn: what a phone gets.

import type { Element, ElementType } from '../../../contract/app/elements.ts';
import type { Form } from '../../../contract/app/forms.ts';
import type { AppPages, AppView, AppWord, Drawn } from '../../../contract/app/view.ts';
import type { Page } from '../../../contract/manifest.ts';
import { content } from './content.ts';
import { EMPTY_WORDS, wrongWords } from './faults.ts';
import { forms, isRequired } from './forms.ts';
import {
  ALWAYS,
  AWAY,
  addressOf,
  type Block,
  deedOf,
  h,
  is,
  isSet,
  NEVER,
  plain,
  type Scope,
  testOf,
  when,
} from './nodes.ts';
import { elementsIn, pageButtons } from './page-buttons.ts';
import { shop } from './shop.ts';
import { languages, visitor } from './visitor.ts';

const BLOCKS: { readonly [Type in ElementType]: Block<Type> } = { ...content, ...shop, ...forms, ...visitor };

/** An element with everything in it. `depth` ends what a manifest that nobody has checked might never end. */
function element(scope: Scope, id: string, depth = 0): readonly Drawn[] {
  const one: Element | undefined = Object.hasOwn(scope.view.elements, id) ? scope.view.elements[id] : undefined;
  if (one === undefined || depth > 32) return [];
  const kids = (one.children ?? []).map((child) => element(scope, child, depth + 1));
  const drawn = (BLOCKS[one.type] as Block<ElementType>)(one.props as never, scope, kids, id);
  if (!one.showIf) return drawn;
  const sent = formsIn(scope, id).map((form) => isSet(`done.${form}`));
  return [when(sent.length > 0 ? ['|', [testOf(scope, one.showIf), ...sent]] : testOf(scope, one.showIf), drawn)];
}

/** The forms of an element. Once one was received its thanks are seen, also where the cart has shown it and is empty now. */
const formsIn = ({ view }: Scope, id: string): string[] =>
  elementsIn(view, id).flatMap(({ type, props }) =>
    type === 'form' || type === 'quiz' ? [(props as { form: string }).form] : [],
  );

/** The oldest name that a time zone has: phones of some years ago know no `Europe/Kyiv`, and would show nothing at all. */
export const zoneName = (timeZone: string): string =>
  new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone;

/** Every page of a view, its forms and its words. Pure: the same view gives the same pages. */
export function drawPages(view: AppView): AppPages {
  const { app, base, bot, locale, locales, start, shop, bookings } = view;
  const [first] = Object.values(bookings ?? {});
  return {
    app,
    base,
    bot,
    locale,
    locales,
    start,
    head: header({ view, page: start }),
    foot: footer({ view, page: start }),
    pages: Object.fromEntries(
      Object.entries(view.pages).map(([id, page]) => [id, drawnPage({ view, page: id }, page)]),
    ),
    forms: Object.fromEntries(Object.keys(view.forms ?? {}).map((id) => [id, drawnRules(view, id)])),
    ...(shop && { shop }),
    ...(first && { zone: zoneName(first.timezone) }),
    ...(bookings && {
      bookings: Object.fromEntries(
        Object.entries(bookings).map(([id, { aheadDays, each, timezone }]) => [
          id,
          { aheadDays, zone: zoneName(timezone), ...(each && { each: each.field }) },
        ]),
      ),
    }),
    words: Object.fromEntries(SAID.map((word) => [word, view.words[word]])),
  };
}

function drawnPage(scope: Scope, page: Page): AppPages['pages'][string] {
  const { site } = scope.view;
  const { main, second, bar } = pageButtons(scope, page);
  return {
    path: page.path,
    title: [page.title, site?.name].flatMap((key) => (key ? [plain(scope, key)] : [])).join(' – '),
    ...(page.data && { data: page.data }),
    body: [...element(scope, page.root), ...bar],
    ...(main && { MainButton: main }),
    ...(second && { SecondaryButton: second }),
  };
}

function header(scope: Scope): Drawn[] {
  const { pages, site, start, words } = scope.view;
  const link = (page: string, tag: string, label: Drawn): Drawn => {
    const to = addressOf(scope, page);
    const current = { if: is('page.id', page), show: 'page' };
    return h(`a${tag}`, { href: to, do: { to }, ...(tag === '' && { 'aria-current': current }) }, [label]);
  };
  const menu = Object.entries(pages)
    .filter(([, page]) => page.menu)
    .sort(([, one], [, other]) => (one.menu as number) - (other.menu as number));
  const nav = h(
    'nav.menu',
    { 'aria-label': words.menu },
    menu.map(([id, page]) => link(id, '', plain(scope, page.title))),
  );
  const links = menu.length > 1 ? [nav] : [];
  const web = [...(site ? [link(start, '.name', plain(scope, site.name))] : []), ...links, ...languages(scope, true)];
  const both = [
    ...(web.length > 0 ? [when(is('page.telegram', 'false'), [h('header', {}, web)])] : []),
    ...(links.length > 0 ? [when(is('page.telegram', 'true'), [h('header', {}, links)])] : []),
  ];
  return both;
}

/** Whose pages these are, where else they can be reached, and the rules; inside Telegram all of that is Telegram's. */
function footer({ view }: Scope): Drawn[] {
  const { site, bot, words } = view;
  if (site === undefined) return [];
  const all = [
    h('b', {}, [plain({ view }, site.name)]),
    ...(bot === '' ? [] : [h('a', { href: `https://t.me/${bot}`, ...AWAY }, [`@${bot}`])]),
    ...(site.privacy ? [h('a', { href: site.privacy, ...AWAY }, [words.privacy])] : []),
  ];
  return [when(is('page.telegram', 'false'), [h('footer', {}, all)])];
}

/** What the runtime and its chunks say; everything else is drawn already, and phones need not carry it. */
const SAID: readonly AppWord[] = [
  'again',
  'away',
  'first',
  'noSlots',
  'noSlotsAtAll',
  'noSlotsLast',
  'offline',
  'slotsFailed',
  'slotsLoading',
  'slotsOffline',
  'unsent',
  'unsentDrop',
  'unsentFiles',
  'unsentOpen',
  'zoom',
];

/** What is to be picked before a calendar has anything to show. */
function calendarAfter(view: AppView, form: Form | undefined, booking: string): { after?: string } {
  const picked = form?.fields[view.bookings?.[booking]?.each?.field ?? ''];
  const label = picked && picked.type !== 'hidden' && plain({ view }, picked.label);
  // One with a value in it only the page itself can write.
  return typeof label === 'string' ? { after: label } : {};
}

/** What the runtime must know of a form to send it. */
function drawnRules(view: AppView, id: string): AppPages['forms'][string] {
  const form = view.forms?.[id];
  const asQuiz = Object.values(view.elements).some((one) => one.type === 'quiz' && one.props.form === id);
  const fields = (form?.order ?? []).flatMap((name): AppPages['forms'][string]['fields'][number][] => {
    const field = form?.fields[name];
    if (field === undefined) return [];
    const { type } = field;
    if (type === 'hidden')
      return [{ id: name, type, showIf: NEVER, ...(field.value !== undefined && { value: field.value }) }];
    const fix = wrongWords(view, field);
    return [
      {
        id: name,
        type,
        ...(isRequired(field) && { required: view.words[EMPTY_WORDS[type] ?? 'required'] }),
        ...(fix !== undefined && { fix }),
        showIf: field.showIf ? testOf({ view }, field.showIf) : ALWAYS,
        ...(type === 'slot' && { booking: field.booking, ...calendarAfter(view, form, field.booking) }),
      },
    ];
  });
  return {
    ...(form?.kind && { kind: form.kind }),
    ...(asQuiz && { quiz: true as const }),
    ...(form?.after && { after: deedOf({ view, page: view.start }, form.after) }),
    fields,
  };
}
