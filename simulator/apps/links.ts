/** What a t.me (or tg://resolve) link leads to. */
export type TelegramLink = {
  readonly username: string;
  /** Opens the chat with `/start <start>`. */
  readonly start?: string;
  /** Opens an app: the bot's main one, or the one of this name. */
  readonly app?: { readonly name?: string; readonly startParam?: string };
};

const HOSTS: ReadonlySet<string> = new Set(['t.me', 'telegram.me', 'telegram.dog']);
const USERNAME = /^[A-Za-z]\w{3,31}$/;
/** Longer or otherwise written parameters never reach the app. */
const START_PARAM = /^[\w-]{0,512}$/;

function parse(link: string): URL | undefined {
  try {
    return new URL(/^[a-z][a-z0-9+.-]*:/i.test(link) ? link : `https://${link}`);
  } catch {
    return undefined;
  }
}

/** The link's parts; undefined where it is none of Telegram's, or leads neither to a bot nor to an app. */
export function readTelegramLink(link: string): TelegramLink | undefined {
  const url = parse(link.trim());
  if (!url) return undefined;
  const query = url.searchParams;
  if (url.protocol === 'tg:') {
    if (url.host !== 'resolve') return undefined;
    return linkOf(query.get('domain') ?? '', query.get('appname') ?? undefined, query);
  }
  if (!/^https?:$/.test(url.protocol) || !HOSTS.has(url.hostname.replace(/^www\./, ''))) return undefined;
  const [username = '', name, ...rest] = url.pathname.split('/').filter(Boolean);
  return rest.length > 0 ? undefined : linkOf(username, name, query);
}

function linkOf(username: string, name: string | undefined, query: URLSearchParams): TelegramLink | undefined {
  if (!USERNAME.test(username)) return undefined;
  const start = query.get('start');
  const startParam = query.get('startapp');
  if (startParam !== null && !START_PARAM.test(startParam)) return undefined;
  if (name !== undefined || startParam !== null)
    return { username, app: { ...(name === undefined ? {} : { name }), ...(startParam ? { startParam } : {}) } };
  return { username, ...(start === null ? {} : { start }) };
}
