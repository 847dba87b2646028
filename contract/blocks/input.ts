// Asks and waits for an answer of one kind; asks again when the answer does not fit.

import { z } from 'zod';
import { idSchema, textKeySchema, variableNameSchema } from '../ids.ts';
import { FLOW_LIMITS, TELEGRAM_LIMITS } from '../limits.ts';
import { BLOCKED, defineBlock, type Exit, field, NEXT, TIMEOUT } from './spec.ts';
import { durationSchema } from './wait.ts';

export const inputKindSchema = z.enum([
  'text',
  'number',
  'email',
  'phone',
  'date',
  'choice',
  'contact',
  'location',
  'file',
]);
export type InputKind = z.infer<typeof inputKindSchema>;

export const choiceSchema = z.strictObject({
  id: idSchema,
  label: textKeySchema,
  /** What is remembered; the id when absent. */
  value: z.union([z.string().max(FLOW_LIMITS.titleChars), z.number(), z.boolean()]).optional(),
  style: z.enum(['primary', 'success', 'danger']).optional(),
});
export type Choice = z.infer<typeof choiceSchema>;

export const fileKindSchema = z.enum([
  'photo',
  'video',
  'document',
  'voice',
  'audio',
  'animation',
  'videoNote',
  'sticker',
]);

const INVALID: Exit = { id: 'invalid', title: { ru: 'Ответ не подошёл', en: 'Answer did not fit' } };

export const input = defineBlock({
  version: 1,
  title: { ru: 'Вопрос', en: 'Question' },
  props: z.strictObject({
    kind: inputKindSchema,
    into: variableNameSchema.optional(),
    text: textKeySchema.optional(),
    retry: textKeySchema.optional(),
    /** How many answers may fail before the exit `invalid`; 3 when absent. */
    attempts: z.int().min(1).max(FLOW_LIMITS.inputAttemptsMax).optional(),
    timeout: durationSchema.optional(),
    min: z.union([z.number(), z.string().max(10)]).optional(),
    max: z.union([z.number(), z.string().max(10)]).optional(),
    integer: z.boolean().optional(),
    pattern: z.string().min(1).max(FLOW_LIMITS.patternChars).optional(),
    choices: z.array(choiceSchema).min(1).max(FLOW_LIMITS.choices).optional(),
    columns: z.int().min(1).max(TELEGRAM_LIMITS.buttonsPerRow).optional(),
    share: textKeySchema.optional(),
    own: z.boolean().optional(),
    files: z.array(fileKindSchema).min(1).max(8).optional(),
    maxMegabytes: z.number().positive().max(4_000).optional(),
    ref: idSchema.optional(),
  }),
  fields: {
    kind: field('Что ждём', 'What is expected'),
    into: field('Запомнить в', 'Remember in'),
    text: field('Вопрос', 'Question'),
    retry: field('Если ответ не подошёл', 'When the answer does not fit'),
    attempts: field('Сколько попыток', 'How many tries'),
    timeout: field('Сколько ждать', 'How long to wait'),
    min: field('Не меньше', 'At least', { ru: 'Число, длина или дата', en: 'A number, a length or a date' }),
    max: field('Не больше', 'At most', { ru: 'Число, длина или дата', en: 'A number, a length or a date' }),
    integer: field('Только целое', 'Whole numbers only'),
    pattern: field('Образец', 'Pattern', {
      ru: 'Регулярное выражение для всего ответа',
      en: 'A regular expression for the whole answer',
    }),
    choices: field('Варианты', 'Choices'),
    columns: field('Вариантов в ряду', 'Choices in a row'),
    share: field('Надпись на кнопке «Поделиться»', 'Label of the share button'),
    own: field('Только свой номер', 'Own number only'),
    files: field('Какие файлы', 'Which files'),
    maxMegabytes: field('Не больше, МБ', 'At most, MB'),
    ref: field('Имя для правки', 'Name for later edits'),
  },
  exits: (props) => [
    ...(props.choices ?? []).map((choice) => ({
      id: choice.id,
      falls: true,
      title: { ru: `Вариант ${choice.id}`, en: `Choice ${choice.id}` },
    })),
    NEXT,
    INVALID,
    TIMEOUT,
    BLOCKED,
  ],
});
