// What search engines are told: which pages there are, and which addresses are none of theirs.
import type { AppRows, AppView } from '../../../../contract/app/view.ts';
import { address } from '../../../../miniapp/blocks/blocks.ts';

/** More than search engines take in one file. */
const addressesMax = 5_000;

/** Every page that may be found, with the rows that have pages of their own, in every language. */
export function sitemapXml(view: AppView, rows: AppRows, site: string): string {
  const places = Object.keys(view.pages).flatMap((id) => placesOf(view, rows, id));
  const urls = places.slice(0, addressesMax).map(({ id, item }) => {
    const inLocale = (locale: string): string => xml(site + address({ ...view, base: '', locale }, id, item));
    const others =
      view.locales.length > 1
        ? view.locales
            .map((locale) => `<xhtml:link rel="alternate" hreflang="${locale}" href="${inLocale(locale)}"/>`)
            .join('')
        : '';
    return `<url><loc>${inLocale(view.locales[0] ?? view.locale)}</loc>${others}</url>`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">${urls.join('\n')}</urlset>\n`;
}

type Place = { readonly id: string; readonly item: number | undefined };

function placesOf(view: AppView, rows: AppRows, id: string): Place[] {
  const page = view.pages[id];
  if (page === undefined || page.hidden) return [];
  const isRowPage = id !== view.start && (page.data !== undefined || opensRows(view, id));
  const data = isRowPage ? (page.data ?? view.shop?.data) : undefined;
  return data === undefined ? [{ id, item: undefined }] : (rows[data] ?? []).map((row) => ({ id, item: row.id }));
}

/** Pages that goods are opened on have an address only with one of them. */
function opensRows(view: AppView, page: string): boolean {
  return Object.values(view.elements).some((element) => element.type === 'products' && element.props.open === page);
}

const xml = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

/** Of a site; without one, of the installation, where only the sites below /s/ are for search engines. */
export function robotsText(site: string | undefined): string {
  return site === undefined
    ? 'User-agent: *\nDisallow: /a/\nDisallow: /v1/\n'
    : `User-agent: *\nDisallow: /v1/\nAllow: /\n\nSitemap: ${site}/sitemap.xml\n`;
}
