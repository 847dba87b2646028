// The page as it is sent: what can be read at once, and what the runtime begins with. No script stands in it.
import type { AppStart, AppView } from '../../../../contract/app/view.ts';
import { GROUNDS } from '../../manifest/manifest.ts';
import type { Head } from './head.ts';

export type Shell = {
  readonly locale: string;
  readonly head: Head;
  readonly css: string;
  /** Address of the sheet for wide screens; phones ask for it last, and wait for nothing. */
  readonly desk: string;
  readonly theme: string;
  /** What the blocks have drawn. */
  readonly body: string;
  /** Absent on a page that needs no script, as the one that says there is nothing. */
  readonly start?: AppStart | undefined;
  readonly runtime: string;
};

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string): string => text.replace(/[&<>"]/g, (sign) => escapes[sign] ?? '');

/** The whole document. */
export function pageHtml({ locale, head, css, desk, theme, body, start, runtime }: Shell): string {
  // Before the pictures: on a slow line they would take half of it from the runtime.
  const preloads =
    start === undefined
      ? []
      : [`<link rel="modulepreload" href="${escaped(runtime)}">`, ...[start.view, start.rows].map(preload)];
  const script =
    start === undefined
      ? ''
      : `<script type="application/json" id="v">${json(start)}</script><script src="${escaped(runtime)}" type="module" async></script>`;
  return [
    `<!doctype html><html lang="${escaped(locale)}"><head><meta charset="utf-8">`,
    '<meta name="viewport" content="width=device-width,initial-scale=1,viewport-fit=cover">',
    `<title>${escaped(head.title)}</title>`,
    headTags(head, locale),
    '<link rel="icon" href="data:,">',
    ...preloads,
    `<style>${css}</style><style>${theme}</style>`,
    `<link rel="stylesheet" media="(min-width:900px)" href="${escaped(desk)}"></head>`,
    `<body><div id="r">${body}</div>${script}</body></html>`,
  ].join('');
}

const preload = (address: string): string =>
  `<link rel="preload" as="fetch" crossorigin="anonymous" href="${escaped(address)}">`;

/** JSON inside a script element: nothing in it may look like the end of one. */
const json = (value: unknown): string => JSON.stringify(value).replaceAll('<', '\\u003c');

function headTags(head: Head, locale: string): string {
  const tags: string[] = [];
  const meta = (name: 'name' | 'property', key: string, content: string | number | undefined): void => {
    if (content !== undefined && content !== '')
      tags.push(`<meta ${name}="${key}" content="${escaped(String(content))}">`);
  };
  if (!head.index) meta('name', 'robots', 'noindex');
  meta('name', 'description', head.description);
  meta('property', 'og:type', 'website');
  meta('property', 'og:title', head.title);
  meta('property', 'og:description', head.description);
  meta('property', 'og:site_name', head.siteName);
  meta('property', 'og:locale', locale.replace('-', '_'));
  meta('property', 'og:url', head.url);
  meta('property', 'og:image', head.image?.src);
  meta('property', 'og:image:width', head.image?.width);
  meta('property', 'og:image:height', head.image?.height);
  meta('name', 'twitter:card', head.image === undefined ? 'summary' : 'summary_large_image');
  if (head.url !== undefined && head.index) tags.push(`<link rel="canonical" href="${escaped(head.url)}">`);
  for (const { locale: other, url } of head.alternates)
    tags.push(`<link rel="alternate" hreflang="${escaped(other)}" href="${escaped(url)}">`);
  return tags.join('');
}

/** Telegram draws buttons in its own colours. Those of a project that has an accent look as they do on its site. */
export function buttonPaint({ theme }: Pick<AppView, 'theme'>): AppStart['paint'] {
  if (theme?.accent === undefined || theme.accentDark === undefined) return undefined;
  return {
    MainButtonlight: { color: theme.accent, text_color: GROUNDS.light },
    MainButtondark: { color: theme.accentDark, text_color: GROUNDS.dark },
    SecondaryButtonlight: { text_color: theme.accent },
    SecondaryButtondark: { text_color: theme.accentDark },
  };
}

const radii = { s: '6px', m: '12px', l: '20px' } as const;

/** The theme as custom properties: the only style that a project has a say in. */
export function themeCss({ theme }: Pick<AppView, 'theme'>): string {
  const radius = theme?.radius === undefined ? '' : `--radius:${radii[theme.radius]};`;
  // What stands on the accent is the ground that it was checked against, or Telegram's theme would choose.
  const accent = theme?.accent === undefined ? '' : `--accent:${theme.accent};--on-accent:${GROUNDS.light};`;
  const dark =
    theme?.accentDark === undefined ? '' : `--accent-dark:${theme.accentDark};--on-accent-dark:${GROUNDS.dark};`;
  return `:root{${radius}${accent}${dark}}`;
}
