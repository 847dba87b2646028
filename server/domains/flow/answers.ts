// Reads what people answer: forgiving about how a thing is written, strict about what it is.

import type { Choice, InputKind } from '../../../contract/blocks/input.ts';
import type { PropsOf } from '../../../contract/blocks/registry.ts';
import type { Value } from '../../../contract/variables.ts';
import type { EventFile, IncomingEvent, IncomingKind } from './event-types.ts';
import type { Making } from './runner.ts';
import type { Turn } from './turn.ts';
import { addDays, dateOf } from './values.ts';

export type Answer = { readonly value: Value /** The choice made. */; readonly choice?: string };

type Props = PropsOf<'input'>;
type Reader = (turn: Turn, event: IncomingEvent) => Answer | null;

/** Messages of people. Notices of Telegram, edits and payments are no answers to anything. */
export const PERSONAL_KINDS: ReadonlySet<IncomingKind> = new Set<IncomingKind>([
  'text',
  'photo',
  'video',
  'document',
  'voice',
  'audio',
  'animation',
  'videoNote',
  'sticker',
  'contact',
  'location',
  'venue',
  'poll',
  'dice',
  'story',
  'album',
  'game',
  'checklist',
  'paidMedia',
  'richMessage',
]);

/** True for what counts as an answer, fitting or not. */
export function isAttempt(event: IncomingEvent): boolean {
  return event.kind === 'button' || PERSONAL_KINDS.has(event.kind);
}

/** Makes the reader of one input. It gives null for what does not fit. */
export function answerReader(props: Props, making: Making): Reader {
  const read = READERS[props.kind](props, making);
  return (turn, event) => (event.kind === 'button' && props.kind !== 'choice' ? null : read(turn, event));
}

const READERS: { readonly [Kind in InputKind]: (props: Props, making: Making) => Reader } = {
  text: textReader,
  number: (props, making) => (_turn, event) => withinNumber(readNumber(event.text, making.defaultLocale), props),
  email: () => (_turn, event) => valueOrNull(event.kind === 'text' ? readEmail(event.text) : null),
  phone: (_props, making) => (_turn, event) =>
    valueOrNull(readPhone(event.contact?.phone ?? (event.kind === 'text' ? event.text : ''), making.defaultLocale)),
  date: (props) => (turn, event) =>
    withinDates(event.kind === 'text' ? readDate(event.text, String(turn.read('today'))) : null, props),
  choice: choiceReader,
  contact: (props) => (_turn, event) => readContact(event, props.own === true),
  location: () => (_turn, event) => valueOrNull(event.location ? { ...event.location } : null),
  file: (props, making) => (_turn, event) => readFiles(event.files, props, making),
};

const valueOrNull = (value: Value | null): Answer | null => (value === null ? null : { value });

function textReader(props: Props, making: Making): Reader {
  const pattern = props.pattern === undefined ? null : making.pattern(props.pattern, false);
  const min = typeof props.min === 'number' ? props.min : 1;
  const max = typeof props.max === 'number' ? props.max : Number.POSITIVE_INFINITY;
  return (turn, event) => {
    const text = event.kind === 'text' ? event.text.trim() : '';
    if (text === '' || text.length < min || text.length > max) return null;
    if (pattern === null) return props.pattern === undefined ? { value: text } : null;
    turn.meter.begin();
    return pattern.fits(text, turn.meter) ? { value: text } : null;
  };
}

