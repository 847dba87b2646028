// What a page says of itself to search engines and to messengers that show a link.
import type { AppView, Photo, Row } from '../../../../contract/app/view.ts';
import { address } from '../../../../miniapp/blocks/blocks.ts';
import { plainText, writerOf } from '../../manifest/manifest.ts';

export type Head = {
  readonly title: string;
  readonly description: string;
  readonly siteName: string;
  /** Where the page stands for everybody; undefined where there is no site. */
  readonly url: string | undefined;
  readonly image: Photo | undefined;
  /** The same page in each language. */
  readonly alternates: readonly { readonly locale: string; readonly url: string }[];
  /** Search engines may look. */
  readonly index: boolean;
};

export type HeadFacts = {
  readonly page: string;
  readonly row: Row | undefined;
  /** Where the site stands, as `https://shop.example`, without a slash at the end. */
  readonly site: string | undefined;
  /** False for the layout inside Telegram: the site is the one to be found. */
  readonly isSite: boolean;
};

/** The metadata of a page. */
export function headOf(view: AppView, { page: id, row, site, isSite }: HeadFacts): Head {
  const page = view.pages[id];
  const write = writerOf(view.locale, { timezone: 'UTC', currency: view.shop?.currency });
  const read = (path: string) => (path.startsWith('row.') ? row?.[path.slice(4)] : undefined);
  const words = (key: string | undefined): string =>
    key === undefined ? '' : plainText(view.texts[key], read, write).replace(/\s+/g, ' ').trim();
  const siteName = words(view.site?.name);
  // A page of one of many is called after the one.
  const title = rowTitle(view, row) || words(page?.title);
  const image = view.site?.image === undefined ? undefined : view.media[view.site.image];
  const urlIn = (locale: string): string => site + address({ ...view, base: '', locale }, id, row?.id);
  const index = isSite && site !== undefined && page?.hidden !== true;
  return {
    title: siteName === '' || siteName === title ? title : `${title} – ${siteName}`,
    description: words(page?.description) || words(view.site?.description),
    siteName,
    url: site === undefined ? undefined : urlIn(view.locale),
    // Who shows a link cannot know where a relative address begins.
    image: image && site !== undefined ? { ...image, src: new URL(image.src, site).href } : undefined,
    alternates: index && view.locales.length > 1 ? view.locales.map((locale) => ({ locale, url: urlIn(locale) })) : [],
    index,
  };
}

function rowTitle(view: AppView, row: Row | undefined): string {
  return row === undefined || view.shop === undefined ? '' : String(row[view.shop.title] ?? '');
}
