/** A page that the app goes to has no fragment any more: what it was launched with is kept for the tab, under Telegram's own name. */
const KEPT = '__telegram__initParams';

function kept() {
  try {
    return JSON.parse(sessionStorage.getItem(KEPT) ?? '{}') ?? {};
  } catch {
    return {};
  }
}

function keep(params) {
  try {
    sessionStorage.setItem(KEPT, JSON.stringify(params));
  } catch {
    // A frame without storage: the fragment has to do.
  }
}

function queryOf(fragment) {
  const mark = fragment.indexOf('?');
  return new URLSearchParams(mark === -1 ? fragment : fragment.slice(mark + 1));
}

/** What stands behind the `#` of the page's address, or what stood there when the app was opened. */
function readLaunch() {
  const fresh = Object.fromEntries(
    [...queryOf(location.hash.slice(1))].filter(([name]) => name.startsWith('tgWebApp')),
  );
  // A launch stands for itself: one that says nothing of the person must not find the person of an earlier one.
  const params = fresh.tgWebAppVersion === undefined ? { ...kept(), ...fresh } : fresh;
  keep(params);
  return params;
}

function value(text) {
  if (!/^[[{].*[\]}]$/s.test(text)) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The fields of a query string; those that are JSON as objects. */
export function fieldsOf(query) {
  return Object.fromEntries([...new URLSearchParams(query)].map(([name, text]) => [name, value(text)]));
}

const params = readLaunch();

/** The launch as the client made it. Nothing here is proven: only a server can check the signatures. */
export const launch = {
  initData: params.tgWebAppData ?? '',
  version: params.tgWebAppVersion ?? '6.0',
  platform: params.tgWebAppPlatform ?? 'unknown',
  themeParams: fieldsOf(`theme=${encodeURIComponent(params.tgWebAppThemeParams ?? '{}')}`).theme,
};

/** Whether the client's protocol is at least of this version; numbers are compared part by part. */
export function isVersionAtLeast(version) {
  const [ours, asked] = [launch.version, version].map((text) => String(text).trim().split('.').map(Number));
  for (let at = 0; at < Math.max(ours.length, asked.length); at++) {
    const difference = (ours[at] || 0) - (asked[at] || 0);
    if (difference !== 0) return difference > 0;
  }
  return true;
}

/** Throws where the client is older than a call, as Telegram's own script does. What does no harm it passes over. */
export function mustBeHere(version) {
  if (!isVersionAtLeast(version)) throw new Error('WebAppMethodUnsupported');
}
