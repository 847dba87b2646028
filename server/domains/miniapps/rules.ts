// Pure decisions: what a slug and a domain may be.

/** What is wrong with a slug, as a sentence; undefined when nothing is. */
export function slugFault(slug: string): string | undefined {
  if (!/^[a-z0-9-]{1,48}$/.test(slug)) return 'A slug has 1 to 48 small letters, digits and hyphens, as "corner-cafe".';
  return slug.startsWith('-') || slug.endsWith('-') ? 'A slug begins and ends with a letter or a digit.' : undefined;
}

/** One spelling for one domain: small letters, no dot at its end. */
export const normalDomain = (text: string): string => text.trim().toLowerCase().replace(/\.$/, '');

const label = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

/** What is wrong with a domain that is normal already; `home` is the host of PUBLIC_URL. */
export function domainFault(domain: string, home: string | undefined): string | undefined {
  if (/^https?:|[/:?#@\s]/.test(domain)) return 'Write the domain alone, as "shop.example.com".';
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the whole of ASCII is meant
  if (/[^\u0000-\u007f]/.test(domain))
    return 'Write the domain as browsers send it: letters of other alphabets as "xn--...".';
  const labels = domain.split('.');
  const isDomain = labels.length > 1 && domain.length <= 253 && labels.every((one) => label.test(one));
  if (!isDomain) return `"${domain}" is not a domain.`;
  if (/^\d+$/.test(labels.at(-1) ?? '')) return 'An address of digits is no domain.';
  return domain === home ? 'This is the address of the installation itself.' : undefined;
}
