// What a page is made of. Which of it stands for which block of Telegram's rich messages: rich-blocks.ts.

import { z } from 'zod';
import { idSchema, textKeySchema } from '../ids.ts';
import { actionSchema } from './actions.ts';
import { appConditionSchema } from './conditions.ts';
import { APP_LIMITS } from './limits.ts';
import { contentSchema, pathSchema } from './texts.ts';

const empty = z.strictObject({});
const photoSchema = z.union([z.strictObject({ media: idSchema }), z.strictObject({ from: pathSchema })]);
const ratio = z.enum(['1:1', '4:3', '16:9', 'auto']).optional();

/** The props of each type. `children` are allowed where `CONTAINERS` says so. */
export const ELEMENTS = {
  // Layout
  stack: z.strictObject({ gap: z.enum(['s', 'm', 'l']).optional(), look: z.enum(['plain', 'card']).optional() }),
  columns: z.strictObject({}),
  tabs: z.strictObject({ labels: z.array(textKeySchema).min(1).max(8) }),
  details: z.strictObject({ summary: contentSchema, open: z.boolean().optional() }),
  /** Its children once for every row of a data source, as `row`. */
  each: z.strictObject({
    from: idSchema,
    empty: textKeySchema.optional(),
    layout: z.enum(['list', 'grid']).optional(),
  }),
  // Content
  heading: z.strictObject({
    text: contentSchema,
    level: z.union([z.literal(1), z.literal(2), z.literal(3)]).optional(),
  }),
  text: z.strictObject({ text: contentSchema, look: z.enum(['plain', 'hint', 'lead']).optional() }),
  image: z.strictObject({ photo: photoSchema, alt: contentSchema, ratio, do: actionSchema.optional() }),
  gallery: z.strictObject({
    media: z.array(idSchema).min(1).max(APP_LIMITS.galleryItems),
    alt: textKeySchema,
    zoom: z.boolean().optional(),
  }),
  video: z.strictObject({ media: idSchema, poster: idSchema.optional(), title: textKeySchema }),
  audio: z.strictObject({ media: idSchema, title: textKeySchema }),
  /** A file to take along. */
  file: z.strictObject({ media: idSchema, title: textKeySchema }),
  quote: z.strictObject({
    text: contentSchema,
    by: contentSchema.optional(),
    look: z.enum(['plain', 'folded', 'pull']).optional(),
  }),
  code: z.strictObject({
    text: contentSchema,
    language: z
      .string()
      .regex(/^[A-Za-z0-9+#.-]{1,32}$/, 'A language of code is one word, as "json"')
      .optional(),
  }),
  /** Small print. */
  note: z.strictObject({ text: contentSchema }),
  divider: empty,
  spacer: z.strictObject({ size: z.enum(['s', 'm', 'l']).optional() }),
  list: z.strictObject({
    items: z.array(contentSchema).min(1).max(APP_LIMITS.listItems),
    look: z.enum(['bullet', 'number', 'check']).optional(),
  }),
  table: z.strictObject({
    head: z.array(textKeySchema).min(1).max(APP_LIMITS.tableColumns).optional(),
    rows: z.array(z.array(contentSchema).min(1).max(APP_LIMITS.tableColumns)).min(1).max(APP_LIMITS.tableRows),
  }),
  map: z.strictObject({
    latitude: z.number().min(-90).max(90),
    longitude: z.number().min(-180).max(180),
    label: contentSchema,
  }),
  badge: z.strictObject({ text: contentSchema, tone: z.enum(['plain', 'good', 'warn', 'bad']).optional() }),
  price: z.strictObject({ amount: contentSchema, before: contentSchema.optional() }),
  button: z.strictObject({ text: contentSchema, do: actionSchema, look: z.enum(['main', 'quiet', 'link']).optional() }),
  links: z.strictObject({
    items: z
      .array(z.strictObject({ text: contentSchema, do: actionSchema }))
      .min(1)
      .max(20),
  }),
  contacts: z.strictObject({
    phone: contentSchema.optional(),
    email: contentSchema.optional(),
    telegram: contentSchema.optional(),
    address: contentSchema.optional(),
    hours: contentSchema.optional(),
  }),
  // Shop
  /** A grid of the shop's goods with counters. `open`: the page of one of them. */
  products: z.strictObject({
    photo: idSchema.optional(),
    about: idSchema.optional(),
    category: idSchema.optional(),
    open: idSchema.optional(),
    search: z.boolean().optional(),
    empty: textKeySchema.optional(),
  }),
  /** The row of the page (`page.item`) as a whole: photo, variants, counter. */
  product: z.strictObject({
    photo: idSchema.optional(),
    about: idSchema.optional(),
    missing: textKeySchema.optional(),
  }),
  cart: z.strictObject({ empty: textKeySchema }),
  summary: z.strictObject({ title: textKeySchema.optional() }),
  // What visitors send
  form: z.strictObject({ form: idSchema }),
  /** A form asked one question a time, and what came of it: the first result whose condition holds. */
  quiz: z.strictObject({
    form: idSchema,
    results: z
      .array(z.strictObject({ showIf: appConditionSchema.optional(), text: textKeySchema }))
      .min(1)
      .max(APP_LIMITS.quizResults),
  }),
  // The visitor
  profile: empty,
  language: empty,
  /** On the web only: asks once, remembers. */
  cookies: z.strictObject({ text: textKeySchema, accept: textKeySchema, decline: textKeySchema }),
} as const;

export type ElementType = keyof typeof ELEMENTS;
export type PropsOf<Type extends ElementType> = z.infer<(typeof ELEMENTS)[Type]>;

/** Types that hold others. `tabs` has one child a label. */
export const CONTAINERS: ReadonlySet<ElementType> = new Set(['stack', 'columns', 'tabs', 'details', 'each']);

export type ElementOf<Type extends ElementType> = {
  type: Type;
  props: PropsOf<Type>;
  children?: string[] | undefined;
  showIf?: z.infer<typeof appConditionSchema> | undefined;
};
export type Element = { [Type in ElementType]: ElementOf<Type> }[ElementType];

const shapes = (Object.keys(ELEMENTS) as ElementType[]).map((type) =>
  z.strictObject({
    type: z.literal(type),
    props: ELEMENTS[type],
    children: z.array(idSchema).max(APP_LIMITS.childrenPerElement).optional(),
    showIf: appConditionSchema.optional(),
  }),
);
export const elementSchema = z.discriminatedUnion(
  'type',
  shapes as [(typeof shapes)[0], ...typeof shapes],
) as unknown as z.ZodType<Element>;