/** `1 000,5`, `1,000.5`, `-3`. A single comma before three digits is a thousand to an English reader, a fraction to others. */
export function readNumber(text: string, locale: string): number | null {
  let digits = text.replace(/[\s\u00a0\u202f']/g, '').replace('−', '-');
  if (digits.length > 40 || !/^[+-]?[\d.,]*\d[\d.,]*$/.test(digits)) return null;
  const commas = digits.split(',').length - 1;
  const dots = digits.split('.').length - 1;
  if (commas > 0 && dots > 0) {
    const thousands = digits.lastIndexOf(',') > digits.lastIndexOf('.') ? '.' : ',';
    digits = digits.replaceAll(thousands, '');
  } else if (commas > 1 || (commas === 1 && locale.startsWith('en') && /,\d{3}$/.test(digits)))
    digits = digits.replaceAll(',', '');
  else if (dots > 1) digits = digits.replaceAll('.', '');
  const number = Number(digits.replace(',', '.'));
  return Number.isFinite(number) ? number : null;
}

function withinNumber(number: number | null, props: Props): Answer | null {
  if (number === null || (props.integer && !Number.isInteger(number))) return null;
  const tooSmall = typeof props.min === 'number' && number < props.min;
  const tooLarge = typeof props.max === 'number' && number > props.max;
  return tooSmall || tooLarge ? null : { value: number };
}

/** One "@", something before it, a domain with a dot after it. More is for a letter to find out. */
export function readEmail(text: string): string | null {
  const address = text.trim();
  if (address.length > 254 || /[\s<>(),;:"\\[\]]/.test(address)) return null;
  const parts = address.split('@');
  const [name = '', domain = ''] = parts;
  if (parts.length !== 2 || name === '' || name.length > 64) return null;
  const labels = domain.split('.');
  const fine =
    labels.length > 1 &&
    labels.every((label) => label !== '' && label.length <= 63 && !label.startsWith('-') && !label.endsWith('-'));
  return fine && /^\p{L}{2,}$|^xn--/u.test(labels.at(-1) ?? '') ? `${name}@${domain.toLowerCase()}` : null;
}

/** International form with "+". The ways Russian numbers are written inside the country are understood too. */
export function readPhone(text: string, locale: string): string | null {
  const trimmed = text.trim();
  if (trimmed.length > 40 || !/^\+?[\d\s\u00a0().\-–—]+$/.test(trimmed)) return null;
  const digits = trimmed.replace(/\D/g, '');
  const international = trimmed.startsWith('+');
  if (!international && digits.length === 11 && /^[78]/.test(digits)) return `+7${digits.slice(1)}`;
  if (!international && digits.length === 10 && digits.startsWith('9') && locale === 'ru') return `+7${digits}`;
  const enough = digits.length >= (international ? 8 : 11) && digits.length <= 15;
  return enough && !digits.startsWith('0') ? `+${digits}` : null;
}

const DAY_WORDS: { readonly [word: string]: number } = {
  сегодня: 0,
  завтра: 1,
  послезавтра: 2,
  вчера: -1,
  today: 0,
  tomorrow: 1,
  yesterday: -1,
};

/** `31.12.2026`, `31/12/26`, `2026-12-31`, `31.12` (the next such day), or a word as "tomorrow". */
export function readDate(text: string, today: string): string | null {
  const word = text.trim().toLowerCase();
  const days = Object.hasOwn(DAY_WORDS, word) ? DAY_WORDS[word] : undefined;
  if (days !== undefined) return addDays(today, days);
  const iso = /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(word);
  if (iso) return dateOf(Number(iso[1]), Number(iso[2]), Number(iso[3]));
  const local = /^(\d{1,2})[./-](\d{1,2})(?:[./-](\d{4}|\d{2}))?$/.exec(word);
  if (!local) return null;
  const [, day, month, year] = local;
  if (year !== undefined) return dateOf(fullYear(Number(year), today), Number(month), Number(day));
  const thisYear = Number(today.slice(0, 4));
  const date = dateOf(thisYear, Number(month), Number(day));
  return date !== null && date < today ? dateOf(thisYear + 1, Number(month), Number(day)) : date;
}

/** Two digits mean the century around today: 26 is 2026, 95 is 1995. */
function fullYear(year: number, today: string): number {
  if (year >= 100) return year;
  const century = Math.floor(Number(today.slice(0, 4)) / 100) * 100;
  return century + year > Number(today.slice(0, 4)) + 20 ? century - 100 + year : century + year;
}

function withinDates(date: string | null, props: Props): Answer | null {
  if (date === null) return null;
  const tooEarly = typeof props.min === 'string' && date < props.min;
  const tooLate = typeof props.max === 'string' && date > props.max;
  return tooEarly || tooLate ? null : { value: date };
}

/** A press of a choice, or its words typed in any language of the flow. */
function choiceReader(props: Props): Reader {
  const choices = props.choices ?? [];
  const taken = (choice: Choice): Answer => ({ value: choice.value ?? choice.id, choice: choice.id });
  return (turn, event) => {
    if (event.kind === 'button') {
      const pressed = choices.find((choice) => choice.id === event.press?.button);
      return pressed ? taken(pressed) : null;
    }
    const typed = event.kind === 'text' ? event.text.trim().toLowerCase() : '';
    if (typed === '') return null;
    const said = choices.find(
      (choice) =>
        choice.id.toLowerCase() === typed ||
        turn.release.locales.some((locale) => turn.text(choice.label, locale).text.toLowerCase() === typed),
    );
    return said ? taken(said) : null;
  };
}

function readContact(event: IncomingEvent, own: boolean): Answer | null {
  const { contact, user } = event;
  if (!contact || (own && contact.userId !== user?.id)) return null;
  return { value: contact.phone.startsWith('+') ? contact.phone : `+${contact.phone.replace(/\D/g, '')}` };
}

/** One file, or all of an album where the variable is a list. */
function readFiles(files: readonly EventFile[], props: Props, making: Making): Answer | null {
  const wanted = props.files ? new Set<string>(props.files) : null;
  const bytesMax = props.maxMegabytes === undefined ? Number.POSITIVE_INFINITY : props.maxMegabytes * 1_048_576;
  const fitting = files.filter((file) => (wanted === null || wanted.has(file.kind)) && file.bytes <= bytesMax);
  const [first] = fitting;
  if (!first || fitting.length < files.length) return null;
  const isList =
    props.into !== undefined &&
    Object.hasOwn(making.variables, props.into) &&
    making.variables[props.into]?.type === 'list';
  return { value: isList ? fitting.map((file) => ({ ...file })) : { ...first } };
}
