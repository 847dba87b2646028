// Goes on at another place.

import { z } from 'zod';
import { defineBlock } from './spec.ts';

export const jump = defineBlock({
  version: 1,
  title: { ru: 'Переход', en: 'Jump' },
  props: z.strictObject({}),
  fields: {},
  exits: () => [{ id: 'to', title: { ru: 'Куда', en: 'Where' }, needed: true }],
});
