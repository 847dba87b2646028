// Rich text: spans with marks become a text and its entities. Nothing is parsed, so no value can break anything.

import type { Span, TextBody } from '../../../contract/texts.ts';
import type { Value, VariableType } from '../../../contract/variables.ts';
import { KNOWN_VALUES } from '../../../contract/variables.ts';
import type { Program } from './expressions.ts';
import type { Formatter } from './formats.ts';
import type { Entity } from './step-types.ts';
import { asNumber, cleanText } from './values.ts';

export type RichText = { readonly text: string; readonly entities: readonly Entity[] };

/** Where a text finds its values. */
export type TextSource = {
  readonly read: (path: string) => Value | undefined;
  /** Undefined when the expression failed; the failure is traced by who evaluates. */
  readonly evaluate: (program: Program) => Value | undefined;
  readonly formatter: Formatter;
};

/** A text of one language, prepared: finished when it holds no values. */
export type CompiledText = { readonly fixed: RichText | null; readonly parts: readonly Part[] };

type Mark = {
  readonly type: string;
  readonly url?: string;
  readonly language?: string;
  readonly custom_emoji_id?: string;
  readonly user?: { readonly id: number; readonly is_bot: false; readonly first_name: string };
};
type Part = {
  readonly marks: readonly Mark[];
  readonly write: (source: TextSource) => string;
  /** Whose profile a press opens. */
  readonly mention?: string | undefined;
};

/** How names and expressions of a text are resolved while compiling. */
export type TextMaking = {
  readonly typeOf: (path: string) => VariableType;
  readonly program: (expression: string) => Program | null;
};

/** Prepares one text of one language. */
export function compileText(body: TextBody, making: TextMaking): CompiledText {
  const spans = typeof body === 'string' ? [body] : body;
  const parts = spans.map((span) => compileSpan(span, making));
  const isFixed = spans.every((span) => typeof span === 'string' || ('text' in span && span.mention === undefined));
  return { fixed: isFixed ? assemble(parts.map((part) => written(part, NOTHING))) : null, parts };
}

const NOTHING: TextSource = {
  read: () => undefined,
  evaluate: () => undefined,
  formatter: { locale: 'en', write: () => '', plural: () => 'other', money: String },
};

/** Writes a text for a reader. */
export function renderText(text: CompiledText, source: TextSource): RichText {
  return text.fixed ?? assemble(text.parts.map((part) => written(part, source)));
}

type Written = readonly [string, readonly Mark[]];

/** A mention of somebody without a number (a visitor of the site) is plain text; one without a name is the number. */
function written({ write, marks, mention }: Part, source: TextSource): Written {
  const text = write(source);
  const id = mention === undefined ? Number.NaN : asNumber(source.read(mention));
  if (!Number.isSafeInteger(id) || id <= 0) return [text, marks];
  const shown = text || String(id);
  return [shown, [{ type: 'text_mention', user: { id, is_bot: false, first_name: shown.slice(0, 64) } }, ...marks]];
}

function compileSpan(span: Span, making: TextMaking): Part {
  if (typeof span === 'string') return { marks: [], write: constant(span) };
  return { ...compileWords(span, making), mention: span.mention };
}

function compileWords(span: Exclude<Span, string>, making: TextMaking): Part {
  const marks = marksOf(span);
  if ('text' in span) return { marks, write: constant(span.text) };
  if ('var' in span) {
    const type = making.typeOf(span.var);
    return { marks, write: ({ read, formatter }) => cleanText(formatter.write(read(span.var), type, span.format)) };
  }
  if ('expr' in span) {
    const program = making.program(span.expr);
    if (program === null) return { marks, write: () => '' };
    const type: VariableType = program.type === 'double' || program.type === 'int' ? 'number' : 'text';
    return {
      marks,
      write: ({ evaluate, formatter }) => cleanText(formatter.write(evaluate(program), type, span.format)),
    };
  }
  return { marks, write: (source) => writePlural(span, source) };
}

