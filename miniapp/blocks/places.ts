// Where a visit begins, and addresses.

import type { AppStart } from '../../contract/app/view.ts';
import type { PageState } from './now.ts';

/** What addresses are made of: views and drawn pages both have it. */
export type Site = {
  readonly base: string;
  readonly locale: string;
  readonly locales: readonly string[];
  readonly pages: { readonly [id: string]: { readonly path: string } };
};

export type Where = {
  readonly page: string;
  readonly item?: number | undefined;
  readonly telegram: boolean;
  /** Whose day it is, for fields that begin or end today. */
  readonly zone: string;
  readonly start?: string | undefined;
  readonly paint?: AppStart['paint'];
};

/** How a visit begins, on the server and in the browser alike. */
export const firstState = (where: Where): PageState => ({
  ...where,
  cart: {},
  values: {
    'page.telegram': where.telegram,
    'page.buttons': where.telegram ? '' : 'all',
    // As Swedes write a day: 2026-12-31.
    'page.today': new Date().toLocaleString('sv', { timeZone: where.zone }).slice(0, 10),
  },
  written: {},
});

/** The address of a page without its language, and of a row on it. */
export function address({ base, pages, locale, locales }: Site, page: string, item?: number | string): string {
  const path = pages[page]?.path ?? '/';
  const lang = locale === locales[0] ? '' : `?lang=${locale}`;
  return (base + (path === '/' ? '' : path) + (item ? `/${item}` : '') || '/') + lang;
}

/** The page of an address; a number at its end is a row. */
export function pageAt({ base, pages }: Site, path: string): { page: string; item?: number | undefined } | undefined {
  const [, before, item] = /^([^?#]*?)(?:\/(\d{1,15}))?\/?(?:[?#].*)?$/.exec(path.slice(base.length)) as string[];
  const page = Object.keys(pages).find((id) => pages[id]?.path === (before || '/'));
  return page ? { page, item: (item && +item) as number | undefined } : undefined;
}
