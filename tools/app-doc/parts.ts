// What is said of the parts of a document that are neither elements nor fields.
import type { z } from 'zod';
import { rowFilterSchema } from '../../contract/app/conditions.ts';
import { bookingSchema, formSchema, shopSchema } from '../../contract/app/forms.ts';
import type { APP_LIMITS } from '../../contract/app/limits.ts';
import { dataSchema, manifestSchema, pageSchema, siteSchema, themeSchema } from '../../contract/manifest.ts';

type Shaped = z.ZodObject<z.core.$ZodLooseShape>;
export type Part = { readonly schema: Shaped; readonly words: { readonly [name: string]: string } };

/** A property that the schema gains has no words, and does not compile. */
function part<Schema extends Shaped>(
  schema: Schema,
  words: { readonly [Name in keyof z.infer<Schema>]-?: string },
): Part {
  return { schema, words: words as Part['words'] };
}

export const PARTS = {
  app: part(manifestSchema, {
    start: 'id of the first page; its `path` is `/`',
    pages: 'all pages, by id',
    elements: 'what pages are made of, by id. A tree: each stands in one place',
    texts: 'all words, by key and language',
    data: 'rows of `tables` that pages show, by id',
    forms: 'what visitors send, by id',
    shop: 'what the cart holds',
    bookings: 'what can be booked, by id',
    site: 'what the site is called',
    theme: 'colours and corners',
  }),
  page: part(pageSchema, {
    path: 'its address, as `/price-list`; `/` for the first',
    title: '',
    root: 'the element that everything else stands in',
    data: "the data source whose row 12 is shown under the address and `/12`; the shop's when absent",
    mainButton:
      '`{ "text": text, "do": action }`: the large button of Telegram; on the web a bar, or [the page’s own](#buttons-of-a-page)',
    secondaryButton: 'the same beside it, in its place while that has nothing to do',
    menu: 'its place in the menu, from 1; without one it is not there',
    description: 'for search engines',
    hidden: 'not for search engines',
  }),
  theme: part(themeSchema, {
    accent: 'as `"#2a7d6f"`: read at 4.5:1 on white',
    accentDark: 'the same on dark; made from `accent` when absent',
    radius: 'of corners',
  }),
  site: part(siteSchema, {
    name: '',
    description: '',
    image: 'id of a photo, for links that are shared',
    privacy: 'of the rules for personal data',
  }),
  data: part(dataSchema, {
    table: 'of `tables`',
    fields: 'columns; nothing else leaves the server',
    where: 'which rows: all of these hold',
    sort: 'column; in the order in which they were put in when absent',
    descending: '',
    limit: '',
  }),
  filter: part(rowFilterSchema, {
    field: 'column',
    is: 'words, a number, or true or false',
    not: 'the same',
    over: '',
    under: '',
    contains: 'words',
  }),
  form: part(formSchema, {
    kind: '`order` takes the cart along, `booking` a time; `lead` when absent',
    fields: 'the fields, by id',
    order: 'ids of the fields as they are asked, each once',
    submit: 'on the button',
    done: 'what the visitor reads when it has arrived',
    doneWeb: 'the same on the web, where nobody has a chat; `done` when absent',
    after: 'then',
  }),
  shop: part(shopSchema, {
    data: 'the data source with the goods',
    title: 'field, of a text column',
    price: 'field, of a money or number column',
    stock: 'field, of a number column: an order takes them off',
    variants: 'field, of a text column: `S;M;L`',
    currency: 'as `"EUR"`',
    minimumTotal: 'of an order',
  }),
  booking: part(bookingSchema, {
    timezone: 'of these hours, as `"Europe/Moscow"`',
    hours: '`{ "mon": [["09:00", "13:00"], ["14:00", "18:00"]], "tue": ... }`; a day that is missing is free',
    minutes: 'how long it takes; a multiple of 5',
    noticeMinutes: 'how long before it can be taken',
    aheadDays: 'how many days ahead',
    places: 'for how many at one time; 1 when absent',
    daysOff: 'as `"2026-12-31"`',
    each: '`{ "data": data source, "field": field of the form }`: every row has a calendar of its own, and the form picks one',
  }),
} as const;

export const LIMITS_IN_WORDS: { readonly [Name in keyof typeof APP_LIMITS]: string } = {
  pages: 'pages',
  elements: 'elements',
  depth: 'elements inside each other',
  childrenPerElement: 'children of an element',
  texts: 'texts',
  textChars: 'characters of a text',
  spansPerText: 'spans of a text',
  data: 'data sources',
  fieldsPerData: 'fields of a data source',
  rowsPerData: 'rows of it that reach a phone',
  forms: 'forms',
  fieldsPerForm: 'fields of a form',
  optionsPerField: 'answers to choose from',
  valueChars: 'characters of an answer',
  bookings: 'bookings',
  conditionsPerGroup: 'conditions in a group',
  conditionDepth: 'groups inside each other',
  listItems: 'items of a list',
  tableRows: 'rows of a table on a page',
  tableColumns: 'columns of it',
  galleryItems: 'pictures of a gallery',
  urlChars: 'characters of an address',
  pathChars: 'characters of a path',
  cartItems: 'different things in a cart',
  cartCountMax: 'of each thing',
  quizResults: 'results of a quiz',
  fileBytes: 'a file',
  filesPerEvent: 'files of one form',
  eventBytes: 'what a form sends',
};
