// Blocks that show: layout, texts, pictures, links.

import type { ElementType, PropsOf } from '../../../contract/app/elements.ts';
import type { Content } from '../../../contract/app/texts.ts';
import type { Drawn, Live, Photo } from '../../../contract/app/view.ts';
import { AWAY, type Block, chip, from, h, isSet, join, joined, plain, press, type Scope, text, when } from './nodes.ts';
import { isOfRow, unlessTelegrams } from './page-buttons.ts';

const photo = (of: Photo): { [name in keyof Photo]: Live } => ({ ...of });

export const picture = (src: { readonly [name: string]: Live | undefined }, alt: Live, tag = ''): Drawn =>
  h(`img${tag}`, { ...src, alt, loading: 'lazy' });

/** A picture whose address stands in a column; nothing where the row has none. */
export const rowPicture = (column: string | undefined, alt: Live, tag = ''): Drawn[] =>
  column === undefined ? [] : [when(isSet(`row.${column}`), [picture({ src: from(`row.${column}`) }, alt, tag)])];

export const price = (amount: Drawn, before?: Drawn): Drawn =>
  h('p.price', {}, [h('b', {}, [amount]), ...(before === undefined ? [] : [' ', h('s', {}, [before])])]);

const amountOf = (scope: Scope, content: Content): Live =>
  plain(scope, typeof content === 'string' ? content : { format: 'money', ...content });

function image({ photo: of, alt, ratio = 'auto', do: action }: PropsOf<'image'>, scope: Scope): Drawn[] {
  const tag = `.r${ratio.replace(':', '')}`;
  const media = 'media' in of ? scope.view.media[of.media] : undefined;
  const src = media ? photo(media) : 'from' in of ? { src: from(of.from) } : undefined;
  if (src === undefined) return [];
  const drawn = picture(src, plain(scope, alt), tag);
  const all = action ? press(scope, action, '.picture', [drawn]) : drawn;
  // A row may have no photo, and one that leads somewhere would be a link that nobody sees.
  return ['from' in of && !media ? when(isSet(of.from), [all]) : all];
}

function gallery({ media, alt, zoom }: PropsOf<'gallery'>, scope: Scope): Drawn[] {
  const name = plain(scope, alt);
  const items = media.flatMap((id, at) => {
    const of = scope.view.media[id];
    if (of === undefined) return [];
    const drawn = picture(photo(of), join(name, ` ${at + 1}`));
    return [zoom ? h('a', { href: of.src, 'data-zoom': '', ...AWAY }, [drawn]) : drawn];
  });
  return [h('div.gallery', { role: 'group', tabindex: 0, 'aria-label': name }, items)];
}

function table({ head, rows }: PropsOf<'table'>, scope: Scope): Drawn[] {
  const line = (cells: readonly Content[], tag: string): Drawn =>
    h(
      'tr',
      {},
      cells.map((cell) => h(tag, {}, text(scope, cell))),
    );
  const body = h(
    'tbody',
    {},
    rows.map((cells) => line(cells, 'td')),
  );
  return [h('div.wide', { tabindex: 0 }, [h('table', {}, head ? [h('thead', {}, [line(head, 'th')]), body] : [body])])];
}

/** Who said it, below what was said. */
const by = (scope: Scope, content: Content | undefined): Drawn[] =>
  content === undefined ? [] : [h('p.hint', {}, joined(['— ', ...text(scope, content)]))];

/** A folded one opens by its line, which is who said it, else a word of ours. */
function quote({ text: content, by: credit, look = 'plain' }: PropsOf<'quote'>, scope: Scope): Drawn[] {
  const said = h(`p.${look === 'pull' ? 'lead' : 'plain'}`, {}, text(scope, content));
  if (look === 'folded')
    return [
      h('details.card', {}, [
        h('summary', {}, [credit === undefined ? scope.view.words.quote : plain(scope, credit)]),
        h('div.stack.gap-m', {}, [h('blockquote', {}, [said])]),
      ]),
    ];
  return [h(`blockquote.stack.gap-s${look === 'plain' ? '.card' : ''}`, {}, [said, ...by(scope, credit)])];
}

function tabs({ labels }: PropsOf<'tabs'>, scope: Scope, kids: readonly (readonly Drawn[])[], id: string): Drawn[] {
  const parts = labels.flatMap((label, at) => [
    chip({ name: `tab.${id}`, checked: at === 0 }, `${at}`, [plain(scope, label)]),
    h('div.panel', {}, kids[at]),
  ]);
  return [h('div.tabs', {}, parts)];
}

/** Where a contact leads. What people write for their eyes is no part of an address. */
function contact(
  scope: Scope,
  label: string,
  content: Content | undefined,
  start: string,
  clean: (text: string) => string,
): Drawn[] {
  if (content === undefined) return [];
  const shown = plain(scope, content);
  const address = typeof shown === 'string' ? clean(shown) : shown;
  return [labelled(label, h('a', { href: join(start, address), ...(start.startsWith('https') && AWAY) }, [shown]))];
}

