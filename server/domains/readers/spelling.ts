// Signs that look different and mean the same, brought to one. Pure.

/** Full-width forms of East Asian keyboards stand this far behind the signs they mean. */
const WIDE_OFFSET = 0xfee0;
const wide = /[\uff01-\uff5e]/g;
const digit = /\p{Nd}/gu;
const isDigit = /^\p{Nd}$/u;

/** Signs that draw nothing: joiners, marks of direction, variation selectors, fillers. U+2800 is an empty Braille cell. */
const UNSEEN = '\\p{Default_Ignorable_Code_Point}\\p{Cf}';
const unseen = new RegExp(`[${UNSEEN}]`, 'gu');
const blank = new RegExp(`^[${UNSEEN}\\s\\p{Z}\\p{Cc}\\p{Cs}\\u2800]*$`, 'u');
const unseenEnds = new RegExp(`^[${UNSEEN}\\s\\u2800]+|[${UNSEEN}\\s\\u2800]+$`, 'gu');
/** How an emoji looks, or whose flag it is. */
const emojiEnd = /^(?:[\ufe0e\ufe0f]|[\u{e0020}-\u{e007f}]+)/u;
const spaces = /[^\S\r\n\u2028\u2029]+|\u2800+/g;
/** Two marks turn what follows around for the eye: what was read would not be what was seen. */
const overrides = /[\u202d\u202e]/;
const plainAscii = /^[\x20-\x7e]*$/;

/** True where a reader sees nothing at all: spaces, fillers (U+3164, U+2800), zero-width signs. */
export function isBlank(text: string): boolean {
  return text === '' || blank.test(text);
}

/** Without what cannot be seen before the first and behind the last sign; an emoji keeps what belongs to it. */
export function trimUnseen(text: string): string {
  if (isBlank(text)) return '';
  if (plainAscii.test(text)) return text.trim();
  return text.replace(unseenEnds, (ends, at: number) => (at === 0 ? '' : (emojiEnd.exec(ends)?.[0] ?? '')));
}

/**
 * A number, a day or a phone as digits and signs of ASCII where they mean such: digits of any script, full-width forms,
 * one kind of space, no marks of direction. Null for one that shows other than it says.
 */
export function figuresOf(text: string): string | null {
  if (plainAscii.test(text)) return text.trim();
  if (overrides.test(text)) return null;
  return text
    .normalize('NFC')
    .replace(wide, (sign) => String.fromCharCode(sign.charCodeAt(0) - WIDE_OFFSET))
    .replace(unseen, '')
    .replace(spaces, ' ')
    .replace(digit, valueOfDigit)
    .trim();
}

const digits = new Map<string, string>();

/** The digits of a script stand in one run from zero to nine, and some runs stand behind one another. */
function valueOfDigit(sign: string): string {
  if (sign >= '0' && sign <= '9') return sign;
  let value = digits.get(sign);
  if (value === undefined) {
    const code = sign.codePointAt(0) ?? 0;
    let zero = code;
    while (isDigit.test(String.fromCodePoint(zero - 1))) zero -= 1;
    digits.set(sign, (value = String((code - zero) % 10)));
  }
  return value;
}

const APOSTROPHES = /[\u2018\u2019\u201b\u02bc\u0060\u00b4\u2032]/g;
const QUOTES = /[\u201c\u201d\u201e\u201f\u00ab\u00bb\u2033]/g;
const DASHES = /[\u2010-\u2015\u2212]/g;

/** What stands beside signs and is none of them. Joiners stay: they part words of Persian and make one emoji of two. */
const strays = /[\ufe00-\ufe0f\u{e0100}-\u{e01ef}\u200b\u200e\u200f\u061c\u2060\ufeff]/gu;
const ascii = /^[\0-\x7f]*$/;
const oneSpace = /[^\S\r\n\t\u2028\u2029]|\u2800/g;

/**
 * Text in which words are looked for as they stand: letters composed, emoji without variation selectors, every space a
 * plain one. Line breaks stay.
 */
export function evenText(text: string): string {
  return ascii.test(text) ? text : text.normalize('NFC').replace(strays, '').replace(oneSpace, ' ');
}

/** The same for a pattern: a selector that may be missing ("⚙\ufe0f?") is gone with its question mark. */
export function evenPattern(source: string): string {
  return ascii.test(source) ? source : evenText(source.replace(/[\ufe0e\ufe0f][?*+]?/g, ''));
}

/** One spelling of the same words, their case kept: as a key of a keyboard is compared with what was sent. */
export function evenWords(text: string): string {
  if (plainAscii.test(text)) return text.trim().replace(/ {2,}/g, ' ');
  return text
    .normalize('NFKC')
    .replace(unseen, '')
    .replace(/[\s\u2800]+/g, ' ')
    .replace(digit, valueOfDigit)
    .replace(APOSTROPHES, "'")
    .replace(QUOTES, '"')
    .replace(DASHES, '-')
    .trim();
}

/** Words as they are compared: case, "ё", spaces, and how a letter or an emoji is put together do not matter. */
export function foldWords(text: string): string {
  const even = evenWords(text);
  if (plainAscii.test(even)) return even.toLowerCase();
  // Upper case first: "ß" is "SS" there, and the last sigma of a word is as the others.
  return even
    .toUpperCase()
    .toLowerCase()
    .replaceAll('ё', 'е')
    .replaceAll('ı', 'i')
    .replaceAll('i\u0307', 'i')
    .normalize('NFC');
}
