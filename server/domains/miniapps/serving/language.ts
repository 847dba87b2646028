// Which language is asked for: by an address, by the page that something is sent from, by the browser.
import type { IncomingHttpHeaders } from 'node:http';

/** As `lang` of a query says. */
export function languageIn(query: string): string | undefined {
  return query === '' ? undefined : (/(?:^|&)lang=([A-Za-z-]{2,6})(?:&|$)/.exec(query)?.[1] ?? undefined);
}

/** What the browser wishes, where that counts, and whether Referer alone has told that it does or does not. */
export type Wish = { readonly accepted: string | undefined; readonly byReferer: boolean };

/**
 * Whoever comes from a page of ours has seen the languages, and an address without one is a choice too. A frame is opened by
 * a Telegram, and the simulated one stands on the same origin: there, and for browsers that do not say from where they come,
 * only the page that was left tells.
 */
export function wishOf(headers: IncomingHttpHeaders): Wish {
  const site = headers['sec-fetch-site'];
  const byReferer = site === undefined || (site === 'same-origin' && headers['sec-fetch-dest'] === 'iframe');
  const isFromHere = byReferer ? isReferredFromHere(headers) : site === 'same-origin';
  return { accepted: isFromHere ? undefined : headers['accept-language'], byReferer };
}

const isReferredFromHere = ({ referer, host }: IncomingHttpHeaders): boolean =>
  referer !== undefined && URL.canParse(referer) && new URL(referer).host === host;

/** True for what a page of ours asks for. */
export const isFromHere = (headers: IncomingHttpHeaders): boolean =>
  headers['sec-fetch-site'] === 'same-origin' ||
  (headers['sec-fetch-site'] === undefined && isReferredFromHere(headers));

/** The language of the page that something is sent from: what is sent says so, else the page's address does. */
export function languageOfSender(body: unknown, { referer }: IncomingHttpHeaders): string | undefined {
  const said = (body as { locale?: unknown } | null | undefined)?.locale;
  if (typeof said === 'string') return said;
  return referer !== undefined && URL.canParse(referer) ? languageIn(new URL(referer).search.slice(1)) : undefined;
}
