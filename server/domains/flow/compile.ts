// A release made ready to run: everything that can be known before an event comes is worked out here, once.

import { type Block, type BlockOf, type BlockType, specOf } from '../../../contract/blocks/registry.ts';
import type { FlowDocument } from '../../../contract/flow.ts';
import type { Variable } from '../../../contract/variables.ts';
import { evenWords } from '../readers/readers.ts';
import { RUNNERS } from './blocks/registry.ts';
import { compileTriggers } from './compile-triggers.ts';
import { compileCondition } from './conditions.ts';
import { compileExpression, expressionEnvironment, type Program } from './expressions.ts';
import { dayTeller, type Formatter, isTimezone, makeFormatter } from './formats.ts';
import { compilePattern, type Pattern } from './patterns.ts';
import type { CompiledBlock, MakeRunner, Making, Runner } from './runner.ts';
import { type CompiledText, compileText, type TextMaking, typeOfPath } from './texts.ts';
import type { TriggerTable } from './triggers.ts';
import { readOwn } from './values.ts';

/** A key of a reply keyboard: words that a person sends by pressing it. */
export type ReplyLabel = { readonly block: string; readonly button: string };

export type CompiledRelease = {
  readonly number: number;
  readonly hash: string;
  readonly document: FlowDocument;
  readonly locales: readonly string[];
  readonly defaultLocale: string;
  readonly variables: { readonly [name: string]: Variable };
  readonly blocks: ReadonlyMap<string, CompiledBlock>;
  readonly triggers: TriggerTable;
  readonly replyLabels: ReadonlyMap<string, readonly ReplyLabel[]>;
  /** Blocks whose keys say the same as keys of others: the conversation remembers which of them was shown last. */
  readonly sharedLabels: ReadonlySet<string>;
  /** First blocks of the default cards; null where the maker filled none. */
  readonly defaults: {
    readonly wentWrong: string | null;
    readonly nothingMatched: string | null;
    readonly ended: string | null;
  };
  readonly text: (key: string, locale: string) => CompiledText | null;
  readonly formatter: (locale: string) => Formatter;
  /** The day of a moment in the flow's time zone, as `2026-12-31`. */
  readonly dayOf: (atMs: number) => string;
};

/** Precomputes all that a step needs. Parts that are wrong become parts that fail when they are reached; it never throws. */
export function compile(document: FlowDocument, meta: { number: number; hash: string }): CompiledRelease {
  const variables = document.variables ?? {};
  const timezone = document.timezone !== undefined && isTimezone(document.timezone) ? document.timezone : 'UTC';
  const making = makeMaking(document, variables);
  const entry = (target: string): string | undefined => entryOf(document, target);
  const defaultEntry = (card: string | undefined): string | null => (card === undefined ? null : (entry(card) ?? null));
  const text = textFinder(document, { typeOf: (path) => typeOfPath(path, variables), program: making.program });
  const blocks = compileBlocks(document, making, entry);
  const replyLabels = findReplyLabels(document, text);
  return {
    number: meta.number,
    hash: meta.hash,
    document,
    locales: document.locales,
    defaultLocale: document.defaultLocale,
    variables,
    blocks,
    triggers: compileTriggers(document.triggers, { entry, pattern: making.pattern }),
    replyLabels,
    sharedLabels: findSharedLabels(replyLabels, blocks),
    defaults: {
      wentWrong: defaultEntry(document.defaults?.wentWrong),
      nothingMatched: defaultEntry(document.defaults?.nothingMatched),
      ended: defaultEntry(document.defaults?.ended),
    },
    text,
    formatter: remember((locale: string) => makeFormatter(locale, timezone)),
    dayOf: dayTeller(timezone),
  };
}

function remember<Key, T>(make: (key: Key) => T): (key: Key) => T {
  const made = new Map<Key, T>();
  return (key) => {
    const known = made.get(key);
    if (known !== undefined) return known;
    const value = make(key);
    made.set(key, value);
    return value;
  };
}

function makeMaking(document: FlowDocument, variables: { readonly [name: string]: Variable }): Making {
  const environment = expressionEnvironment(variables);
  const program = remember((source: string): Program | null => {
    const compiled = compileExpression(environment, source);
    return 'error' in compiled ? null : compiled;
  });
  const exact = remember((source: string): Pattern | null => orNull(compilePattern(source, false)));
  const folded = remember((source: string): Pattern | null => orNull(compilePattern(source, true)));
  const making: Making = {
    variables,
    media: document.media ?? {},
    defaultLocale: document.defaultLocale,
    notUnderstood: document.phrases?.notUnderstood,
    whichOne: document.phrases?.whichOne,
    program,
    pattern: (source, ignoreCase) => (ignoreCase ? folded(source) : exact(source)),
    condition: (condition) => compileCondition(condition, making),
  };
  return making;
}

