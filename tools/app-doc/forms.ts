// What is said of each field of a form, each action and each condition.
import type { Action } from '../../contract/app/actions.ts';
import type { AppCondition } from '../../contract/app/conditions.ts';
import type { FormField, FormFieldType } from '../../contract/app/forms.ts';

type FieldOf<Type extends FormFieldType> = Extract<FormField, { type: Type }>;

/** What every field has that people see; told once. */
export const FIELD_BASE = ['type', 'label', 'hint', 'required', 'showIf'] as const;

type FieldWords<Type extends FormFieldType> = {
  readonly asks: string;
  readonly props: { readonly [Prop in Exclude<keyof FieldOf<Type>, (typeof FIELD_BASE)[number]>]-?: string };
  readonly example: FieldOf<Type>;
};

const options = [
  { id: 'pickup', label: 'pickup' },
  { id: 'post', label: 'post' },
];

export const FIELDS_IN_WORDS: { readonly [Type in FormFieldType]: FieldWords<Type> } = {
  text: {
    asks: 'words',
    props: { lines: 'over 1: a large field', maxChars: '', placeholder: '' },
    example: { type: 'text', label: 'your.name', required: true, maxChars: 80 },
  },
  phone: {
    asks: 'a number; inside Telegram one press shares that of the account',
    props: {},
    example: { type: 'phone', label: 'your.phone', required: true },
  },
  email: { asks: 'an e-mail address', props: {}, example: { type: 'email', label: 'your.email' } },
  number: {
    asks: 'a number',
    props: { min: '', max: '', step: 'as 1 for whole numbers' },
    example: { type: 'number', label: 'guests', min: 1, max: 12, step: 1 },
  },
  select: {
    asks: 'one of the answers, in a list that opens',
    props: { options: '`{ "id", "label": text }`' },
    example: { type: 'select', label: 'delivery', options },
  },
  radio: {
    asks: 'one of the answers, all in sight',
    props: { options: 'as above' },
    example: { type: 'radio', label: 'delivery', required: true, options },
  },
  choices: {
    asks: 'any number of the answers',
    props: { options: 'as above' },
    example: { type: 'choices', label: 'delivery', options },
  },
  checkbox: { asks: 'yes, or nothing', props: {}, example: { type: 'checkbox', label: 'urgent' } },
  date: {
    asks: 'a day',
    props: { min: '`"2026-12-31"` or `"today"`', max: 'the same' },
    example: { type: 'date', label: 'day', min: 'today' },
  },
  time: { asks: 'a time of the day', props: {}, example: { type: 'time', label: 'hour' } },
  file: {
    asks: 'a file of up to 10 MiB',
    props: { accept: '`"any"` when absent' },
    example: { type: 'file', label: 'photo', accept: 'image' },
  },
  rating: { asks: 'stars', props: { max: '5 when absent' }, example: { type: 'rating', label: 'how', max: 5 } },
  consent: {
    asks: 'a consent; it cannot be left out, and its label may hold a link',
    props: {},
    example: { type: 'consent', label: 'agree' },
  },
  pick: {
    asks: 'a row of a data source',
    props: {
      data: 'the data source',
      title: 'field with its name',
      about: 'field with more',
      photo: 'field with a photo',
      price: 'field with a sum',
    },
    example: { type: 'pick', label: 'master', required: true, data: 'masters', title: 'name' },
  },
  slot: {
    asks: 'a free time of a booking',
    props: { booking: 'id of the booking' },
    example: { type: 'slot', label: 'when', required: true, booking: 'visit' },
  },
  hidden: {
    asks: 'nobody: a fixed value, or what the link brought',
    props: { value: '', from: 'the start parameter' },
    example: { type: 'hidden', from: 'start' },
  },
};

type KeysOf<Union> = Union extends unknown ? keyof Union : never;
type ActionName = Exclude<KeysOf<Action>, 'item'>;

export const ACTIONS_IN_WORDS: {
  readonly [Name in ActionName]: { readonly does: string; readonly example: Extract<Action, Record<Name, unknown>> };
} = {
  go: { does: 'opens a page; `item` takes the row at hand along', example: { go: 'one', item: true } },
  back: { does: 'goes back', example: { back: true } },
  open: {
    does: 'opens an address: `https:`, `http:`, `mailto:`, `tel:` or `tg:`',
    example: { open: 'tel:+79001234567' },
  },
  openFrom: { does: 'opens an address that is a content', example: { openFrom: { from: 'row.link' } } },
  chat: { does: 'opens the chat with the bot, with a start parameter or `""`', example: { chat: 'help' } },
  submit: { does: 'sends a form', example: { submit: 'lead' } },
  cart: { does: '`add` or `remove` one of the row at hand, or `clear` all', example: { cart: 'add' } },
  share: { does: 'shares the app with these words', example: { share: 'share.text' } },
  contact: { does: 'asks for the number of the account, inside Telegram', example: { contact: true } },
  language: { does: 'shows the pages in another language', example: { language: 'en' } },
  close: { does: 'closes the app; on the web goes back', example: { close: true } },
};

export const CONDITIONS_IN_WORDS: readonly { readonly holds: string; readonly example: AppCondition }[] = [
  { holds: 'the value is this', example: { field: 'form.order.delivery', is: 'post' } },
  { holds: 'it is not', example: { field: 'form.order.delivery', not: 'pickup' } },
  { holds: 'it is larger', example: { field: 'cart.total', over: 1_000 } },
  { holds: 'it is smaller', example: { field: 'row.stock', under: 3 } },
  {
    holds: 'the words are in it, great and small letters, ё and accents alike, or the answer is among the chosen',
    example: { field: 'row.title', contains: 'tea' },
  },
  { holds: 'there is something', example: { field: 'row.photo', set: true } },
  { holds: 'there is nothing', example: { field: 'visitor.username', empty: true } },
  { holds: 'inside Telegram, or on the web', example: { where: 'web' } },
  { holds: 'all of them hold', example: { all: [{ where: 'web' }, { field: 'cart.count', over: 0 }] } },
  {
    holds: 'one of them holds',
    example: {
      any: [
        { field: 'row.new', is: true },
        { field: 'row.stock', over: 9 },
      ],
    },
  },
];
