// What an address answers that has no page to show: words, and no more.
import { words } from '../words.ts';
import { type Headers, pageHeaders } from './headers.ts';

const css =
  'body{margin:0;min-height:100vh;display:grid;place-content:center;padding:24px;font:16px/1.5 system-ui,sans-serif;color-scheme:light dark}h1{font-size:20px;margin:0 0 8px}p{margin:0 0 12px;max-width:40ch}a{color:inherit}';

/** `nothing`: there is no page. `later`: there may be one, and it cannot be made now. */
export type WordPage = 'nothing' | 'later';

/** The same for every address, in the visitor's language. */
export function wordPage(
  kind: WordPage,
  acceptLanguage: string,
): { readonly html: string; readonly headers: Headers; readonly status: 404 | 503 } {
  const locale = /^\s*ru\b/i.test(acceptLanguage) ? 'ru' : 'en';
  return { ...pages[kind][locale], status: kind === 'nothing' ? 404 : 503 };
}

const pages = {
  nothing: { ru: make('nothing', 'ru'), en: make('nothing', 'en') },
  later: { ru: make('later', 'ru'), en: make('later', 'en') },
};

function make(kind: WordPage, locale: string): { html: string; headers: Headers } {
  const says = words(locale);
  const title = kind === 'nothing' ? says.nothingTitle : says.laterTitle;
  // An empty address is that of the page itself.
  const said = kind === 'nothing' ? says.nothing : `${says.later}</p><p><a href="">${says.again}</a>`;
  const html = [
    `<!doctype html><html lang="${locale}"><head><meta charset="utf-8"><title>${title}</title>`,
    '<meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex">',
    `<style>${css}</style></head><body><main><h1>${title}</h1><p>${said}</p></main></body></html>`,
  ].join('');
  const headers = pageHeaders({ where: 's', styles: [css], telegramScript: undefined, framedBy: [] }, locale);
  return { html, headers: { ...headers, 'cache-control': 'no-store', vary: 'accept-language' } };
}
