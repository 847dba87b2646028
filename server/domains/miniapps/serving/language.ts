// Which language is asked for: by an address, by the page that something is sent from, by the browser.
import type { IncomingHttpHeaders } from 'node:http';

/** As `lang` of a query says. */
export function languageIn(query: string): string | undefined {
  return query === '' ? undefined : (/(?:^|&)lang=([A-Za-z-]{2,6})(?:&|$)/.exec(query)?.[1] ?? undefined);
}

/**
 * What the browser wishes. Undefined for whoever comes from a page of ours: they have seen the languages, and an address
 * without one is a choice too. A frame is opened by a Telegram, and ours stands on the same origin: there only the page
 * that was left tells.
 */
export function wishedLanguages(headers: IncomingHttpHeaders): string | undefined {
  const site = headers['sec-fetch-dest'] === 'iframe' ? undefined : headers['sec-fetch-site'];
  const fromHere =
    site === undefined
      ? headers.referer !== undefined && URL.canParse(headers.referer) && new URL(headers.referer).host === headers.host
      : site === 'same-origin';
  return fromHere ? undefined : headers['accept-language'];
}

/** The language of the page that something is sent from: what is sent says so, else the page's address does. */
export function languageOfSender(body: unknown, { referer }: IncomingHttpHeaders): string | undefined {
  const said = (body as { locale?: unknown } | null | undefined)?.locale;
  if (typeof said === 'string') return said;
  return referer !== undefined && URL.canParse(referer) ? languageIn(new URL(referer).search.slice(1)) : undefined;
}
