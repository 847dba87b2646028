// Everything a document refers to, with its place: what the checks of texts, values and files go through.

import type { Block, BlockOf, BlockType } from '../../../../contract/blocks/registry.ts';
import type { Given } from '../../../../contract/blocks/table.ts';
import type { ButtonRows } from '../../../../contract/buttons.ts';
import type { Condition } from '../../../../contract/conditions.ts';
import type { FlowDocument } from '../../../../contract/flow.ts';
import type { TextBody } from '../../../../contract/texts.ts';
import type { VariableType } from '../../../../contract/variables.ts';

/** What a text is for: that decides how long it may be and whether it may hold values. */
export type TextPurpose =
  | 'message'
  | 'caption'
  | 'label'
  | 'replyLabel'
  | 'answer'
  | 'laterAnswer'
  | 'url'
  | 'appUrl'
  | 'copy'
  | 'placeholder'
  | 'command';

export type Use =
  | { readonly what: 'text'; readonly key: string; readonly purpose: TextPurpose; readonly path: string }
  | { readonly what: 'read'; readonly name: string; readonly path: string; readonly type?: VariableType }
  /** `type`: what is put in; absent where only running it can tell. */
  | { readonly what: 'write'; readonly name: string; readonly path: string; readonly type?: VariableType }
  | {
      readonly what: 'expression';
      readonly source: string;
      readonly path: string;
      readonly wants?: 'truth';
      readonly into?: string;
    }
  | { readonly what: 'pattern'; readonly source: string; readonly path: string }
  | { readonly what: 'media'; readonly id: string; readonly path: string };

type Add = (use: Use) => void;

/** Lists all uses of a document. */
export function usesOf(document: FlowDocument): Use[] {
  const uses: Use[] = [];
  const add: Add = (use) => uses.push(use);
  for (const [id, block] of Object.entries(document.blocks)) addBlock(block, `blocks.${id}.props`, add);
  for (const [id, trigger] of Object.entries(document.triggers)) addTrigger(trigger, `triggers.${id}.props`, add);
  for (const [key, text] of Object.entries(document.texts ?? {})) {
    for (const [locale, body] of Object.entries(text)) addText(body, `texts.${key}.${locale}`, add);
  }
  for (const [name, key] of Object.entries(document.phrases ?? {})) {
    if (key !== undefined) add({ what: 'text', key, purpose: 'answer', path: `phrases.${name}` });
  }
  return uses;
}

type BlockUses = { readonly [Type in BlockType]: (block: BlockOf<Type>, path: string, add: Add) => void };

function addBlock<Type extends BlockType>(block: Block & { type: Type }, path: string, add: Add): void {
  const collect = BLOCK_USES[block.type] as (block: Block, path: string, add: Add) => void;
  collect(block, path, add);
}

const nothing = (): void => undefined;

const BLOCK_USES = {
  message: ({ props }, path, add) => {
    const hasFile = (props.media?.length ?? 0) > 0;
    addKey(props.text, hasFile ? 'caption' : 'message', `${path}.text`, add);
    addKey(props.placeholder, 'placeholder', `${path}.placeholder`, add);
    addButtons(props.buttons, props.keyboard === 'reply', `${path}.buttons`, add);
    (props.media ?? []).forEach((ref, index) => {
      if (typeof ref === 'string') add({ what: 'media', id: ref, path: `${path}.media.${index}` });
      else add({ what: 'read', name: ref.var, type: 'file', path: `${path}.media.${index}` });
    });
  },
  edit: ({ props }, path, add) => {
    addKey(props.text, 'message', `${path}.text`, add);
    addButtons(props.buttons, false, `${path}.buttons`, add);
  },
  page: ({ props }, path, add) => addButtons(props.buttons, false, `${path}.buttons`, add),
  delete: nothing,
  answer: ({ props }, path, add) => addKey(props.text, 'laterAnswer', `${path}.text`, add),
  input: addInput,
  condition: ({ props }, path, add) =>
    props.branches.forEach((branch, index) => addCondition(branch.when, `${path}.branches.${index}.when`, add)),
  set: addSet,
  random: nothing,
  jump: nothing,
  subflow: nothing,
  wait: nothing,
  tag: nothing,
  notify: ({ props }, path, add) => {
    addKey(props.text, 'message', `${path}.text`, add);
    props.to.forEach((to, index) => {
      if ('var' in to) add({ what: 'read', name: to.var, path: `${path}.to.${index}` });
    });
  },
  membership: ({ props }, path, add) => {
    if (typeof props.chat === 'object') add({ what: 'read', name: props.chat.var, path: `${path}.chat` });
  },
  table: addTable,
  end: nothing,
} as const satisfies BlockUses;

function addKey(key: string | undefined, purpose: TextPurpose, path: string, add: Add): void {
  if (key !== undefined) add({ what: 'text', key, purpose, path });
}

function addButtons(rows: ButtonRows | undefined, isReply: boolean, path: string, add: Add): void {
  (rows ?? []).forEach((row, rowIndex) => {
    row.forEach((button, index) => {
      const at = `${path}.${rowIndex}.${index}`;
      addKey(button.label, isReply ? 'replyLabel' : 'label', `${at}.label`, add);
      if (button.kind === 'link') addKey(button.url, 'url', `${at}.url`, add);
      else if (button.kind === 'webApp') addKey(button.url, 'appUrl', `${at}.url`, add);
      else if (button.kind === 'copy') addKey(button.copy, 'copy', `${at}.copy`, add);
      else if (button.kind === undefined || button.kind === 'go') addKey(button.answer, 'answer', `${at}.answer`, add);
      if (button.showIf) addCondition(button.showIf, `${at}.showIf`, add);
    });
  });
}

