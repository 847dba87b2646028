// Records of the project's tables: finds, puts in, changes, takes out.

import { z } from 'zod';
import { idSchema, variableNameSchema } from '../ids.ts';
import { FLOW_LIMITS } from '../limits.ts';
import { expressionSchema, valuePathSchema } from '../texts.ts';
import { defineBlock, ERROR, type Exit, field, NEXT } from './spec.ts';

/** A value as it stands, that of a variable, or what an expression gives. */
const givenSchema = z.union([
  z.string().max(FLOW_LIMITS.tableTextChars),
  z.number(),
  z.boolean(),
  z.strictObject({ var: valuePathSchema }),
  z.strictObject({ expr: expressionSchema }),
]);
export type Given = z.infer<typeof givenSchema>;

/** Which rows are meant: by their columns, or by `id`, the number of a row. All that is given must hold. */
const rowTestSchema = z.strictObject({
  field: idSchema,
  is: givenSchema.optional(),
  not: givenSchema.optional(),
  over: givenSchema.optional(),
  under: givenSchema.optional(),
  contains: givenSchema.optional(),
});

const FOUND: Exit = { id: 'found', title: { ru: 'Нашлось', en: 'Found' }, falls: true };
const NONE: Exit = { id: 'none', title: { ru: 'Не нашлось', en: 'None' } };

export const table = defineBlock({
  version: 1,
  title: { ru: 'Таблица', en: 'Table' },
  props: z.strictObject({
    do: z.enum(['find', 'insert', 'update', 'delete']),
    table: idSchema,
    where: z.array(rowTestSchema).min(1).max(FLOW_LIMITS.conditionsPerGroup).optional(),
    sort: idSchema.optional(),
    descending: z.boolean().optional(),
    set: z.record(idSchema, givenSchema).optional(),
    /** Columns of the first row, or `id`, into variables. */
    into: z.record(idSchema, variableNameSchema).optional(),
    /** A variable for how many rows there were. */
    count: variableNameSchema.optional(),
  }),
  fields: {
    do: field('Что сделать', 'What to do'),
    table: field('Таблица', 'Table'),
    where: field('Какие строки', 'Which rows'),
    sort: field('По порядку столбца', 'Sorted by'),
    descending: field('С конца', 'From the end'),
    set: field('Записать', 'Write', { ru: 'Пустой текст очищает ячейку', en: 'An empty text clears the cell' }),
    into: field('Запомнить из первой строки', 'Remember of the first row'),
    count: field('Запомнить число строк', 'Remember how many'),
  },
  exits: (props) => {
    switch (props.do) {
      case 'find':
        return [FOUND, { ...NONE, needed: true }, ERROR];
      case 'insert':
        return [NEXT, ERROR];
      default:
        return [NEXT, { ...NONE, falls: true }, ERROR];
    }
  },
});
