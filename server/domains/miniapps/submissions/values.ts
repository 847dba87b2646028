// What a visitor has filled in, by what the form says. Pure: values in, values as they are kept or a sentence for
// each field out. The page checks the same for comfort; here it is decided.
import type { Form, FormField } from '../../../../contract/app/forms.ts';
import { APP_LIMITS } from '../../../../contract/app/limits.ts';
import type { Scalar } from '../../../../contract/app/view.ts';
import {
  type Customs,
  isBlank,
  meaningText,
  type Reading,
  readDate,
  readMail,
  readNumber,
  readPhone,
  readTime,
  trimUnseen,
} from '../../readers/readers.ts';
import { words } from '../words.ts';

export type Given = { readonly [field: string]: Scalar | readonly string[] };
export type Kept = { readonly [field: string]: Scalar | readonly string[] };

export type ReadForm = {
  readonly values: Kept;
  /** A sentence for each field that is wrong. */
  readonly errors: { readonly [field: string]: string };
  /** Names that the form does not have. No page of ours sends such. */
  readonly unknown: readonly string[];
};

export type FormFacts = {
  readonly locale: string;
  /** The day it is where the project is, as 2026-12-31. */
  readonly today: string;
  /** How the people of the project write numbers, days and phones. */
  readonly customs: Customs;
  /** The start parameter of the link, for hidden fields. */
  readonly start: string | undefined;
  /** Is this field shown for these values? */
  isShown(field: FormField, values: Given): boolean;
};

/** Reads a form. What is not shown is left out, whatever was sent for it; what is hidden is ours. */
export function readForm(form: Form, given: Given, facts: FormFacts): ReadForm {
  const values: Record<string, Scalar | readonly string[]> = {};
  const errors: Record<string, string> = {};
  for (const name of form.order) {
    const field = form.fields[name];
    if (field === undefined) continue;
    if (field.type === 'hidden') {
      const value = field.value ?? (field.from === 'start' ? (facts.start ?? '') : '');
      if (value !== '') values[name] = tidy(value, false);
      continue;
    }
    if (!facts.isShown(field, given)) continue;
    const read = readField(field, Object.hasOwn(given, name) ? given[name] : undefined, facts);
    if (read.fault !== undefined) errors[name] = read.fault;
    else if (read.value !== undefined) values[name] = read.value;
  }
  return { values, errors, unknown: Object.keys(given).filter((name) => !Object.hasOwn(form.fields, name)) };
}

type Asked = Exclude<FormField, { type: 'hidden' }>;
type Read = { readonly value?: Scalar | readonly string[] | undefined; readonly fault?: string };

function readField(field: Asked, given: Scalar | readonly string[] | undefined, facts: FormFacts): Read {
  const says = words(facts.locale);
  if (isEmpty(given)) {
    if (field.type === 'consent') return { fault: says.consent };
    return field.required ? { fault: says.required } : {};
  }
  if (Array.isArray(given) && field.type !== 'choices' && field.type !== 'file') return { fault: says.choose };
  const read = READERS[field.type](field as never, given as Scalar | readonly string[], facts);
  // Nothing is left of what was there to be seen.
  return read.value === '' ? (field.required ? { fault: says.required } : {}) : read;
}

function isEmpty(given: Scalar | readonly string[] | undefined): boolean {
  if (given === undefined || given === false) return true;
  if (typeof given === 'string') return isBlank(given);
  return Array.isArray(given) && given.length === 0;
}

type Reader<Type extends Asked['type']> = (
  field: Extract<Asked, { type: Type }>,
  given: Scalar | readonly string[],
  facts: FormFacts,
) => Read;

