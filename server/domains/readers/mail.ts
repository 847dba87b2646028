// Addresses of mail, of every script.

import { type Reading, UNREADABLE } from './reading.ts';

const charsMax = 254;
const nameCharsMax = 64;
const labelCharsMax = 63;
const marksAround =
  /^[\s\u200e\u200f\u061c\u202a-\u202c\u2066-\u2069]+|[\s\u200e\u200f\u061c\u202a-\u202c\u2066-\u2069]+$/g;

/**
 * One "@", something before it, a domain with a dot behind it, nothing that cannot be seen. More is for a letter to find
 * out. Kept in small letters, composed: two spellings of one address are one.
 */
export function readMail(text: string): Reading<string> {
  if (text.length > charsMax * 2) return UNREADABLE;
  const address = text
    .replace(marksAround, '')
    .replace(/[\uff01-\uff5e]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) - 0xfee0))
    .replace(/^mailto:/i, '')
    .replace(/(?<=\p{L})\.$/u, '')
    .normalize('NFC')
    .toLowerCase()
    .normalize('NFC');
  if (address.length > charsMax || /[\s<>(),;:"\\[\]]|(?!\u200c|\u200d)\p{C}/u.test(address)) return UNREADABLE;
  const [name = '', domain = '', ...more] = address.split('@');
  if (more.length > 0 || name === '' || name.length > nameCharsMax) return UNREADABLE;
  const dotted = domain.replace(/[\u3002\uff61]/g, '.');
  return isDomain(dotted) ? { value: `${name}@${dotted}` } : UNREADABLE;
}

/** Letters with their marks make a label: a script of India has vowels that are no letters of their own, and joiners. */
function isDomain(domain: string): boolean {
  const labels = domain.replace(/\u200c|\u200d/g, '').split('.');
  const fine = labels.every(
    (label) => /^[\p{L}\p{M}\p{N}_-]+$/u.test(label) && label.length <= labelCharsMax && !/^-|-$/.test(label),
  );
  const last = labels.at(-1) ?? '';
  return fine && labels.length > 1 && (last.startsWith('xn--') || /^\p{L}[\p{L}\p{M}]+$/u.test(last));
}