/** What it is, before it. */
export const labelled = (label: Live, value: Drawn): Drawn => h('div.said', {}, [h('small', {}, [label]), value]);

function contacts({ phone, email, telegram, address, hours }: PropsOf<'contacts'>, scope: Scope): Drawn[] {
  const { words } = scope.view;
  const plainly = (label: string, content: Content | undefined): Drawn[] =>
    content === undefined ? [] : [labelled(label, h('span', {}, text(scope, content)))];
  return [
    h('address.card.rows', {}, [
      ...contact(scope, words.call, phone, 'tel:', (number) => number.replace(/[^+\d]/g, '')),
      ...contact(scope, words.write, email, 'mailto:', (mail) => mail.trim()),
      ...contact(scope, 'Telegram', telegram, 'https://t.me/', (name) => name.replace(/^.*[@/]/, '')),
      ...plainly(words.address, address),
      ...plainly(words.hours, hours),
    ]),
  ];
}

export const content = {
  stack: ({ gap = 'm', look }, _scope, kids) => [
    h(`div.stack.gap-${gap}${look === 'card' ? '.card' : ''}`, {}, kids.flat()),
  ],
  columns: (_props, _scope, kids) => [
    h(
      'div.columns',
      {},
      kids.map((kid) => h('div', {}, kid)),
    ),
  ],
  tabs,
  details: ({ summary, open }, scope, kids) => [
    h('details.card', { open }, [h('summary', {}, [plain(scope, summary)]), h('div.stack.gap-m', {}, kids.flat())]),
  ],
  each: ({ from: each, empty, layout = 'list' }, scope, kids) => {
    const none = empty ? { or: [h('p.hint', {}, text(scope, empty))] } : {};
    return [h(`div.${layout}`, {}, [{ each, show: [h('div.stack.gap-s', {}, kids.flat())], ...none }])];
  },
  heading: ({ text: content, level = 2 }, scope) => [
    h(`h${level}`, level === 1 ? { tabindex: -1 } : {}, text(scope, content)),
  ],
  text: ({ text: content, look = 'plain' }, scope) => [h(`p.${look}`, {}, text(scope, content))],
  image,
  gallery,
  video: ({ media, poster, title }, { view }) => [
    h('video', {
      ...view.media[media],
      ...(poster && { poster: view.media[poster]?.src }),
      controls: true,
      playsinline: true,
      preload: 'none',
      'aria-label': plain({ view }, title),
    }),
  ],
  audio: ({ media, title }, { view }) => [
    h('figure.stack.gap-s', {}, [
      h('figcaption', {}, [plain({ view }, title)]),
      h('audio', { ...view.media[media], controls: true, preload: 'none', 'aria-label': plain({ view }, title) }),
    ]),
  ],
  file: ({ media, title }, { view }) => [
    h('a.button.quiet', { href: view.media[media]?.src, ...AWAY }, [plain({ view }, title)]),
  ],
  quote,
  code: ({ text: content }, scope) => [
    h('div.wide', { tabindex: 0 }, [h('pre', {}, [h('code', {}, text(scope, content))])]),
  ],
  note: ({ text: content }, scope) => [h('p', {}, [h('small', {}, text(scope, content))])],
  divider: () => [h('hr')],
  spacer: ({ size = 'm' }) => [h(`div.space.gap-${size}`)],
  list: ({ items, look = 'bullet' }, scope) => [
    h(
      `${look === 'number' ? 'ol' : 'ul'}.${look}`,
      {},
      items.map((item) => h('li', {}, text(scope, item))),
    ),
  ],
  table,
  map: ({ latitude, longitude, label }, scope) => [
    h(
      'a.card.rows.map',
      {
        href: `https://www.google.com/maps/search/?api=1&query=${latitude},${longitude}`,
        'data-map': `${latitude},${longitude}`,
        ...AWAY,
      },
      [h('b', {}, [plain(scope, label)]), h('span', {}, [scope.view.words.map])],
    ),
  ],
  badge: ({ text: content, tone = 'plain' }, scope) => [h(`span.badge.${tone}`, {}, text(scope, content))],
  price: ({ amount, before }, scope) => [price(amountOf(scope, amount), before && amountOf(scope, before))],
  button: ({ text: content, do: action, look = 'main' }, scope) => {
    const drawn = press(scope, action, `.button.${look}`, [plain(scope, content)]);
    return [isOfRow(action) ? drawn : unlessTelegrams(scope, action, drawn)];
  },
  links: ({ items }, scope) => [
    h(
      'div.card.rows.links',
      {},
      items.map((item) => press(scope, item.do, '', [plain(scope, item.text)])),
    ),
  ],
  contacts,
} satisfies { readonly [Type in ElementType]?: Block<Type> };
