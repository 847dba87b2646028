// From a document to what a phone gets: one language, without what only the server needs.
import type { AppTextBody } from '../../../contract/app/texts.ts';
import type { AppView, AppWords, Photo } from '../../../contract/app/view.ts';
import type { FlowDocument } from '../../../contract/flow.ts';
import type { Data, Manifest } from '../../../contract/manifest.ts';
import { GROUNDS, readable } from './colours.ts';

/** What the document does not know of itself. */
export type AppFacts = {
  /** Public id of the app. */
  readonly app: string;
  /** Where its pages stand, without a slash at the end. */
  readonly base: string;
  /** Username of the bot that its chats lead to; empty where there is none. */
  readonly bot: string;
  /** The addresses of the files that pages may show. */
  readonly media: { readonly [id: string]: Photo };
  /** What the runtime itself says in this language. */
  readonly words: AppWords;
};

/** The pages in one language. Throws where the document has none: whoever asks has looked. */
export function compileApp(
  document: Pick<FlowDocument, 'app' | 'locales' | 'defaultLocale'>,
  locale: string,
  facts: AppFacts,
): AppView {
  const manifest = document.app;
  if (manifest === undefined) throw new Error('The document has no pages.');
  const { texts, theme, data, ...others } = manifest;
  return {
    ...others,
    ...(theme === undefined ? {} : { theme: completeTheme(theme) }),
    ...(data === undefined ? {} : { data: shownData(data) }),
    app: facts.app,
    base: facts.base,
    bot: facts.bot,
    media: facts.media,
    words: facts.words,
    locale,
    // The first is the one that addresses without `?lang=` speak.
    locales: [document.defaultLocale, ...document.locales.filter((other) => other !== document.defaultLocale)],
    texts: Object.fromEntries(
      Object.entries(texts).flatMap(([key, text]) => {
        const body = bodyIn(text, locale, document.defaultLocale);
        return body === undefined ? [] : [[key, body]];
      }),
    ),
  };
}

/** The text in this language, else in the default one, else in any there is. */
export function bodyIn(
  text: { readonly [locale: string]: AppTextBody },
  locale: string,
  defaultLocale: string,
): AppTextBody | undefined {
  return text[locale] ?? text[defaultLocale] ?? Object.values(text)[0];
}

/** An accent that can be read on white cannot be read on black, so the dark one is made where none is given. */
function completeTheme(theme: NonNullable<Manifest['theme']>): NonNullable<Manifest['theme']> {
  const accentDark = theme.accentDark ?? (theme.accent && readable(theme.accent, GROUNDS.dark));
  return accentDark === undefined ? theme : { ...theme, accentDark };
}

/** Which rows are shown is decided here, and what decides it stays here. */
function shownData(data: { readonly [id: string]: Data }): { [id: string]: Data } {
  return Object.fromEntries(Object.entries(data).map(([id, { table, fields }]) => [id, { table, fields }]));
}

/** Ids of the files that the pages show: only these may be fetched by everybody. */
export function shownMedia(manifest: Manifest): Set<string> {
  const ids = new Set<string>();
  if (manifest.site?.image !== undefined) ids.add(manifest.site.image);
  for (const { type, props } of Object.values(manifest.elements)) {
    if (type === 'image' && 'media' in props.photo) ids.add(props.photo.media);
    if (type === 'gallery') for (const id of props.media) ids.add(id);
    if (type === 'audio' || type === 'file') ids.add(props.media);
    if (type === 'video') for (const id of [props.media, props.poster]) if (id !== undefined) ids.add(id);
  }
  return ids;
}

/** The language to answer in: the one that was asked for, else the best of what the browser wishes, else the default. */
export function chooseLocale(
  document: Pick<FlowDocument, 'locales' | 'defaultLocale'>,
  wanted: { readonly asked?: string | undefined; readonly accepted?: string | undefined },
): string {
  const { locales, defaultLocale } = document;
  if (wanted.asked !== undefined && locales.includes(wanted.asked)) return wanted.asked;
  for (const tag of acceptedTags(wanted.accepted ?? '')) {
    const exact = locales.find((locale) => locale.toLowerCase() === tag);
    const found = exact ?? locales.find((locale) => locale.split('-')[0] === tag.split('-')[0]);
    if (found !== undefined) return found;
  }
  return defaultLocale;
}

const tagsMax = 10;

/** Browsers send a handful of headers; taking one apart costs a tenth of a page that is ready. */
const knownHeaders = new Map<string, readonly string[]>();
const knownHeadersMax = 500;

/** The tags of an Accept-Language, the most wanted first. */
function acceptedTags(header: string): readonly string[] {
  const known = knownHeaders.get(header);
  if (known !== undefined) return known;
  const tags = tagsOf(header);
  if (header.length <= 400 && knownHeaders.size < knownHeadersMax) knownHeaders.set(header, tags);
  return tags;
}

function tagsOf(header: string): string[] {
  return header
    .slice(0, 400)
    .split(',')
    .slice(0, tagsMax)
    .map((part) => {
      const [tag = '', ...parameters] = part.trim().toLowerCase().split(';');
      const quality = parameters.map((each) => /^\s*q=([\d.]+)$/.exec(each)?.[1]).find((each) => each !== undefined);
      return { tag, quality: quality === undefined ? 1 : Number(quality) };
    })
    .filter(({ tag, quality }) => /^[a-z]{2,3}(-[a-z0-9]+)*$/.test(tag) && quality > 0)
    .sort((a, b) => b.quality - a.quality)
    .map(({ tag }) => tag);
}
