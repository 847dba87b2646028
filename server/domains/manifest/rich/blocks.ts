// Elements of a page as blocks of a rich message. `LOST` is what only the page can show.
import type { Action } from '../../../../contract/app/actions.ts';
import type { Element, ElementType, PropsOf } from '../../../../contract/app/elements.ts';
import type { Content } from '../../../../contract/app/texts.ts';
import { isSafeUrl } from '../../../../contract/app/texts.ts';
import type { FlowDocument, Media } from '../../../../contract/flow.ts';
import { isTelegramLink, isVisible } from '../takes.ts';
import { hasWords, linked, RichTexts } from './text.ts';
import type { RichBlock, RichButton, RichCell, RichPlace, RichText } from './types.ts';

const LOST = 'lost';
type Made = RichBlock[] | typeof LOST;

type Draw<Type extends ElementType> = (props: PropsOf<Type>, scope: Scope, kids: RichBlock[][]) => Made;

/** What elements are drawn with, and whether any of them was left out. */
export class Scope {
  readonly texts: RichTexts;
  readonly place: RichPlace;
  /** Something of the page is not in the message. */
  isLess = false;
  readonly #actions = new Set<string>();
  readonly #document: FlowDocument;

  constructor(document: FlowDocument, page: string, locale: string, place: RichPlace) {
    this.texts = new RichTexts(document, page, locale);
    this.place = place;
    this.#document = document;
  }

  /** An element with everything in it. `depth` ends what a document that nobody has checked might never end. */
  element(id: string, depth = 0): RichBlock[] {
    const elements = this.#document.app?.elements ?? {};
    const one: Element | undefined = Object.hasOwn(elements, id) ? elements[id] : undefined;
    if (one === undefined || depth > 32) return [];
    const isShown = one.showIf === undefined || this.texts.holds(one.showIf);
    if (isShown === undefined) return this.#kept(LOST);
    if (!isShown) return [];
    const kids = (one.children ?? []).map((child) => this.element(child, depth + 1));
    return this.#kept((DRAW[one.type] as Draw<ElementType>)(one.props as never, this, kids));
  }

  /** A button of the page itself; nothing where the page has one for the same, or a message can have none. */
  button(text: Content, action: Action, isMain = false): RichBlock[] {
    if (this.#actions.has(JSON.stringify(action))) return [];
    return this.#kept(pressed(this, text, action, isMain));
  }

  /** What an element of the page does when it is pressed. */
  does(action: Action): void {
    this.#actions.add(JSON.stringify(action));
  }

  kindOf(media: string): Media['kind'] | undefined {
    const all = this.#document.media ?? {};
    return Object.hasOwn(all, media) ? all[media]?.kind : undefined;
  }

  #kept(made: Made): RichBlock[] {
    if (made !== LOST) return made;
    this.isLess = true;
    return [];
  }
}

/**
 * Blocks of a text; none for an empty one, which Telegram refuses. `plain`: without its marks, since the page shows none
 * there either.
 */
function said(
  scope: Scope,
  content: Content,
  make: (text: RichText) => RichBlock,
  look: 'rich' | 'plain' = 'rich',
): Made {
  const text = scope.texts[look](content);
  if (text === undefined) return LOST;
  return hasWords(text) ? [make(text)] : [];
}

const paragraph = (text: RichText): RichBlock => ({ type: 'paragraph', text });

/** As a button, or where Telegram's buttons do not lead there as words that do. */
function pressed(scope: Scope, content: Content, action: Action, isMain: boolean): Made {
  const text = scope.texts.plain(content);
  if (text === undefined) return LOST;
  const address = addressOf(scope, action);
  if (address === 'idle' || !isVisible(text)) return [];
  if (address === undefined) return LOST;
  const look = isMain ? { style: 'primary' as const } : {};
  if (typeof address !== 'string') return [{ type: 'buttons', buttons: [{ text, ...look, ...address } as RichButton] }];
  if (isTelegramLink(address)) return [{ type: 'buttons', buttons: [{ text, ...look, url: address }] }];
  const words = linked(text, address);
  return words === undefined ? LOST : [paragraph(words)];
}

