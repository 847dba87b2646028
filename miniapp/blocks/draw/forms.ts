// Blocks that ask: every kind of field, forms, quizzes. What a field allows stands in its attributes: the browser checks.

import type { ElementType, PropsOf } from '../../../contract/app/elements.ts';
import type { Form, FormField, FormFieldType } from '../../../contract/app/forms.ts';
import type { Drawn, DrawnAttrs, Live } from '../../../contract/app/view.ts';
import { labelled, price, rowPicture } from './content.ts';
import {
  type Block,
  button,
  chip,
  from,
  h,
  is,
  isSet,
  join,
  money,
  plain,
  press,
  type Scope,
  testOf,
  text,
  when,
} from './nodes.ts';
import { unlessTelegrams } from './page-buttons.ts';

type Asked = Exclude<FormFieldType, 'hidden'>;
type Control<Type extends Asked> = (
  field: Extract<FormField, { type: Type }>,
  scope: Scope,
  /** Name and what else every control of the field has. */
  attrs: DrawnAttrs,
  /** What it is called. */
  label: readonly Drawn[],
) => Drawn[];

const input = (attrs: DrawnAttrs, more: DrawnAttrs): Drawn[] => [h('input', { ...attrs, ...more })];

const tick = (attrs: DrawnAttrs, label: readonly Drawn[]): Drawn =>
  h('label.option', {}, [h('input', { ...attrs, type: 'checkbox' }), h('span', {}, label)]);

const day = (name: string | undefined): Live | undefined => (name === 'today' ? from('page.today') : name);

/**
 * What a browser may refuse by itself: only what no reader of the server takes. Its own fields for numbers and mail read
 * 1.500 by the language of the browser, know the digits of one script, and refuse names of mail in others.
 */
const LOOSE = {
  phone: '(?:[^\\p{Nd}]*\\p{Nd}){5,}[^\\p{Nd}]*',
  email: '[^\\s@＠]+[@＠][^\\s@＠]+',
  number: '[^\\p{Nd}]*\\p{Nd}.*',
} as const;

const CONTROLS: { readonly [Type in Asked]: Control<Type> } = {
  text: ({ lines = 1, maxChars, placeholder }, scope, attrs) => {
    const all = { ...attrs, maxlength: maxChars, ...(placeholder && { placeholder: plain(scope, placeholder) }) };
    return [lines > 1 ? h('textarea', { ...all, rows: lines }) : h('input', { ...all, type: 'text' })];
  },
  phone: (_field, { view: { words } }, attrs) => [
    ...input(attrs, { type: 'tel', autocomplete: 'tel', pattern: LOOSE.phone }),
    when(isSet('page.contact'), [button('.button.quiet', { fill: `${attrs['name']}` }, [words.contact])]),
  ],
  email: (_field, _scope, attrs) =>
    input(attrs, { type: 'text', inputmode: 'email', autocomplete: 'email', pattern: LOOSE.email }),
  number: (_field, _scope, attrs) => input(attrs, { type: 'text', inputmode: 'decimal', pattern: LOOSE.number }),
  select: ({ options }, scope, attrs) => [
    h('select', attrs, [
      h('option', { value: '' }, ['—']),
      ...options.map(({ id, label }) => h('option', { value: id }, [plain(scope, label)])),
    ]),
  ],
  radio: ({ options }, scope, attrs) => [
    h(
      'div.chips',
      {},
      options.map(({ id, label }) => chip(attrs, id, text(scope, label))),
    ),
  ],
  choices: ({ options }, scope, attrs) =>
    options.map(({ id, label }) => tick({ ...attrs, value: id, required: false }, text(scope, label))),
  checkbox: (_field, _scope, attrs, label) => [tick(attrs, label)],
  consent: (_field, _scope, attrs, label) => [tick(attrs, label)],
  date: ({ min, max }, _scope, attrs) => input(attrs, { type: 'date', min: day(min), max: day(max) }),
  time: (_field, _scope, attrs) => input(attrs, { type: 'time' }),
  // The browser's own says "No file chosen" in its language, whatever the page's.
  file: ({ accept }, { view: { words } }, attrs) => [
    h('label.option.file', {}, [
      ...input(attrs, { type: 'file', ...(accept === 'image' && { accept: 'image/*' }) }),
      h('span.button.quiet', { 'aria-hidden': 'true' }, [words.file]),
      h('span', {}, [from(`${attrs['name']}`)]),
    ]),
  ],
  rating: ({ max = 5 }, _scope, attrs) => [
    h(
      'div.stars',
      {},
      Array.from({ length: max }, (_, at) => chip(attrs, `${at + 1}`, [`${at + 1}`])),
    ),
  ],
  pick: ({ data, title, about, photo, price: column }, scope, attrs) => {
    const label = h('span', {}, [
      h('b', {}, [from(`row.${title}`)]),
      ...(about ? [when(isSet(`row.${about}`), [h('small', {}, [from(`row.${about}`)])])] : []),
      ...(column ? [price(money(scope, `row.${column}`))] : []),
    ]);
    return [
      h('div.picks', {}, [{ each: data, show: [chip(attrs, from('row.id'), [...rowPicture(photo, ''), label])] }]),
    ];
  },
  slot: (_field, _scope, { name }) => [['div', { class: 'calendar', 'data-slot': name }, null]],
};

/** Kinds of which a field has several controls under one name. */
const GROUPS: ReadonlySet<FormFieldType> = new Set(['radio', 'choices', 'rating', 'pick', 'slot']);
const TICKS: ReadonlySet<FormFieldType> = new Set(['checkbox', 'consent']);
/** Groups of nothing but radio buttons: these say themselves that their answer is wrong. */
const RADIOS: ReadonlySet<FormFieldType> = new Set(['radio', 'rating', 'pick']);

