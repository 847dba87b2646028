// Every block type there is. Forget one here and the compiler names it.

import { z } from 'zod';
import { idSchema } from '../ids.ts';
import { FLOW_LIMITS } from '../limits.ts';
import { answer } from './answer.ts';
import { condition } from './condition.ts';
import { deleteBlock } from './delete.ts';
import { edit } from './edit.ts';
import { end } from './end.ts';
import { input } from './input.ts';
import { jump } from './jump.ts';
import { membership } from './membership.ts';
import { message } from './message.ts';
import { notify } from './notify.ts';
import { page } from './page.ts';
import { random } from './random.ts';
import { set } from './set.ts';
import type { BlockSpec } from './spec.ts';
import { subflow } from './subflow.ts';
import { table } from './table.ts';
import { tag } from './tag.ts';
import { wait } from './wait.ts';

export const BLOCKS = {
  message,
  page,
  edit,
  delete: deleteBlock,
  answer,
  input,
  condition,
  set,
  random,
  jump,
  subflow,
  wait,
  tag,
  notify,
  membership,
  table,
  end,
} as const;

export type BlockType = keyof typeof BLOCKS;
export type PropsOf<Type extends BlockType> = z.infer<(typeof BLOCKS)[Type]['props']>;

/** A block as it stands in a document. */
export type BlockOf<Type extends BlockType> = {
  type: Type;
  version?: number | undefined;
  title?: string | undefined;
  props: PropsOf<Type>;
  exits?: Record<string, string> | undefined;
};
export type Block = { [Type in BlockType]: BlockOf<Type> }[BlockType];

/** The names of all types, in the order a palette shows them. */
export const BLOCK_TYPES = Object.keys(BLOCKS) as readonly BlockType[];

function blockSchemaOf<Type extends BlockType>(type: Type) {
  const spec = BLOCKS[type];
  return z.strictObject({
    type: z.literal(type),
    version: z.literal(spec.version).optional(),
    title: z.string().max(FLOW_LIMITS.titleChars).optional(),
    props: spec.props,
    exits: z.record(idSchema, idSchema).optional(),
  });
}

const options = BLOCK_TYPES.map((type) => blockSchemaOf(type));
export const blockSchema = z.discriminatedUnion(
  'type',
  options as [(typeof options)[0], ...typeof options],
) as unknown as z.ZodType<Block>;

/** The declaration of a block's type, with its props seen as what they are in that block. */
export function specOf(type: BlockType): BlockSpec<z.ZodObject> {
  return BLOCKS[type] as unknown as BlockSpec<z.ZodObject>;
}

/** True for types that send buttons, or put them under a message that is there. */
export const hasButtons = (block: Block): block is Extract<Block, { type: 'message' | 'edit' | 'page' }> =>
  block.type === 'message' || block.type === 'edit' || block.type === 'page';