/** Where an action leads; 'idle' for one that says nothing in a chat. */
function addressOf(scope: Scope, action: Action): string | ReturnType<RichPlace['open']> | 'idle' {
  const { place, texts } = scope;
  if ('go' in action) return action.item ? undefined : place.open(action.go);
  if ('chat' in action)
    return place.bot === ''
      ? undefined
      : `https://t.me/${place.bot}${action.chat === '' ? '' : `?start=${action.chat}`}`;
  if ('back' in action || 'close' in action || 'language' in action) return 'idle';
  const address = 'open' in action ? action.open : 'openFrom' in action ? texts.plain(action.openFrom) : undefined;
  return address !== undefined && isSafeUrl(address) ? address : undefined;
}

/** The parts that can be shown; a part that cannot is told by `isLess` alone. */
function parts<Part>(scope: Scope, all: readonly Part[], make: (part: Part) => Made): RichBlock[] {
  return all.flatMap((part) => {
    const made = make(part);
    if (made === LOST) scope.isLess = true;
    return made === LOST ? [] : made;
  });
}

function list({ items, look = 'bullet' }: PropsOf<'list'>, scope: Scope): Made {
  const blocks = parts(scope, items, (item) => said(scope, item, paragraph));
  if (blocks.length === 0) return [];
  const made = blocks.map((block, at) => ({
    blocks: [block],
    ...(look === 'check' && { has_checkbox: true as const, is_checked: true as const }),
    ...(look === 'number' && { value: at + 1, type: '1' as const }),
  }));
  return [{ type: 'list', items: made }];
}

/** Cells belong together: without one of them the table says something else. */
function table({ head, rows }: PropsOf<'table'>, scope: Scope): Made {
  const lines = (head ? [head, ...rows] : rows).map((line) => line.map((cell) => scope.texts.rich(cell)));
  if (lines.some((line) => line.includes(undefined))) return LOST;
  const cells = lines.map((line, at) =>
    line.map(
      (text = ''): RichCell => ({
        ...(text !== '' && { text }),
        ...(head && at === 0 && { is_header: true as const }),
        align: 'left',
        valign: 'top',
      }),
    ),
  );
  return [{ type: 'table', cells, is_bordered: true }];
}

function quote({ text, by, look = 'plain' }: PropsOf<'quote'>, scope: Scope): Made {
  const credit = by === undefined ? '' : scope.texts[look === 'folded' ? 'plain' : 'rich'](by);
  if (credit === undefined) return LOST;
  const named = credit === '' ? {} : { credit };
  return said(scope, text, (words) =>
    look === 'plain'
      ? { type: 'blockquote', blocks: [paragraph(words)], ...named }
      : { type: look === 'folded' ? 'expandable_blockquote' : 'pullquote', text: words, ...named },
  );
}

const price = ({ amount, before }: PropsOf<'price'>, scope: Scope): Made => {
  const was = before === undefined ? '' : scope.texts.plain(before);
  if (was === undefined) return LOST;
  const sum = (text: RichText): RichBlock => {
    const now = { type: 'bold', text } as const;
    return paragraph(was === '' ? now : [now, ' ', { type: 'strikethrough', text: was }]);
  };
  return said(scope, amount, sum, 'plain');
};

/** What people write for their eyes is no part of an address. */
const REACHED = [
  ['phone', (text: string) => `tel:${text.replace(/[^+\d]/g, '')}`],
  ['email', (text: string) => `mailto:${text.trim()}`],
  ['telegram', (text: string) => `https://t.me/${text.replace(/^.*[@/]/, '')}`],
  ['address', () => ''],
  ['hours', () => ''],
] as const;

/** What leads somewhere is plain words; the others may have marks. */
const LOOK_OF = { phone: 'plain', email: 'plain', telegram: 'plain', address: 'rich', hours: 'rich' } as const;

const contacts = (props: PropsOf<'contacts'>, scope: Scope): Made =>
  parts(scope, REACHED, ([name, address]) => {
    const content = props[name];
    if (content === undefined) return [];
    const words = scope.texts.plain(content) ?? '';
    return said(scope, content, (text) => paragraph(linked(words, address(words)) ?? text), LOOK_OF[name]);
  });

