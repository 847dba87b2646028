// Forms, the shop's cart and bookings: what visitors send. The server checks every value by these same schemas.

import { z } from 'zod';
import { idSchema, textKeySchema } from '../ids.ts';
import { actionSchema } from './actions.ts';
import { appConditionSchema } from './conditions.ts';
import { APP_LIMITS } from './limits.ts';

const base = {
  label: textKeySchema,
  hint: textKeySchema.optional(),
  required: z.boolean().optional(),
  showIf: appConditionSchema.optional(),
};
const optionSchema = z.strictObject({ id: idSchema, label: textKeySchema });
const options = z.array(optionSchema).min(1).max(APP_LIMITS.optionsPerField);
const daySchema = z.string().refine(isDay, 'A day is written as 2026-12-31');
const day = z.union([z.literal('today'), daySchema]);

/** True for a day that the calendar has. */
function isDay(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false;
  const at = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text);
}

export const fieldSchema = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('text'),
    ...base,
    lines: z.int().min(1).max(20).optional(),
    maxChars: z.int().min(1).max(APP_LIMITS.valueChars).optional(),
    placeholder: textKeySchema.optional(),
  }),
  /** Inside Telegram one press shares the number of the account. */
  z.strictObject({ type: z.literal('phone'), ...base }),
  z.strictObject({ type: z.literal('email'), ...base }),
  z.strictObject({
    type: z.literal('number'),
    ...base,
    min: z.number().optional(),
    max: z.number().optional(),
    step: z.number().positive().optional(),
  }),
  z.strictObject({ type: z.literal('select'), ...base, options }),
  z.strictObject({ type: z.literal('radio'), ...base, options }),
  /** Several of them. */
  z.strictObject({ type: z.literal('choices'), ...base, options }),
  z.strictObject({ type: z.literal('checkbox'), ...base }),
  z.strictObject({ type: z.literal('date'), ...base, min: day.optional(), max: day.optional() }),
  z.strictObject({ type: z.literal('time'), ...base }),
  z.strictObject({ type: z.literal('file'), ...base, accept: z.enum(['image', 'document', 'any']).optional() }),
  z.strictObject({ type: z.literal('rating'), ...base, max: z.int().min(3).max(10).optional() }),
  /** Must be given; the text says to what, and may link to it. */
  z.strictObject({ type: z.literal('consent'), ...base }),
  /** A row of a data source: a master, a service. */
  z.strictObject({
    type: z.literal('pick'),
    ...base,
    data: idSchema,
    title: idSchema,
    about: idSchema.optional(),
    photo: idSchema.optional(),
    price: idSchema.optional(),
  }),
  /** A free time of a booking. */
  z.strictObject({ type: z.literal('slot'), ...base, booking: idSchema }),
  /** What the visitor does not see: a fixed value, or the start parameter of the link. */
  z.strictObject({
    type: z.literal('hidden'),
    value: z.string().max(APP_LIMITS.valueChars).optional(),
    from: z.literal('start').optional(),
  }),
]);
export type FormField = z.infer<typeof fieldSchema>;
export type FormFieldType = FormField['type'];

export const formSchema = z.strictObject({
  /** `order` takes the cart along, `booking` a slot. */
  kind: z.enum(['lead', 'order', 'booking']).optional(),
  fields: z.record(idSchema, fieldSchema),
  /** In which order they are asked; each exactly once. */
  order: z.array(idSchema).min(1).max(APP_LIMITS.fieldsPerForm),
  submit: textKeySchema,
  /** What the visitor reads when it has been received. */
  done: textKeySchema,
  /** The same on the web, where nobody has a chat with the bot; `done` when absent. */
  doneWeb: textKeySchema.optional(),
  after: actionSchema.optional(),
});
export type Form = z.infer<typeof formSchema>;

/** What the cart holds: rows of a data source. Prices are always taken from the table when an order is sent. */
export const shopSchema = z.strictObject({
  data: idSchema,
  title: idSchema,
  price: idSchema,
  /** A number column: how many there are. An order takes them off. */
  stock: idSchema.optional(),
  /** A text column: variants divided by ";", as "S;M;L". */
  variants: idSchema.optional(),
  currency: z.string().regex(/^[A-Z]{3}$/, 'A currency is written as RUB or EUR'),
  minimumTotal: z.number().min(0).optional(),
});
export type Shop = z.infer<typeof shopSchema>;

const clock = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$|^24:00$/, 'A time is written as 09:30');
const hours = z.array(z.tuple([clock, clock])).max(6);

export const bookingSchema = z.strictObject({
  /** The clock of these hours, as `Europe/Moscow`. */
  timezone: z.string().max(64),
  /** Working hours of each weekday; a day that is missing is free. */
  hours: z.strictObject({
    mon: hours.optional(),
    tue: hours.optional(),
    wed: hours.optional(),
    thu: hours.optional(),
    fri: hours.optional(),
    sat: hours.optional(),
    sun: hours.optional(),
  }),
  minutes: z.int().min(5).max(1_440),
  /** How long before its beginning a slot can be taken, and how many days ahead. */
  noticeMinutes: z.int().min(0).max(43_200).optional(),
  aheadDays: z.int().min(1).max(366),
  /** How many people at one time. */
  places: z.int().min(1).max(100).optional(),
  daysOff: z.array(daySchema).max(366).optional(),
  /** Each row of this data source has a calendar of its own (a master, a room); the form picks it in this field. */
  each: z.strictObject({ data: idSchema, field: idSchema }).optional(),
});
export type Booking = z.infer<typeof bookingSchema>;
