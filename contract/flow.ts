// A flow document: flat maps keyed by id, so that differences are small and people and programs can patch it.

import { z } from 'zod';
import { blockSchema } from './blocks/registry.ts';
import { idSchema, localeSchema, textKeySchema, variableNameSchema } from './ids.ts';
import { FLOW_LIMITS } from './limits.ts';
import { manifestSchema } from './manifest.ts';
import { tableSchema } from './tables.ts';
import { textSchema } from './texts.ts';
import { triggerSchema } from './triggers.ts';
import { variableSchema } from './variables.ts';

/** The version of the document's shape that this code writes; older ones are brought up on reading. */
export const DOCUMENT_VERSION = 1;

export const cardSchema = z.strictObject({
  title: z.string().max(FLOW_LIMITS.titleChars).optional(),
  /** Run from top to bottom. */
  blocks: z.array(idSchema).max(FLOW_LIMITS.blocksPerCard),
});
export type Card = z.infer<typeof cardSchema>;

/** A file of the project, named by what it holds. The bytes stand in the table `media` of the projects domain. */
export const mediaSchema = z.strictObject({
  kind: z.enum(['photo', 'video', 'document', 'audio', 'animation', 'voice']),
  sha256: z.string().regex(/^[0-9a-f]{64}$/, 'A SHA-256 has 64 hexadecimal digits'),
  name: z.string().min(1).max(255),
  bytes: z.int().min(0).optional(),
  mime: z.string().max(100).optional(),
});
export type Media = z.infer<typeof mediaSchema>;

/** Cards that run by themselves: something failed, nothing matched, the conversation ended. */
export const defaultCardsSchema = z.strictObject({
  wentWrong: idSchema.optional(),
  nothingMatched: idSchema.optional(),
  ended: idSchema.optional(),
});

/** Short answers of the engine itself, where the maker wants other words. */
export const phrasesSchema = z.strictObject({
  outOfDate: textKeySchema.optional(),
  notUnderstood: textKeySchema.optional(),
  /** Asks which meaning of an answer is meant; the meanings are buttons below it. */
  whichOne: textKeySchema.optional(),
});

/** In which order day, month and year are written as numbers. */
export const dateOrderSchema = z.enum(['dmy', 'mdy', 'ymd']);
export type DateOrder = z.infer<typeof dateOrderSchema>;

/** How the people of the project write numbers, days and phones. What is absent follows the main language. */
export const regionSchema = z.strictObject({
  /** Whose phone numbers are written without the code of a country, as `DE`. */
  country: z
    .string()
    .regex(/^[A-Z]{2}$/, 'A country is written as "DE"')
    .optional(),
  dates: dateOrderSchema.optional(),
  /** What stands before a fraction. */
  decimal: z.enum([',', '.']).optional(),
});
export type Region = z.infer<typeof regionSchema>;

export const flowSchema = z.strictObject({
  roost: z.literal(DOCUMENT_VERSION),
  name: z.string().max(FLOW_LIMITS.titleChars).optional(),
  locales: z.array(localeSchema).min(1).max(FLOW_LIMITS.locales),
  defaultLocale: localeSchema,
  /** For dates and times in texts, as `Europe/Moscow`; UTC when absent. */
  timezone: z.string().max(64).optional(),
  region: regionSchema.optional(),
  /** In groups: a conversation with each person (default) or one with the whole chat. */
  groups: z.enum(['person', 'chat']).optional(),
  variables: z.record(variableNameSchema, variableSchema).optional(),
  triggers: z.record(idSchema, triggerSchema),
  cards: z.record(idSchema, cardSchema),
  blocks: z.record(idSchema, blockSchema),
  texts: z.record(textKeySchema, textSchema).optional(),
  media: z.record(idSchema, mediaSchema).optional(),
  defaults: defaultCardsSchema.optional(),
  phrases: phrasesSchema.optional(),
  /** Records that flows and pages keep and show. */
  tables: z.record(idSchema, tableSchema).optional(),
  /** The pages: Mini App and site. */
  app: manifestSchema.optional(),
  /** Drawing only: the engine never reads it. */
  layout: z.record(idSchema, z.looseObject({ x: z.number(), y: z.number() })).optional(),
});
export type FlowDocument = z.infer<typeof flowSchema>;

export type { Block, BlockOf, BlockType, PropsOf } from './blocks/registry.ts';

/** What a check found. `stops` keeps a document from being published, `warns` does not. */
export type Fault = {
  readonly code: string;
  /** Where, as `blocks.ask.props.retry`. Empty for the whole document. */
  readonly path: string;
  readonly message: string;
  readonly fix?: string;
  readonly severity: 'stops' | 'warns';
};
