// Forms: is each field asked once, and does the form bring what its kind needs?
import type { Form, FormField } from '../../../../contract/app/forms.ts';
import type { Fault } from '../../../../contract/flow.ts';
import type { Manifest } from '../../../../contract/manifest.ts';
import { named, own, stop, warn } from './fault.ts';

/** All forms, and the quizzes that show them. */
export function checkForms(manifest: Manifest): Fault[] {
  return [
    ...Object.entries(manifest.forms ?? {}).flatMap(([id, form]) => checkForm(manifest, id, form)),
    ...Object.entries(manifest.elements).flatMap(([id, element]) =>
      element.type === 'quiz' ? checkQuiz(manifest, id, element.props) : [],
    ),
  ];
}

function checkForm(manifest: Manifest, id: string, form: Form): Fault[] {
  const path = `forms.${id}`;
  return [
    ...checkOrder(form, path),
    ...Object.entries(form.fields).flatMap(([name, field]) =>
      checkField(manifest, form, field, `${path}.fields.${name}`),
    ),
    ...checkKind(manifest, form, path),
  ];
}

function checkOrder(form: Form, path: string): Fault[] {
  const faults = form.order.flatMap((name, index): Fault[] => {
    const place = `${path}.order.${index}`;
    if (own(form.fields, name) === undefined)
      return [
        stop('field_missing', place, `The form has no field "${name}".`, `It has ${named(Object.keys(form.fields))}.`),
      ];
    return form.order.indexOf(name) === index ? [] : [stop('field_twice', place, `"${name}" is asked twice.`)];
  });
  for (const name of Object.keys(form.fields)) {
    if (!form.order.includes(name))
      faults.push(
        stop(
          'field_unasked',
          `${path}.fields.${name}`,
          `"${name}" is never asked.`,
          'Add it to "order", or remove it.',
        ),
      );
  }
  return faults;
}

function checkField(manifest: Manifest, form: Form, field: FormField, path: string): Fault[] {
  switch (field.type) {
    case 'select':
    case 'radio':
    case 'choices':
      return field.options
        .filter((option, index) => field.options.findIndex((other) => other.id === option.id) !== index)
        .map((option) => stop('option_twice', `${path}.options`, `Two answers are called "${option.id}".`));
    case 'number':
      return field.min !== undefined && field.max !== undefined && field.min > field.max
        ? [stop('range_empty', path, `No number is at least ${field.min} and at most ${field.max}.`)]
        : [];
    case 'date':
      return field.min !== undefined && field.max !== undefined && field.min > field.max && field.min !== 'today'
        ? [stop('range_empty', path, `No day is from ${field.min} to ${field.max}.`)]
        : [];
    case 'slot':
      return checkSlot(manifest, form, field, path);
    case 'hidden':
      return field.value === undefined && field.from === undefined
        ? [stop('hidden_empty', path, 'A hidden field holds a "value", or what stands "from" the link.')]
        : [];
    default:
      return [];
  }
}

function checkSlot(manifest: Manifest, form: Form, field: Extract<FormField, { type: 'slot' }>, path: string): Fault[] {
  const booking = own(manifest.bookings, field.booking);
  if (booking === undefined)
    return [
      stop(
        'booking_missing',
        `${path}.booking`,
        `There is no booking "${field.booking}".`,
        `There is ${named(Object.keys(manifest.bookings ?? {}))}.`,
      ),
    ];
  if (booking.each === undefined) return [];
  const pick = own(form.fields, booking.each.field);
  if (pick?.type === 'pick' && pick.data === booking.each.data) return [];
  return [
    stop(
      'booking_pick',
      path,
      `Each row of "${booking.each.data}" has a calendar of its own, and the form does not let it be chosen.`,
      `Add a field "${booking.each.field}" of the type "pick" with "data": "${booking.each.data}".`,
    ),
  ];
}

function checkKind(manifest: Manifest, form: Form, path: string): Fault[] {
  const slots = Object.values(form.fields).filter((field) => field.type === 'slot');
  const faults: Fault[] = [];
  if (form.kind === 'order' && manifest.shop === undefined)
    faults.push(stop('shop_missing', `${path}.kind`, 'An order takes the cart along, and there is no shop.'));
  if (form.kind === 'booking' && slots.length !== 1)
    faults.push(
      stop(
        'slot_missing',
        `${path}.kind`,
        `A booking has exactly one field of the type "slot"; this has ${slots.length}.`,
      ),
    );
  if (form.kind === 'booking' && slots.some((field) => field.type === 'slot' && field.required !== true))
    faults.push(stop('slot_optional', `${path}.fields`, 'The time of a booking must be required.'));
  if (form.kind !== 'booking' && slots.length > 0)
    faults.push(stop('slot_kind', `${path}.kind`, 'A form with a time is of the kind "booking".'));
  return [...faults, ...checkContact(form, path)];
}

/** Can whoever has sent it be asked back, and may they? */
function checkContact(form: Form, path: string): Fault[] {
  const contacts = Object.values(form.fields).filter((field) => field.type === 'phone' || field.type === 'email');
  const faults: Fault[] = [];
  if (form.kind === 'order' && !contacts.some((field) => field.required === true))
    faults.push(
      warn(
        'contact_optional',
        `${path}.fields`,
        'An order can be sent from the site without a phone number or an e-mail address, and nobody could be asked back.',
        'Make a field of the type "phone" or "email" required; with "showIf": { "where": "web" } the site alone asks for it.',
      ),
    );
  if (contacts.length > 0 && !Object.values(form.fields).some((field) => field.type === 'consent'))
    faults.push(
      warn(
        'consent_missing',
        `${path}.fields`,
        'The form asks for a phone number or an e-mail address and not for a consent.',
        'Many countries ask for one: add a field of the type "consent".',
      ),
    );
  return faults;
}

type Quiz = Extract<Manifest['elements'][string], { type: 'quiz' }>['props'];

function checkQuiz(manifest: Manifest, id: string, quiz: Quiz): Fault[] {
  const path = `elements.${id}.props`;
  const faults: Fault[] = [];
  const always = quiz.results.findIndex((result) => result.showIf === undefined);
  if (always === -1)
    faults.push(
      stop(
        'quiz_open',
        `${path}.results`,
        'Whoever meets none of the conditions would read nothing.',
        'Add a last result without "showIf".',
      ),
    );
  else if (always < quiz.results.length - 1)
    faults.push(
      warn(
        'quiz_unreachable',
        `${path}.results.${always + 1}`,
        'Nobody reads this: the result above it has no condition.',
        'Move the one without a condition to the end.',
      ),
    );
  if (own(manifest.forms, quiz.form)?.kind === 'order')
    faults.push(stop('quiz_kind', `${path}.form`, 'A quiz cannot take an order.'));
  return faults;
}
