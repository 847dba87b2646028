// What an address answers under which nothing is published: words, and no more.
import { words } from '../words.ts';
import { type Headers, pageHeaders } from './headers.ts';

const css =
  'body{margin:0;min-height:100vh;display:grid;place-content:center;padding:24px;font:16px/1.5 system-ui,sans-serif;color-scheme:light dark}h1{font-size:20px;margin:0 0 8px}p{margin:0;max-width:40ch}';

/** The same for every address, in the visitor's language. */
export function nothingPage(acceptLanguage: string): { readonly html: string; readonly headers: Headers } {
  const locale = /^\s*ru\b/i.test(acceptLanguage) ? 'ru' : 'en';
  return pages[locale];
}

const pages = { ru: make('ru'), en: make('en') };

function make(locale: string): { html: string; headers: Headers } {
  const says = words(locale);
  const html = [
    `<!doctype html><html lang="${locale}"><head><meta charset="utf-8"><title>${says.nothingTitle}</title>`,
    '<meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex">',
    `<style>${css}</style></head><body><main><h1>${says.nothingTitle}</h1><p>${says.nothing}</p></main></body></html>`,
  ].join('');
  const headers = pageHeaders({ where: 's', styles: [css], telegramScript: undefined, framedBy: [] }, locale);
  return { html, headers: { ...headers, 'cache-control': 'no-store', vary: 'accept-language' } };
}
