import type { Settings } from '../settings.ts';

/** Where apps may be served from without TLS. Telegram takes none; a simulator usually runs beside its server. */
export type PlainHttp = Settings['appsOverHttp'];

/** Of a host as `new URL` writes it. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || /^127(\.\d+){3}$/.test(host);
}

/** Why an app cannot be opened at this address, in Telegram's words; undefined where it can. */
export function appAddressFault(url: unknown, plainHttp: PlainHttp): string | undefined {
  if (typeof url !== 'string' || url === '') return `URL '' is invalid: URL must be non-empty`;
  let address: URL;
  try {
    address = new URL(/^[a-z][\w+.-]*:/i.test(url) ? url : `http://${url}`);
  } catch {
    return `URL '${url}' is invalid: Wrong HTTP URL`;
  }
  const loopback = isLoopback(address.hostname);
  const allowed = plainHttp === 'any' || (plainHttp === 'loopback' && loopback);
  if (address.protocol !== 'https:' && !(address.protocol === 'http:' && allowed))
    return `URL '${url}' is invalid: Only HTTPS links are allowed`;
  if (!loopback && !address.hostname.includes('.') && !address.hostname.startsWith('['))
    return `URL '${url}' is invalid: Wrong HTTP URL`;
  return undefined;
}

/** What the app is told behind the `#` of its address. */
export type LaunchFacts = {
  initData: string;
  platform: string;
  /** Of the client that opens it. */
  version: string;
  themeParams?: Readonly<Record<string, string>> | undefined;
  /** Of a direct link: stands in the query too, so that a server can answer with the right page at once. */
  startParam?: string | undefined;
};

/** An app's address as a client opens it. A fragment of its own stays in front. */
export function launchAddress(url: string, facts: LaunchFacts): string {
  const address = new URL(url);
  if (facts.startParam !== undefined) address.searchParams.set('tgWebAppStartParam', facts.startParam);
  const own = address.hash.slice(1);
  const parts = [
    ...(facts.initData === '' ? [] : [['tgWebAppData', facts.initData]]),
    ['tgWebAppVersion', facts.version],
    ['tgWebAppPlatform', facts.platform],
    ...(facts.themeParams ? [['tgWebAppThemeParams', JSON.stringify(facts.themeParams)]] : []),
  ];
  const launch = parts.map(([name, value]) => `${name}=${encodeURIComponent(value ?? '')}`).join('&');
  address.hash = own === '' ? launch : `${own}${/[?=]/.test(own) ? '&' : '?'}${launch}`;
  return address.href;
}