const orNull = (pattern: Pattern | { readonly error: string }): Pattern | null => ('error' in pattern ? null : pattern);

/** The first block behind a target: of a card its first one ('' when it is empty), of a block itself. */
export function entryOf(document: FlowDocument, target: string): string | undefined {
  const card = readOwn(document.cards, target);
  if (card) return card.blocks[0] ?? '';
  return Object.hasOwn(document.blocks, target) ? target : undefined;
}

/** For every block of a card the one below it; the last one has ''. */
export function followers(document: FlowDocument): ReadonlyMap<string, string> {
  const next = new Map<string, string>();
  for (const card of Object.values(document.cards)) {
    card.blocks.forEach((id, index) => {
      if (!next.has(id)) next.set(id, card.blocks[index + 1] ?? '');
    });
  }
  return next;
}

function compileBlocks(
  document: FlowDocument,
  making: Making,
  entry: (target: string) => string | undefined,
): Map<string, CompiledBlock> {
  const next = followers(document);
  const blocks = new Map<string, CompiledBlock>();
  for (const [id, block] of Object.entries(document.blocks)) {
    const exits = new Map<string, string>();
    for (const exit of specOf(block.type).exits(block.props)) {
      const target = block.exits ? readOwn(block.exits, exit.id) : undefined;
      const leads = target === undefined ? undefined : entry(target);
      if (leads !== undefined) exits.set(exit.id, leads);
      else if (exit.falls) exits.set(exit.id, next.get(id) ?? '');
    }
    blocks.set(id, { id, type: block.type, exits, runner: makeRunner(id, block, making) });
  }
  return blocks;
}

/** The compiler cannot see that the maker and the block are of one type, but the registry is built so. */
function makeRunner<Type extends BlockType>(id: string, block: Block & { type: Type }, making: Making): Runner {
  const make = RUNNERS[block.type] as unknown as MakeRunner<Type>;
  return make(id, block as unknown as BlockOf<Type>, making);
}

/** Texts are prepared when they are first needed: a document may hold thousands in twenty languages. */
function textFinder(document: FlowDocument, making: TextMaking): CompiledRelease['text'] {
  const made = new Map<string, CompiledText | null>();
  return (key, locale) => {
    const name = `${locale}\n${key}`;
    const known = made.get(name);
    if (known !== undefined) return known;
    const text = document.texts ? readOwn(document.texts, key) : undefined;
    const body = text
      ? (readOwn(text, locale) ?? readOwn(text, document.defaultLocale) ?? Object.values(text)[0])
      : undefined;
    const compiled = body === undefined ? null : compileText(body, making);
    made.set(name, compiled);
    return compiled;
  };
}

function findReplyLabels(document: FlowDocument, text: CompiledRelease['text']): Map<string, ReplyLabel[]> {
  const replyLabels = new Map<string, ReplyLabel[]>();
  for (const [block, { type, props }] of Object.entries(document.blocks)) {
    if (type !== 'message' || props.keyboard !== 'reply') continue;
    for (const button of (props.buttons ?? []).flat()) {
      if (button.kind !== undefined && button.kind !== 'go') continue;
      for (const label of labelsOf(document, text, button.label)) {
        replyLabels.set(label, [...(replyLabels.get(label) ?? []), { block, button: button.id }]);
      }
    }
  }
  return replyLabels;
}

/** Keys that say the same and lead to the same place need not be told apart, so they cost no state. */
function findSharedLabels(
  replyLabels: ReadonlyMap<string, readonly ReplyLabel[]>,
  blocks: ReadonlyMap<string, CompiledBlock>,
): Set<string> {
  const shared = new Set<string>();
  for (const labels of replyLabels.values()) {
    const ways = new Set(
      labels.map(({ block, button }) => blocks.get(block)?.exits.get(button) ?? `${block}/${button}`),
    );
    if (ways.size > 1) for (const { block } of labels) shared.add(block);
  }
  return shared;
}

/** A label in every language. One with values in it cannot be told from what people write. */
function labelsOf(document: FlowDocument, text: CompiledRelease['text'], key: string): Set<string> {
  const labels = document.locales
    .map((locale) => evenWords(text(key, locale)?.fixed?.text ?? ''))
    .filter((label) => label !== '');
  return new Set(labels);
}
