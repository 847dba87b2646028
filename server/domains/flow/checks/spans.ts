// Parts of texts that do nothing where they stand: marks where Telegram shows plain words, a way of writing that a value
// does not have, plural forms that a language does not know.

import type { Fault, FlowDocument } from '../../../../contract/flow.ts';
import type { Format, Span } from '../../../../contract/texts.ts';
import type { VariableType } from '../../../../contract/variables.ts';
import { readOwn } from '../values.ts';
import { stop, warn } from './fault.ts';
import type { TextPurpose, Use } from './uses.ts';

/** What is dropped without a word when a text is written. */
export function checkSpans(document: FlowDocument, uses: readonly Use[]): Fault[] {
  const plain = plainPlaces(uses);
  return Object.entries(document.texts ?? {}).flatMap(([key, text]) =>
    Object.entries(text).flatMap(([locale, body]) =>
      typeof body === 'string'
        ? []
        : body.flatMap((span, index): Fault[] => {
            if (typeof span === 'string') return [];
            const path = `texts.${key}.${locale}.${index}`;
            return [
              ...checkMarks(path, span, plain.get(key)),
              ...checkFormat(path, span, document),
              ...checkForms(path, span, locale),
            ];
          }),
    ),
  );
}

/** Where Telegram takes words alone; what is not here has marks. */
const PLAIN: { readonly [Purpose in TextPurpose]?: string } = {
  label: 'a button',
  replyLabel: 'a key',
  answer: 'an answer to a press',
  laterAnswer: 'an answer to a press',
  url: 'an address',
  appUrl: 'an address',
  copy: 'a text to copy',
  placeholder: 'the hint in the input field',
  command: 'the menu of commands',
};

type Place = { readonly words: string; readonly path: string };

/** The first such place of each text. Of the engine's own phrases one alone answers a press. */
function plainPlaces(uses: readonly Use[]): Map<string, Place> {
  const places = new Map<string, Place>();
  for (const use of uses) {
    if (use.what !== 'text' || places.has(use.key)) continue;
    const words = PLAIN[use.purpose];
    const isMessage = use.path.startsWith('phrases.') && use.path !== 'phrases.outOfDate';
    if (words !== undefined && !isMessage) places.set(use.key, { words, path: use.path });
  }
  return places;
}

const MARKS = [
  'bold',
  'italic',
  'underline',
  'strike',
  'spoiler',
  'code',
  'pre',
  'quote',
  'link',
  'mention',
  'emoji',
] as const;

function checkMarks(path: string, span: Exclude<Span, string>, place: Place | undefined): Fault[] {
  const lost = MARKS.filter((mark) => span[mark] !== undefined);
  if (place === undefined || lost.length === 0) return [];
  return [
    warn(
      'marks_lost',
      `${path}.${lost[0] ?? ''}`,
      `"${lost.join('", "')}" ${lost.length > 1 ? 'do' : 'does'} nothing in ${place.words} ("${place.path}"): plain words are shown there.`,
      'Write plain words there, under a key of their own where a message needs the marks.',
    ),
  ];
}

const NUMBERS: readonly Format[] = ['number', 'percent'];
const MOMENTS: readonly Format[] = ['date', 'dateLong', 'time', 'dateTime'];
/** Types of which no value is a number, and those of which none is a moment. */
const NO_NUMBER: ReadonlySet<VariableType> = new Set<VariableType>([
  'text',
  'bool',
  'date',
  'time',
  'phone',
  'email',
  'link',
  'list',
  'object',
  'file',
  'location',
]);
const NO_MOMENT: ReadonlySet<VariableType> = new Set<VariableType>([
  'bool',
  'phone',
  'email',
  'link',
  'list',
  'object',
  'file',
  'location',
]);

function checkFormat(path: string, span: Exclude<Span, string>, { variables }: FlowDocument): Fault[] {
  if (!('var' in span) || span.format === undefined) return [];
  const type = readOwn(variables ?? {}, span.var)?.type;
  if (type === undefined) return [];
  const isIdle =
    (NUMBERS.includes(span.format) && NO_NUMBER.has(type)) || (MOMENTS.includes(span.format) && NO_MOMENT.has(type));
  if (!isIdle) return [];
  return [
    stop(
      'prop_unused',
      `${path}.format`,
      `"${span.format}" does nothing for "${span.var}", a variable of the type "${type}".`,
      NUMBERS.includes(span.format) ? 'It acts for the type "number".' : 'It acts for the types "date" and "time".',
    ),
  ];
}

/** "zero" is exactly none in every language. */
function checkForms(path: string, span: Exclude<Span, string>, locale: string): Fault[] {
  if (!('plural' in span)) return [];
  const known: ReadonlySet<string> = new Set([
    'zero',
    ...new Intl.PluralRules(locale).resolvedOptions().pluralCategories,
  ]);
  return Object.keys(span.forms)
    .filter((form) => !known.has(form))
    .map((form) =>
      warn(
        'prop_unused',
        `${path}.forms.${form}`,
        `The language "${locale}" has no form "${form}", so nobody reads it.`,
        `It has "${[...known].join('", "')}".`,
      ),
    );
}
