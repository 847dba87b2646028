/** What a link of a button says besides its letters. */
type Parts = { protocol: 'http' | 'https'; host: string; userinfo: string; port: string };

/** Reads an address as Telegram does: without a protocol it is http, and what stands before a colon is a host. */
function parse(link: string): Parts | string {
  const [, protocol = 'http', rest = ''] = /^(?:([^:/?#]*):\/\/)?(.*)$/s.exec(link) ?? [];
  const known = protocol.toLowerCase();
  if (known !== 'http' && known !== 'https') return 'Unsupported URL protocol';
  const authority = /^[^/?#]*/.exec(rest)?.[0] ?? '';
  const at = authority.lastIndexOf('@');
  const [, name = '', port] = /^(\[[^\]]*\]|.*?)(?::([^:\]]*))?$/s.exec(authority.slice(at + 1)) ?? [];
  if (port !== undefined && !(/^\d+$/.test(port) && Number(port) >= 1 && Number(port) <= 65_535))
    return 'Wrong port number specified in the URL';
  if (name === '') return 'URL host is empty';
  if (/\s/.test(name)) return 'Wrong HTTP URL';
  if (!name.startsWith('[') && /[^\p{L}\p{N}\p{M}.\-_!$,~*'();&+=%]/u.test(name))
    return 'Disallowed character in URL host';
  return { protocol: known, host: name, userinfo: authority.slice(0, Math.max(at, 0)), port: port ?? '' };
}

/** Why Telegram takes no such link, in its words; undefined where it does. `https` allows no other protocol. */
export function linkFault(link: string, https = false): string | undefined {
  const own = /^(tg|ton|tonsite):(?:\/\/)?/i.exec(link);
  const read = parse(own ? link.slice(own[0].length) : link);
  if (typeof read === 'string') return read;
  if (https && (own || read.protocol !== 'https')) return 'Only HTTPS links are allowed';
  if (own) {
    const odd = read.protocol === 'https' || read.userinfo !== '' || read.port !== '' || read.host.startsWith('[');
    return odd ? `Wrong ${own[1]?.toLowerCase() === 'tg' ? 'tg' : 'ton'} URL` : undefined;
  }
  return read.host.includes('.') || read.host.startsWith('[') ? undefined : 'Wrong HTTP URL';
}

/** `mailto:a@b.c` reads as the host b.c with a user before it: Telegram's servers refuse that later, and otherwise. */
export function isDisguised(link: string): boolean {
  const read = link.includes('://') || /^(tg|ton|tonsite):/i.test(link) ? '' : parse(link);
  return typeof read !== 'string' && read.userinfo !== '';
}