const READERS: { readonly [Type in Asked['type']]: Reader<Type> } = {
  text(field, given, { locale }) {
    if (given === true) return { fault: words(locale).required };
    const max = field.maxChars ?? APP_LIMITS.valueChars;
    const text = tidy(asText(given), (field.lines ?? 1) > 1);
    return [...text].length > max ? { fault: words(locale).text(max) } : { value: text };
  },
  phone: (_field, given, facts) => kept(readPhone(asText(given), facts.customs), words(facts.locale).phone, facts),
  email: (_field, given, facts) => kept(readMail(asText(given)), words(facts.locale).email, facts),
  number(field, given, facts) {
    const says = words(facts.locale);
    const reading: Reading<number> =
      typeof given === 'number' && Number.isFinite(given) ? { value: given } : readNumber(asText(given), facts.customs);
    if (!('value' in reading)) return kept(reading, says.number, facts);
    const number = reading.value;
    if (field.min !== undefined && number < field.min) return { fault: says.atLeast(field.min) };
    if (field.max !== undefined && number > field.max) return { fault: says.atMost(field.max) };
    return isOnStep(number, field.step, field.min) ? { value: number } : { fault: says.number };
  },
  select: readOption,
  radio: readOption,
  choices(field, given, { locale }) {
    const chosen = Array.isArray(given) ? (given as readonly string[]) : [asText(given)];
    const known = field.options.map((option) => option.id);
    const isFine = chosen.every((id) => known.includes(id)) && new Set(chosen).size === chosen.length;
    // In the order of the form, so that the same choice is the same value.
    return isFine ? { value: known.filter((id) => chosen.includes(id)) } : { fault: words(locale).choose };
  },
  checkbox: (_field, given, { locale }) => (given === true ? { value: true } : { fault: words(locale).choose }),
  consent: (_field, given, { locale }) => (given === true ? { value: true } : { fault: words(locale).consent }),
  date(field, given, facts) {
    const says = words(facts.locale);
    const bound = (name: string | undefined): string | undefined => (name === 'today' ? facts.today : name);
    const [min, max] = [bound(field.min), bound(field.max)];
    const reading = readDate(asText(given), facts.customs, { today: facts.today, min, max });
    if (!('value' in reading)) return kept(reading, says.date, facts);
    const day = reading.value;
    if (min !== undefined && day < min) return { fault: says.earliest(dayText(min, facts.locale)) };
    return max !== undefined && day > max ? { fault: says.latest(dayText(max, facts.locale)) } : { value: day };
  },
  time: (_field, given, facts) => kept(readTime(asText(given)), words(facts.locale).time, facts),
  /** Whether the files are there is asked of the database. */
  file(_field, given, { locale }) {
    const ids = Array.isArray(given) ? (given as readonly string[]) : [asText(given)];
    if (ids.length > APP_LIMITS.filesPerEvent) return { fault: words(locale).files(APP_LIMITS.filesPerEvent) };
    const isFine = ids.every((id) => /^file_[\w-]{22}$/.test(id)) && new Set(ids).size === ids.length;
    return isFine ? { value: ids } : { fault: words(locale).file };
  },
  rating(field, given, { locale }) {
    const stars = numberOf(given);
    const max = field.max ?? 5;
    const isFine = stars !== undefined && Number.isInteger(stars) && stars >= 1 && stars <= max;
    return isFine ? { value: stars } : { fault: words(locale).choose };
  },
  /** Whether the row is there is asked of the table. */
  pick(_field, given, { locale }) {
    const id = numberOf(given);
    return id !== undefined && Number.isSafeInteger(id) && id > 0 ? { value: id } : { fault: words(locale).choose };
  },
  /** Whether the time is free is asked of the calendar. */
  slot(_field, given, { locale }) {
    const text = asText(given).trim();
    const at = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:00(\.000)?)?Z$/.test(text) ? Date.parse(text) : Number.NaN;
    return Number.isNaN(at) ? { fault: words(locale).choose } : { value: new Date(at).toISOString() };
  },
};

function readOption(
  field: Extract<Asked, { type: 'select' | 'radio' }>,
  given: Scalar | readonly string[],
  { locale }: FormFacts,
): Read {
  const id = asText(given);
  return field.options.some((option) => option.id === id) ? { value: id } : { fault: words(locale).choose };
}

const asText = (given: Scalar | readonly string[]): string => String(given);

/** Ids and stars, which pages of ours send: no question of how somebody writes. */
function numberOf(given: Scalar | readonly string[]): number | undefined {
  if (typeof given === 'number') return Number.isFinite(given) ? given : undefined;
  return typeof given === 'string' && /^\s*-?\d{1,15}(\.\d{1,10})?\s*$/.test(given) ? Number(given) : undefined;
}

/** What was read, or a sentence: what it may mean and how to say which, what it lacks, or that it is no such value. */
function kept(reading: Reading<Scalar>, wrong: string, { locale }: FormFacts): Read {
  const says = words(locale);
  if ('value' in reading) return { value: reading.value };
  if ('fault' in reading) return { fault: reading.fault === 'country' ? says.phoneCountry : wrong };
  const meanings = reading.meanings.map((meaning) =>
    typeof meaning === 'boolean' ? String(meaning) : meaningText(meaning, locale),
  );
  return { fault: meanings.length === 1 ? says.thisOne(meanings.join()) : says.whichOne(meanings) };
}

/** Within what a binary fraction can be off. */
function isOnStep(number: number, step: number | undefined, min: number | undefined): boolean {
  if (step === undefined) return true;
  const steps = (number - (min ?? 0)) / step;
  return Math.abs(steps - Math.round(steps)) < 1e-6;
}

/** A day as people of this language read it. */
const dayText = (day: string, locale: string): string =>
  new Date(day).toLocaleDateString(locale, { dateStyle: 'long', timeZone: 'UTC' });

/**
 * Words as they may be kept and shown: composed letters, without control characters and without the marks that turn
 * the direction of what stands around them.
 */
function tidy(text: string, isLong: boolean): string {
  const whole = text.toWellFormed().normalize('NFC').replace(/\r\n?/g, '\n');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is cut
  const clean = whole.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069\ufeff]/g, '');
  return trimUnseen(isLong ? clean.replace(/\n{3,}/g, '\n\n') : clean.replace(/[\n\t ]+/g, ' '));
}
