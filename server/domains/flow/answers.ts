// Reads what people answer: forgiving about how a thing is written, strict about what it is.

import type { Choice, InputKind } from '../../../contract/blocks/input.ts';
import type { PropsOf } from '../../../contract/blocks/registry.ts';
import type { Value } from '../../../contract/variables.ts';
import {
  type Customs,
  customsOf,
  type DateFacts,
  foldWords,
  type Reading,
  readDate,
  readMail,
  readNumber,
  readPhone,
  readSharedPhone,
  trimUnseen,
} from '../readers/readers.ts';
import type { EventFile, IncomingEvent, IncomingKind } from './event-types.ts';
import type { Making } from './runner.ts';
import type { Turn } from './turn.ts';

/** A value, and the choice made where it was one. */
export type Answer = { readonly value: Value; readonly choice?: string };

/** What the answer may mean: the person is asked which, or whether it is that one. */
export type Unclear = { readonly meanings: readonly (string | number)[] };

/** Why an answer does not fit, where more can be said than that. */
export type Misfit = { readonly why: 'country' | 'notOwn' };

export type Heard = Answer | Unclear | Misfit | null;

type Props = PropsOf<'input'>;
type Reader = (turn: Turn, event: IncomingEvent) => Heard;

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
  return (turn, event) => {
    if (event.kind !== 'button' || props.kind === 'choice') return read(turn, event);
    const meant = turn.wait?.meanings?.[MEANING_BUTTONS.indexOf(event.press?.button ?? '')];
    return meant === undefined ? null : within(meant, props);
  };
}

/** The buttons that ask which meaning is meant. No id of a document looks like these. */
export const MEANING_BUTTONS: readonly string[] = ['~1', '~2', '~3', '~4'];

/** True for kinds whose answers may have several meanings. */
export const hasMeanings = (kind: InputKind): boolean => kind === 'number' || kind === 'date' || kind === 'phone';

const READERS: { readonly [Kind in InputKind]: (props: Props, making: Making) => Reader } = {
  text: textReader,
  number: (props) => (turn, event) => heard(readNumber(event.text, customs(turn)), props),
  email: (props) => (_turn, event) => heard(readMail(event.kind === 'text' ? event.text : ''), props),
  phone: (props) => (turn, event) =>
    event.contact
      ? readCard(turn, event, props.own === true)
      : heard(readPhone(event.kind === 'text' ? event.text : '', customs(turn)), props),
  date: (props) => (turn, event) =>
    heard(readDate(event.kind === 'text' ? event.text : '', customs(turn), datesOf(turn, props)), props),
  choice: choiceReader,
  contact: (props) => (turn, event) => readCard(turn, event, props.own === true),
  location: () => (_turn, event) => valueOrNull(event.location ? { ...event.location } : null),
  file: (props, making) => (_turn, event) => readFiles(event.files, props, making),
};

/** How this person writes numbers, days and phones. */
const customs = (turn: Turn): Customs => customsOf(turn.release.document, turn.locale);

const valueOrNull = (value: Value | null): Answer | null => (value === null ? null : { value });

function textReader(props: Props, making: Making): Reader {
  const pattern = props.pattern === undefined ? null : making.pattern(props.pattern, false);
  const min = typeof props.min === 'number' ? props.min : 1;
  const max = typeof props.max === 'number' ? props.max : Number.POSITIVE_INFINITY;
  return (turn, event) => {
    const text = event.kind === 'text' ? trimUnseen(event.text) : '';
    if (text === '' || text.length < min || text.length > max) return null;
    if (pattern === null) return props.pattern === undefined ? { value: text } : null;
    turn.meter.begin();
    return pattern.fits(text, turn.meter) ? { value: text } : null;
  };
}

const datesOf = (turn: Turn, { min, max }: Props): DateFacts => ({
  today: String(turn.read('today')),
  ...(typeof min === 'string' ? { min } : {}),
  ...(typeof max === 'string' ? { max } : {}),
});

/** What was read, within what the question takes. Of several meanings one at least has to fit. */
function heard(reading: Reading<string | number>, props: Props): Heard {
  if ('value' in reading) return within(reading.value, props);
  if ('fault' in reading) return reading.fault === 'country' ? { why: 'country' } : null;
  return reading.meanings.some((meaning) => within(meaning, props) !== null) ? reading : null;
}

function within(value: string | number, { kind, min, max, integer }: Props): Answer | null {
  if (typeof value === 'number' && integer && !Number.isInteger(value)) return null;
  const bounds = kind === 'number' ? 'number' : kind === 'date' ? 'string' : '';
  const tooSmall = typeof min === bounds && min !== undefined && value < min;
  const tooLarge = typeof max === bounds && max !== undefined && value > max;
  return tooSmall || tooLarge ? null : { value };
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
    const typed = event.kind === 'text' ? foldWords(event.text) : '';
    if (typed === '') return null;
    const said = choices.find(
      (choice) =>
        foldWords(choice.id) === typed ||
        turn.release.locales.some((locale) => foldWords(turn.text(choice.label, locale).text) === typed),
    );
    return said ? taken(said) : null;
  };
}

function readCard(turn: Turn, { contact, user }: IncomingEvent, own: boolean): Heard {
  if (!contact) return null;
  if (own && contact.userId !== user?.id) return { why: 'notOwn' };
  return valueOrNull(readSharedPhone(contact.phone, customs(turn)));
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