function details(scope: Scope, summary: Content, blocks: RichBlock[], isOpen: boolean): Made {
  if (blocks.length === 0) return [];
  const opened = (text: RichText): RichBlock => ({
    type: 'details',
    summary: text,
    blocks,
    ...(isOpen && { is_open: true as const }),
  });
  return said(scope, summary, opened, 'plain');
}

/** A file of the project under a title. */
const titled = (scope: Scope, title: string, make: (caption: { caption?: { text: RichText } }) => RichBlock): Made => {
  const text = scope.texts.plain(title);
  return text === undefined ? LOST : [make(text === '' ? {} : { caption: { text } })];
};

const file = <Kind extends string>(type: Kind, media: string) => ({ type, media: { media } });
const picture = (media: string) => ({ type: 'photo', photo: file('photo', media) }) as const;

/** Some streets around the place. */
const MAP = { zoom: 15, width: 600, height: 400 };

/** A message goes on without what presses it: the picture is there, and the page has the rest. */
function image({ photo, do: action }: PropsOf<'image'>, scope: Scope): Made {
  if (!('media' in photo)) return LOST;
  if (action !== undefined) scope.isLess = true;
  return [picture(photo.media)];
}

const onlyThere = (): Made => LOST;
const nothing = (): Made => [];
const together = (_props: unknown, _scope: unknown, kids: RichBlock[][]): Made => kids.flat();

/** How each element is drawn. Forget one and the compiler names it. */
const DRAW: { readonly [Type in ElementType]: Draw<Type> } = {
  stack: together,
  columns: together,
  tabs: ({ labels }, scope, kids) =>
    parts(scope, [...labels.entries()], ([at, label]) => details(scope, label, kids[at] ?? [], at === 0)),
  details: ({ summary, open }, scope, kids) => details(scope, summary, kids.flat(), open === true),
  heading: ({ text, level = 2 }, scope) =>
    said(scope, text, (words) => ({ type: 'heading', text: words, size: level })),
  text: ({ text }, scope) => said(scope, text, paragraph),
  image,
  gallery: ({ media }) => [
    media.length === 1 ? picture(media[0] ?? '') : { type: 'slideshow', blocks: media.map(picture) },
  ],
  video: ({ media, title }, scope) =>
    titled(scope, title, (caption) =>
      scope.kindOf(media) === 'animation'
        ? { type: 'animation', animation: file('animation', media), ...caption }
        : { type: 'video', video: file('video', media), ...caption },
    ),
  audio: ({ media, title }, scope) =>
    titled(scope, title, (caption) =>
      scope.kindOf(media) === 'voice'
        ? { type: 'voice_note', voice_note: file('voice_note', media), ...caption }
        : { type: 'audio', audio: { ...file('audio', media), title: scope.texts.plain(title) ?? '' } },
    ),
  file: ({ media, title }, scope) =>
    titled(scope, title, (caption) => ({ type: 'document', document: file('document', media), ...caption })),
  quote,
  code: ({ text, language }, scope) =>
    said(scope, text, (words) => ({ type: 'pre', text: words, ...(language !== undefined && { language }) })),
  note: ({ text }, scope) => said(scope, text, (words) => ({ type: 'footer', text: words })),
  divider: () => [{ type: 'divider' }],
  list,
  table,
  map: ({ latitude, longitude, label }, scope) =>
    said(
      scope,
      label,
      (text) => ({ type: 'map', location: { latitude, longitude }, ...MAP, caption: { text } }),
      'plain',
    ),
  badge: ({ text }, scope) => said(scope, text, (words) => paragraph({ type: 'marked', text: words })),
  price,
  button: ({ text, do: action, look = 'main' }, scope) => {
    scope.does(action);
    return pressed(scope, text, action, look === 'main');
  },
  links: ({ items }, scope) => parts(scope, items, (item) => pressed(scope, item.text, item.do, false)),
  contacts,
  // Rows, the cart, what a visitor types: only a page has these.
  each: onlyThere,
  products: onlyThere,
  product: onlyThere,
  cart: onlyThere,
  summary: onlyThere,
  form: onlyThere,
  quiz: onlyThere,
  profile: onlyThere,
  // A message has its own room and the reader's language, and keeps nothing on the phone.
  spacer: nothing,
  language: nothing,
  cookies: nothing,
};
