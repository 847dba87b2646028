// What goes with each answer. Made once for each page, so that a warm one costs a lookup.
import { createHash } from 'node:crypto';
import { telegramRoot } from '../../../../kernel/config-table.ts';
import type { AppEntry } from '../apps.ts';
import type { Wish } from './language.ts';
import type { Where } from './places.ts';

export type Headers = Readonly<Record<string, string>>;

/** Browsers ask each time and mostly hear 304; what stands before us may answer for some seconds by itself. */
const shellCache = 'public, max-age=0, s-maxage=5';
const ownCache = 'private, max-age=0';
export const immutableCache = 'public, max-age=31536000, immutable';

/** Nothing of a page needs these. */
const permissions = 'camera=(), microphone=(), geolocation=(), payment=(), usb=(), browsing-topics=()';

export type PagePolicy = {
  readonly where: Where;
  /** Of the inline styles, so that these and no others count. */
  readonly styles: readonly string[];
  /** Telegram's script, inside Telegram. */
  readonly telegramScript: string | undefined;
  readonly framedBy: readonly string[];
};

/** Headers of a page, whoever asks for it. The language is part of them, since one address may answer in several. */
export function pageHeaders(policy: PagePolicy, locale: string): Headers {
  const script = policy.telegramScript ?? '';
  // Below our own address it counts as ours.
  const telegram = URL.canParse(script) ? ` ${new URL(script).origin}` : '';
  const rules = [
    "default-src 'none'",
    `script-src 'self'${telegram}`,
    `style-src 'self' ${policy.styles.map(hashSource).join(' ')}`,
    "img-src 'self' https: data:",
    "media-src 'self' https:",
    "connect-src 'self'",
    "font-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    `frame-ancestors ${policy.framedBy.join(' ') || "'none'"}`,
  ];
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-language': locale,
    'content-security-policy': rules.join('; '),
    'permissions-policy': permissions,
    'referrer-policy': 'strict-origin-when-cross-origin',
  };
}

/**
 * Who may be given this answer too. An address that names no language speaks several, by what the browser wishes and by
 * whether the visitor comes from a page of ours (language.ts): `wish`. What Referer has decided is for one visitor alone,
 * since caches that tell every Referer apart keep nothing.
 */
export function sharingOf(wish: Wish | undefined): Sharing {
  return wish === undefined ? 'all' : wish.byReferer ? 'nobody' : 'alike';
}

export type Sharing = keyof typeof SHARING;

/** The headers of an answer for each way to share it, made once: setting them in two goes costs a tenth of a ready page. */
export function shared(headers: Headers): Readonly<Record<Sharing, Headers>> {
  const under = (sharing: Sharing): Headers => ({ ...headers, ...SHARING[sharing] });
  return { all: under('all'), alike: under('alike'), nobody: under('nobody') };
}

const wished = 'accept-encoding, accept-language, sec-fetch-site, sec-fetch-dest';
const SHARING = {
  all: { 'cache-control': shellCache, vary: 'accept-encoding' },
  alike: { 'cache-control': shellCache, vary: wished },
  nobody: { 'cache-control': ownCache, vary: wished },
} as const;

const hashSource = (style: string): string => `'sha256-${createHash('sha256').update(style).digest('base64')}'`;

/** Files under a name that changes with their content. */
export const fileHeaders: Headers = {
  'cache-control': immutableCache,
  'referrer-policy': 'no-referrer',
  vary: 'accept-encoding',
};

/** Pictures and films: nothing in them may run, whatever a browser takes them for. */
export const mediaHeaders: Headers = {
  'cache-control': immutableCache,
  'content-security-policy': "default-src 'none'; sandbox",
  'referrer-policy': 'no-referrer',
  'accept-ranges': 'bytes',
};

/**
 * Who may show an app in a frame: Telegram on the web, and for a bot of a simulated Telegram the page of that. A site
 * is framed by nobody, or somebody else's page could lie over its buttons.
 */
export function framesFor(app: AppEntry, where: Where): readonly string[] {
  if (where !== 'a') return [];
  const frames = ['https://web.telegram.org', 'https://*.telegram.org'];
  const root = app.bot?.apiRoot;
  if (root === undefined || root === telegramRoot || !URL.canParse(root)) return frames;
  const { origin, hostname, port, protocol } = new URL(root);
  const isHome = hostname === '127.0.0.1' || hostname === 'localhost';
  // One machine has two names, and people type either.
  const names = isHome
    ? ['127.0.0.1', 'localhost'].map((name) => `${protocol}//${name}${port && `:${port}`}`)
    : [origin];
  return [...frames, "'self'", ...names];
}
