// What every block declares once; the engine, the checks and the builder read it.

import type { z } from 'zod';
import type { Words } from '../ids.ts';

/** A way out of a block. Without a target the next block of the card follows, if `falls`. */
export type Exit = { readonly id: string; readonly title: Words; readonly falls?: boolean; readonly needed?: boolean };

/** How a field of a block is shown in a form. */
export type Field = { readonly title: Words; readonly hint?: Words };

export type BlockSpec<Schema extends z.ZodObject> = {
  readonly version: number;
  readonly title: Words;
  readonly props: Schema;
  readonly fields: { readonly [Key in keyof z.infer<Schema>]-?: Field };
  /** The ways out of a block with these props, in the order they are drawn. */
  readonly exits: (props: z.infer<Schema>) => readonly Exit[];
  /** Brings props of an older version one version up: `upgrades[1]` makes version 2 of version 1. */
  readonly upgrades?: { readonly [fromVersion: number]: (props: Record<string, unknown>) => Record<string, unknown> };
};

/** Keeps the types of a block's own fields while checking that nothing is forgotten. */
export function defineBlock<Schema extends z.ZodObject>(spec: BlockSpec<Schema>): BlockSpec<Schema> {
  return spec;
}

export const NEXT: Exit = { id: 'next', title: { ru: 'Дальше', en: 'Next' }, falls: true };
export const BLOCKED: Exit = { id: 'blocked', title: { ru: 'Не доставлено', en: 'Not delivered' } };
export const ERROR: Exit = { id: 'error', title: { ru: 'Ошибка', en: 'Error' } };
export const TIMEOUT: Exit = { id: 'timeout', title: { ru: 'Время вышло', en: 'Time ran out' } };

export const field = (ru: string, en: string, hint?: Words): Field =>
  hint ? { title: { ru, en }, hint } : { title: { ru, en } };
