// Every prop of every element and field, out of the contract itself: it changes what is drawn, sent or kept, or it is
// refused. A new prop fails here until it is said what it holds.

import { describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { ELEMENTS } from '../../../contract/app/elements.ts';
import { fieldSchema } from '../../../contract/app/forms.ts';
import { BASE, element, expectActs, FIELD_BASE, field, type Made, type Props } from './fixtures.ts';

const fieldShapes: { readonly [type: string]: readonly string[] } = Object.fromEntries(
  fieldSchema.options.map(({ shape }) => [shape.type.value, Object.keys(shape)]),
);
const elementShapes: { readonly [type: string]: readonly string[] } = Object.fromEntries(
  Object.entries(ELEMENTS).map(([type, schema]) => [type, Object.keys((schema as z.ZodObject).shape)]),
);

/** Another value of each prop; by type where that matters. */
const OTHER: Props = {
  gap: 'l',
  look: 'card',
  labels: ['b'],
  summary: 'b',
  open: true,
  'products.open': 'one',
  from: 'masters',
  empty: 'b',
  layout: 'grid',
  text: 'b',
  level: 1,
  'text.look': 'lead',
  'quote.look': 'pull',
  'list.look': 'number',
  'button.look': 'quiet',
  photo: 'photo',
  'image.photo': { from: 'row.photo' },
  alt: 'b',
  ratio: '1:1',
  do: { go: 'visit' },
  media: 'other',
  'gallery.media': ['cover', 'other'],
  zoom: true,
  poster: 'cover',
  title: 'b',
  by: 'b',
  language: 'json',
  size: 'l',
  items: ['a', 'b'],
  'links.items': [{ text: 'b', do: { go: 'cart' } }],
  head: ['b'],
  rows: [['b']],
  latitude: 2,
  longitude: 2,
  label: 'b',
  tone: 'good',
  amount: 'b',
  before: 'b',
  phone: 'b',
  email: 'b',
  telegram: 'b',
  address: 'b',
  hours: 'b',
  about: 'title',
  category: 'title',
  search: true,
  missing: 'b',
  form: 'order',
  results: [{ text: 'b' }],
  accept: 'b',
  decline: 'b',
};

const FIELD_OTHER: Props = {
  label: 'b',
  hint: 'b',
  required: true,
  'consent.required': false,
  showIf: { where: 'web' },
  lines: 4,
  maxChars: 3,
  placeholder: 'b',
  min: 50,
  max: 60,
  step: 7,
  'date.min': '2026-06-01',
  'date.max': '2026-06-02',
  'rating.max': 3,
  options: [{ id: 'b', label: 'b' }],
  accept: 'image',
  data: 'goods',
  title: 'about',
  about: 'about',
  photo: 'face',
  price: 'price',
  booking: 'second',
  value: 'b',
  from: 'start',
};

const pairs = (shapes: { readonly [type: string]: readonly string[] }): [string, string][] =>
  Object.entries(shapes).flatMap(([type, props]) => props.map((prop): [string, string] => [type, prop]));
const own = (table: Props, type: string, prop: string): unknown => {
  const value = table[`${type}.${prop}`] ?? table[prop];
  expect(value, `say in this test what "${prop}" of "${type}" may hold`).toBeDefined();
  return value;
};

describe('a prop acts, or is refused', () => {
  test.each(pairs(elementShapes))('of the element %s: %s', (type, prop) => {
    const base = BASE[type] ?? {};
    const given = element(type, { ...base, [prop]: own(OTHER, type, prop) });
    expectActs(element(type, base), given, `app.elements.one.props.${prop}`);
  });

  test.each(pairs(fieldShapes).filter(([, prop]) => prop !== 'type'))('of the field %s: %s', (type, prop) => {
    const base = FIELD_BASE[type] ?? {};
    const given = field(type, { ...base, [prop]: own(FIELD_OTHER, type, prop) });
    expectActs(field(type, base), given, `app.forms.lead.fields.one.${prop}`);
  });
});

describe('what a type does not have is refused, and what it has is named', () => {
  const foreign = (shapes: { readonly [type: string]: readonly string[] }, type: string): string[] =>
    [...new Set(Object.values(shapes).flat())].filter((prop) => !shapes[type]?.includes(prop));
  const expectNamed = (made: Made, props: readonly string[], known: readonly string[]): void => {
    if (made.ok) throw new Error('it was taken');
    const fault = made.faults.find(({ code }) => code === 'unknown_field');
    for (const prop of props) expect(fault?.message).toContain(`"${prop}"`);
    for (const prop of known) expect(fault?.fix).toContain(`"${prop}"`);
  };
  const filled = (props: readonly string[]): Props => Object.fromEntries(props.map((prop) => [prop, 1]));

  test.each(Object.keys(elementShapes))('by the element %s', (type) => {
    const props = foreign(elementShapes, type);
    const made = element(type, { ...BASE[type], ...filled(props) });
    expectNamed(made, props, elementShapes[type] ?? []);
  });

  test.each(Object.keys(fieldShapes))('by the field %s', (type) => {
    const props = foreign(fieldShapes, type);
    expectNamed(field(type, { ...FIELD_BASE[type], ...filled(props) }), props, fieldShapes[type] ?? []);
  });
});