const INPUT_TYPES: { readonly [kind: string]: VariableType } = {
  text: 'text',
  number: 'number',
  email: 'email',
  phone: 'phone',
  date: 'date',
  contact: 'phone',
  location: 'location',
  file: 'file',
};

function addInput({ props }: BlockOf<'input'>, path: string, add: Add): void {
  addKey(props.text, 'message', `${path}.text`, add);
  addKey(props.retry, 'message', `${path}.retry`, add);
  addKey(props.share, 'label', `${path}.share`, add);
  (props.choices ?? []).forEach((choice, index) =>
    addKey(choice.label, 'label', `${path}.choices.${index}.label`, add),
  );
  if (props.pattern !== undefined) add({ what: 'pattern', source: props.pattern, path: `${path}.pattern` });
  if (props.into === undefined) return;
  const type = props.kind === 'choice' ? choiceType(props.choices ?? []) : INPUT_TYPES[props.kind];
  add({ what: 'write', name: props.into, path: `${path}.into`, ...(type === undefined ? {} : { type }) });
}

function choiceType(choices: readonly { readonly value?: unknown }[]): VariableType | undefined {
  const kinds = new Set(choices.map(({ value }) => (value === undefined ? 'string' : typeof value)));
  if (kinds.size !== 1) return undefined;
  if (kinds.has('number')) return 'number';
  return kinds.has('boolean') ? 'bool' : 'choice';
}

function addSet({ props }: BlockOf<'set'>, path: string, add: Add): void {
  props.set.forEach((one, index) => {
    const at = `${path}.set.${index}`;
    if ('expr' in one) add({ what: 'expression', source: one.expr, path: `${at}.expr`, into: one.into });
    const type = 'value' in one ? typeOfLiteral(one.value) : undefined;
    if (one.into !== 'contact.locale')
      add({ what: 'write', name: one.into, path: `${at}.into`, ...(type === undefined ? {} : { type }) });
  });
}

/** What goes into variables has a type only by the column: `tables.ts` sees to that. */
function addTable({ props }: BlockOf<'table'>, path: string, add: Add): void {
  (props.where ?? []).forEach(({ field: _field, ...operators }, index) => {
    for (const [operator, given] of Object.entries(operators))
      addGiven(given, `${path}.where.${index}.${operator}`, add);
  });
  for (const [field, given] of Object.entries(props.set ?? {})) addGiven(given, `${path}.set.${field}`, add);
  for (const [field, name] of Object.entries(props.into ?? {}))
    add({ what: 'write', name, path: `${path}.into.${field}` });
  if (props.count !== undefined) add({ what: 'write', name: props.count, path: `${path}.count` });
}

function addGiven(given: Given | undefined, path: string, add: Add): void {
  if (typeof given !== 'object') return;
  if ('var' in given) add({ what: 'read', name: given.var, path: `${path}.var` });
  else add({ what: 'expression', source: given.expr, path: `${path}.expr` });
}

function typeOfLiteral(value: unknown): VariableType {
  if (typeof value === 'number') return 'number';
  if (typeof value === 'boolean') return 'bool';
  if (Array.isArray(value)) return 'list';
  return typeof value === 'object' ? 'object' : 'text';
}

function addCondition(condition: Condition, path: string, add: Add): void {
  if ('all' in condition) condition.all.forEach((part, index) => addCondition(part, `${path}.all.${index}`, add));
  else if ('any' in condition) condition.any.forEach((part, index) => addCondition(part, `${path}.any.${index}`, add));
  else if ('not' in condition) addCondition(condition.not, `${path}.not`, add);
  else if ('expr' in condition)
    add({ what: 'expression', source: condition.expr, path: `${path}.expr`, wants: 'truth' });
  else {
    const { var: name, op, value } = condition;
    if (name !== undefined) add({ what: 'read', name, path: `${path}.var` });
    if (typeof value === 'object' && 'var' in value && typeof value.var === 'string')
      add({ what: 'read', name: value.var, path: `${path}.value.var` });
    if ((op === 'matches' || op === 'notMatches') && typeof value === 'string')
      add({ what: 'pattern', source: value, path: `${path}.value` });
  }
}

function addTrigger(trigger: FlowDocument['triggers'][string], path: string, add: Add): void {
  const { props } = trigger;
  if ('pattern' in props) add({ what: 'pattern', source: props.pattern, path: `${path}.pattern` });
  if ('description' in props) addKey(props.description, 'command', `${path}.description`, add);
  if (!('into' in props) || props.into === undefined) return;
  if (typeof props.into === 'string') add({ what: 'write', name: props.into, type: 'text', path: `${path}.into` });
  else
    for (const [field, name] of Object.entries(props.into)) add({ what: 'write', name, path: `${path}.into.${field}` });
}

function addText(body: TextBody, path: string, add: Add): void {
  if (typeof body === 'string') return;
  body.forEach((span, index) => {
    if (typeof span === 'string') return;
    if (span.mention !== undefined) add({ what: 'read', name: span.mention, path: `${path}.${index}.mention` });
    if ('var' in span) add({ what: 'read', name: span.var, path: `${path}.${index}.var` });
    else if ('plural' in span) add({ what: 'read', name: span.plural, path: `${path}.${index}.plural` });
    else if ('expr' in span) add({ what: 'expression', source: span.expr, path: `${path}.${index}.expr` });
  });
}