/** A consent cannot be left out, whatever the form says. */
export const isRequired = (field: FormField): boolean =>
  field.type === 'consent' || (field.type !== 'hidden' && field.required === true);

function drawnField(scope: Scope, form: string, id: string, field: FormField): Drawn[] {
  const { type } = field;
  if (type === 'hidden') return [];
  const name = `form.${form}.${id}`;
  const wrong = isSet(`!${name}`);
  const isGroup = GROUPS.has(type);
  const required = isRequired(field);
  const invalid = { 'aria-invalid': { if: wrong, show: 'true' } };
  const attrs: DrawnAttrs = {
    name,
    ...(required && { required }),
    'aria-describedby': { if: wrong, show: `!${name}` },
    ...(!isGroup && { id: name }),
    ...((!isGroup || type === 'choices') && invalid),
  };
  const label = [...text(scope, field.label), ...(required ? [h('i', { 'aria-hidden': 'true' }, [' *'])] : [])];
  const named = TICKS.has(type) ? [] : [isGroup ? h('legend', {}, label) : h('label', { for: name }, label)];
  const error = h('p.error', { id: `!${name}` }, [from(`!${name}`)]);
  const kids = [
    ...named,
    ...(field.hint ? [h('p.hint', {}, text(scope, field.hint))] : []),
    // Of many answers the last ones may be out of sight.
    ...(isGroup ? [error] : []),
    ...(CONTROLS[type] as Control<Asked>)(field as never, scope, attrs, label),
    ...(isGroup ? [] : [error]),
  ];
  const around = {
    class: { if: wrong, show: 'field wrong', or: 'field' },
    ...(RADIOS.has(type) && { role: 'radiogroup' }),
    ...(isGroup && type !== 'choices' && invalid),
  };
  const drawn = h(isGroup ? 'fieldset' : 'div', around, kids);
  return [field.showIf ? when(testOf(scope, field.showIf), [drawn]) : drawn];
}

/** What robots fill in and people do not see. */
const trap = (form: string): Drawn =>
  h('input.trap', { type: 'text', name: `trap.${form}`, tabindex: -1, autocomplete: 'off', 'aria-hidden': 'true' });

function drawnForm(scope: Scope, id: string, results?: PropsOf<'quiz'>['results']): Drawn[] {
  const form: Form | undefined = scope.view.forms?.[id];
  if (form === undefined) return [];
  const { words } = scope.view;
  const fields = form.order.flatMap((name) => {
    const drawn = drawnField(scope, id, name, form.fields[name] as FormField);
    return results && drawn.length > 0 ? [when(is(`step.${id}`, name), drawn)] : drawn;
  });
  const send = h('button.button.main', { disabled: { if: isSet(`busy.${id}`), show: true } }, [
    plain(scope, form.submit),
  ]);
  const own = (drawn: Drawn): Drawn => unlessTelegrams(scope, { submit: id }, drawn);
  const open = h(
    'form.stack.gap-m',
    // Without a script, pressing the button must not put what was typed into the address.
    { id: `form.${id}`, method: 'dialog', novalidate: true },
    [
      ...(results ? [h('p.hint', { 'aria-live': 'polite' }, [join(from(`at.${id}`), ' / ', from(`of.${id}`))])] : []),
      ...fields,
      trap(id),
      h('p.error', { role: 'alert', tabindex: -1 }, [from(`!${id}`)]),
      h(
        'div.buttons',
        {},
        results
          ? [
              button('.button.quiet', { before: id }, [words.back], {
                disabled: { if: ['<', `at.${id}`, 2], show: true },
              }),
              own(when(isSet(`more.${id}`), [h('button.button.main', {}, [words.next])], [send])),
            ]
          : [own(send)],
      ),
    ],
  );
  const done = h('div.card.done', { role: 'status', tabindex: -1 }, [
    ...result(scope, results ?? []),
    h('p.plain', {}, [from(`done.${id}`)]),
    ...next(scope, id, form),
  ]);
  return [when(isSet(`done.${id}`), [done], [open])];
}

/** After an order or a booking: what it was, line by line, and where to go on. */
function next(scope: Scope, id: string, { kind = 'lead' }: Form): Drawn[] {
  const { words, start, bot } = scope.view;
  if (kind === 'lead') return [];
  const line = labelled(from('row.label'), h('b', {}, [from('row.value')]));
  const home = press(scope, { go: start }, '.button.quiet', [words.home]);
  const chat = button('.button.quiet', { close: true }, [words.chat]);
  return [
    h('div.rows', {}, [{ each: `sent.${id}`, show: [line] }]),
    h('div.buttons', {}, [
      ...(scope.page === start ? [] : [home]),
      ...(bot === '' ? [] : [when(is('page.telegram', 'true'), [chat])]),
    ]),
  ];
}

/** The first result whose condition holds. */
function result(scope: Scope, [first, ...others]: PropsOf<'quiz'>['results']): Drawn[] {
  if (first === undefined) return [];
  const said = h('p.lead', {}, text(scope, first.text));
  return first.showIf ? [when(testOf(scope, first.showIf), [said], result(scope, others))] : [said];
}

export const forms = {
  form: ({ form }, scope) => drawnForm(scope, form),
  quiz: ({ form, results }, scope) => drawnForm(scope, form, results),
} satisfies { readonly [Type in ElementType]?: Block<Type> };
