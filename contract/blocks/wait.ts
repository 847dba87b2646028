// Waits for a while, through restarts too.

import { z } from 'zod';
import { defineBlock, field, NEXT } from './spec.ts';

/** A span of time as ISO 8601 writes it: `PT10M`, `P1DT12H`. Years and months are not of one length, so they are refused. */
export const durationSchema = z
  .string()
  .max(40)
  .regex(
    /^P(?=\d|T\d)(\d+W)?(\d+D)?(T(?=\d)(\d+H)?(\d+M)?(\d+S)?)?$/,
    'A span of time is written as "PT10M" or "P1DT12H"',
  );

export const wait = defineBlock({
  version: 1,
  title: { ru: 'Пауза', en: 'Pause' },
  props: z.strictObject({ for: durationSchema }),
  fields: { for: field('Сколько ждать', 'How long') },
  exits: () => [NEXT],
});
