// What the flow and the app say of each other: forms that begin something, and buttons that open a page.

import type { FormField } from '../../../../contract/app/forms.ts';
import { hasButtons } from '../../../../contract/blocks/registry.ts';
import type { Fault, FlowDocument } from '../../../../contract/flow.ts';
import type { Trigger } from '../../../../contract/triggers.ts';
import type { VariableType } from '../../../../contract/variables.ts';
import { readOwn } from '../values.ts';
import { stop } from './fault.ts';
import { fits, TYPE_WORDS } from './values.ts';

/** Triggers of type `app`, buttons of kind `app` and blocks that send a page. */
export function checkApps(document: FlowDocument): Fault[] {
  return [
    ...Object.entries(document.triggers).flatMap(([id, trigger]) =>
      trigger.type === 'app' ? checkTrigger(`triggers.${id}`, trigger, document) : [],
    ),
    ...checkButtons(document),
    ...checkPages(document),
  ];
}

const appMissing = (path: string): Fault =>
  stop('app_missing', path, 'This project has no app.', 'Add pages under "app", or remove this.');

function checkTrigger(path: string, { props }: Extract<Trigger, { type: 'app' }>, document: FlowDocument): Fault[] {
  if (!document.app) return [appMissing(path)];
  const forms = document.app.forms ?? {};
  if (props.form !== undefined && !Object.hasOwn(forms, props.form))
    return [
      stop('form_missing', `${path}.props.form`, `The app has no form "${props.form}".`, `It has ${listed(forms)}.`),
    ];
  const heard = props.form === undefined ? Object.values(forms) : [readOwn(forms, props.form)];
  return Object.entries(props.into ?? {}).flatMap(([field, name]) => {
    const found = heard.flatMap((form) => (form ? (readOwn(form.fields, field) ?? []) : []));
    const at = `${path}.props.into.${field}`;
    if (found.length === 0)
      return [
        stop(
          'field_missing',
          at,
          `No form that this hears has a field "${field}".`,
          `There is ${listed(Object.assign({}, ...heard.map((form) => form?.fields)) as object)}.`,
        ),
      ];
    return found.flatMap((one) => checkInto(at, one, name, document)).slice(0, 1);
  });
}

const listed = (map: object): string =>
  Object.keys(map)
    .map((name) => `"${name}"`)
    .join(', ') || 'none';

/** What a field sends, where that is the same for every form of its type. */
const SENT_AS: { readonly [Type in FormField['type']]?: VariableType } = {
  text: 'text',
  phone: 'phone',
  email: 'email',
  number: 'number',
  select: 'choice',
  radio: 'choice',
  choices: 'list',
  checkbox: 'bool',
  date: 'date',
  time: 'time',
  rating: 'number',
  consent: 'bool',
  hidden: 'text',
};

function checkInto(path: string, field: FormField, name: string, document: FlowDocument): Fault[] {
  const variable = readOwn(document.variables ?? {}, name);
  const from = SENT_AS[field.type];
  if (!variable || !from || from === variable.type || fits(from, variable.type)) return [];
  return [
    stop(
      'type_mismatch',
      path,
      `The field sends ${TYPE_WORDS[from]}, and "${name}" is ${TYPE_WORDS[variable.type]}.`,
      'Change the type of the variable or choose another.',
    ),
  ];
}

function checkButtons(document: FlowDocument): Fault[] {
  return Object.entries(document.blocks).flatMap(([id, block]) => {
    if (!hasButtons(block)) return [];
    return (block.props.buttons ?? []).flat().flatMap((button) => {
      if (button.kind !== 'app') return [];
      const path = `blocks.${id}.props.buttons.${button.id}`;
      if (!document.app) return [appMissing(path)];
      return button.page === undefined ? [] : checkPage(path, button.page, document.app.pages);
    });
  });
}

function checkPages(document: FlowDocument): Fault[] {
  return Object.entries(document.blocks).flatMap(([id, block]) => {
    if (block.type !== 'page') return [];
    const path = `blocks.${id}.props.page`;
    return document.app ? checkPage(path, block.props.page, document.app.pages) : [appMissing(path)];
  });
}

function checkPage(path: string, page: string, pages: object): Fault[] {
  if (Object.hasOwn(pages, page)) return [];
  return [stop('page_missing', path, `The app has no page "${page}".`, `It has ${listed(pages)}.`)];
}