function constant(text: string): () => string {
  const clean = cleanText(text);
  return () => clean;
}

/** `#` in a form stands for the number: `"few": "# заявки"`. */
function writePlural(span: Extract<Span, { plural: string }>, { read, formatter }: TextSource): string {
  const value = asNumber(read(span.plural));
  const count = Number.isFinite(value) ? value : 0;
  const exact = count === 0 ? span.forms.zero : undefined;
  const form = exact ?? span.forms[formatter.plural(count)] ?? span.forms.other;
  return cleanText(form.replaceAll('#', formatter.write(count, 'number', 'number')));
}

function marksOf(span: Exclude<Span, string>): Mark[] {
  const marks: Mark[] = [];
  if (span.quote) marks.push({ type: span.quote === 'folded' ? 'expandable_blockquote' : 'blockquote' });
  // Telegram takes nothing inside code but a quote around it.
  if (span.pre) return [...marks, typeof span.pre === 'string' ? { type: 'pre', language: span.pre } : { type: 'pre' }];
  if (span.code) return [...marks, { type: 'code' }];
  if (span.link) marks.push({ type: 'text_link', url: span.link });
  if (span.bold) marks.push({ type: 'bold' });
  if (span.italic) marks.push({ type: 'italic' });
  if (span.underline) marks.push({ type: 'underline' });
  if (span.strike) marks.push({ type: 'strikethrough' });
  if (span.spoiler) marks.push({ type: 'spoiler' });
  if (span.emoji) marks.push({ type: 'custom_emoji', custom_emoji_id: span.emoji });
  return marks;
}

const isSameMark = (left: Entity, right: Mark): boolean =>
  left.type === right.type &&
  left.url === right.url &&
  left.language === right.language &&
  left.user?.id === right.user?.id &&
  left.custom_emoji_id === right.custom_emoji_id;

/** Joins written parts. A mark that goes on from one part to the next is one entity: two quotes would be two boxes. */
function assemble(parts: readonly Written[]): RichText {
  let text = '';
  const entities: Entity[] = [];
  for (const [part, marks] of parts) {
    const offset = text.length;
    text += part;
    if (part === '') continue;
    for (const mark of marks) {
      const open =
        mark.type === 'custom_emoji'
          ? -1
          : entities.findLastIndex((entity) => entity.offset + entity.length === offset && isSameMark(entity, mark));
      const before = entities[open];
      if (before) entities[open] = { ...before, length: before.length + part.length };
      else entities.push({ ...mark, offset, length: part.length });
    }
  }
  return trim({ text, entities });
}

/** Telegram cuts space around a message and moves entities; doing it here keeps our offsets true. */
function trim({ text, entities }: RichText): RichText {
  const start = text.length - text.trimStart().length;
  const end = text.trimEnd().length;
  if (start === 0 && end === text.length) return { text, entities };
  return cutText({ text, entities }, start, Math.max(start, end));
}

/** A stretch of a rich text, with what of its entities lies in it. */
export function cutText({ text, entities }: RichText, start: number, end: number): RichText {
  const kept: Entity[] = [];
  for (const entity of entities) {
    const from = Math.max(entity.offset, start);
    const to = Math.min(entity.offset + entity.length, end);
    if (to > from) kept.push({ ...entity, offset: from - start, length: to - from });
  }
  return { text: text.slice(start, end), entities: kept };
}

/** Type of what a path leads to, as far as a reader sees it. */
export function typeOfPath(
  path: string,
  variables: { readonly [name: string]: { readonly type: VariableType } },
): VariableType {
  if (Object.hasOwn(KNOWN_VALUES, path)) {
    const type = KNOWN_VALUES[path as keyof typeof KNOWN_VALUES];
    // Ids and numbers of orders are written without spaces.
    return type === 'number' && path !== 'event.total' ? 'text' : type;
  }
  return Object.hasOwn(variables, path) ? (variables[path]?.type ?? 'text') : 'text';
}
