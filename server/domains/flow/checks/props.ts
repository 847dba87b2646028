// Does every prop of a block act? One that is understood and does nothing would be believed to work, so it is refused, and
// the sentence says where it acts.

import type { InputKind } from '../../../../contract/blocks/input.ts';
import { type Block, type BlockOf, hasButtons } from '../../../../contract/blocks/registry.ts';
import type { Button } from '../../../../contract/buttons.ts';
import type { Fault, FlowDocument } from '../../../../contract/flow.ts';
import { stop, warn } from './fault.ts';

/** Props of all blocks that do nothing as they stand. */
export function checkProps(document: FlowDocument): Fault[] {
  return Object.entries(document.blocks).flatMap(([id, block]) => {
    const path = `blocks.${id}`;
    return [...checkBlock(path, block, document), ...checkButtons(path, block)];
  });
}

/** A prop that does nothing, and what it takes to make it act. */
const idle = (path: string, prop: string, why: string, fix: string): Fault =>
  stop('prop_unused', `${path}.props.${prop}`, `"${prop.split('.').at(-1)}" does nothing ${why}.`, fix);

function checkBlock(path: string, block: Block, document: FlowDocument): Fault[] {
  switch (block.type) {
    case 'input':
      return checkInput(path, block);
    case 'message':
      return checkMessage(path, block);
    case 'edit':
      return checkEdit(path, block, document);
    case 'answer':
      return block.props.alert && block.props.text === undefined
        ? [idle(path, 'alert', 'without words to show', 'Write a "text".')]
        : [];
    case 'notify':
      return checkLocale(`${path}.props.locale`, block.props.locale, document);
    case 'tag':
      return checkTags(path, block);
    case 'set':
      return block.props.set.flatMap((one, index) =>
        one.into === 'contact.locale' && 'value' in one
          ? checkLocale(`${path}.props.set.${index}.value`, one.value, document)
          : [],
      );
    case 'table':
      return checkTable(path, block);
    default:
      return [];
  }
}

/** For which kinds of questions a prop acts; one that is not here acts for all of them. */
export const INPUT_PROPS: { readonly [prop: string]: readonly InputKind[] } = {
  min: ['text', 'number', 'date'],
  max: ['text', 'number', 'date'],
  integer: ['number'],
  pattern: ['text'],
  choices: ['choice'],
  columns: ['choice'],
  share: ['phone', 'contact', 'location'],
  own: ['phone', 'contact'],
  files: ['file'],
  maxMegabytes: ['file'],
};

const named = (names: readonly string[]): string => names.map((name) => `"${name}"`).join(', ');

function checkInput(path: string, { props, exits }: BlockOf<'input'>): Fault[] {
  const faults = Object.entries(INPUT_PROPS).flatMap(([prop, kinds]) =>
    props[prop as keyof typeof props] === undefined || kinds.includes(props.kind)
      ? []
      : [idle(path, prop, `for a question of the kind "${props.kind}"`, `It acts for the kinds ${named(kinds)}.`)],
  );
  if (props.attempts !== undefined && exits?.['invalid'] === undefined)
    faults.push(
      idle(path, 'attempts', 'while the exit "invalid" leads nowhere', 'Connect "invalid", or ask without an end.'),
    );
  if (props.ref !== undefined && props.text === undefined)
    faults.push(idle(path, 'ref', 'without a message to name', 'Write a "text".'));
  if (props.into === undefined && props.kind === 'choice')
    (props.choices ?? []).forEach(({ value }, index) => {
      if (value !== undefined)
        faults.push(
          idle(
            path,
            `choices.${index}.value`,
            'while the question remembers nothing',
            'Write "into" with a variable, or leave "value" out: each choice has an exit of its own.',
          ),
        );
    });
  if (props.timeout === undefined && exits?.['timeout'] !== undefined)
    faults.push(
      warn(
        'exit_never',
        `${path}.exits.timeout`,
        'Nobody takes this exit: the question waits without an end.',
        'Say how long to wait in "timeout", as "PT10M".',
      ),
    );
  return faults;
}

function checkMessage(path: string, { props }: BlockOf<'message'>): Fault[] {
  const faults: Fault[] = [];
  const hasButton = (props.buttons ?? []).length > 0;
  if (props.placeholder !== undefined && props.keyboard !== 'reply')
    faults.push(
      idle(path, 'placeholder', 'without keys', 'It stands in the input field above keys: write "keyboard": "reply".'),
    );
  if ((props.keyboard === 'inline' || props.keyboard === 'reply') && !hasButton)
    faults.push(idle(path, 'keyboard', 'without buttons', 'Add "buttons", or write "remove".'));
  if (props.preview === false && props.text === undefined)
    faults.push(idle(path, 'preview', 'without a text', 'It acts for links in a text.'));
  return faults;
}

function checkEdit(path: string, { props }: BlockOf<'edit'>, document: FlowDocument): Fault[] {
  const faults: Fault[] = [];
  if (props.preview === false && props.text === undefined)
    faults.push(idle(path, 'preview', 'without a text', 'It acts for links in a text.'));
  if (props.otherwise === 'send' && props.text === undefined)
    faults.push(idle(path, 'otherwise', 'without a text to send', 'Write a "text", or "skip".'));
  const { target } = props;
  const isKeyed = (block: Block): boolean =>
    target !== 'pressed' &&
    'ref' in block.props &&
    block.props.ref === target.ref &&
    ((block.type === 'message' && (block.props.keyboard === 'reply' || block.props.keyboard === 'remove')) ||
      (block.type === 'input' && block.props.share !== undefined));
  const keyed = Object.keys(document.blocks).filter((id) => isKeyed(document.blocks[id] as Block));
  if (keyed.length > 0)
    faults.push(
      warn(
        'edit_keys',
        `${path}.props.target`,
        `Telegram lets nobody edit a message that came with keys, as that of block ${named(keyed)} does.`,
        'Use buttons under the message, or send another one.',
      ),
    );
  return faults;
}

function checkLocale(path: string, locale: unknown, { locales }: FlowDocument): Fault[] {
  if (locale === undefined || locales.includes(String(locale))) return [];
  return [stop('locale_unknown', path, `The bot does not speak "${String(locale)}".`, `It speaks ${named(locales)}.`)];
}

function checkTags(path: string, { props }: BlockOf<'tag'>): Fault[] {
  const both = (props.add ?? []).filter((tag) => props.remove?.includes(tag));
  return both.length === 0
    ? []
    : [
        stop(
          'prop_unused',
          `${path}.props`,
          `The tag ${named(both)} is added and removed here.`,
          'Choose one of the two.',
        ),
      ];
}

function checkTable(path: string, { props }: BlockOf<'table'>): Fault[] {
  const faults: Fault[] = [];
  for (const prop of ['sort', 'descending'] as const)
    if (props[prop] !== undefined && props.do === 'insert')
      faults.push(
        idle(path, prop, 'where a row is put in', 'It says which row is the first for "find", "update" and "delete".'),
      );
  for (const [index, { field, ...asked }] of (props.where ?? []).entries())
    if (Object.values(asked).every((value) => value === undefined))
      faults.push(
        stop(
          'filter_empty',
          `${path}.props.where.${index}`,
          `Nothing is asked of "${field}" here.`,
          'Write one of "is", "not", "over", "under", "contains".',
        ),
      );
  return faults;
}

function checkButtons(path: string, block: Block): Fault[] {
  if (!hasButtons(block)) return [];
  const isReply = block.type === 'message' && block.props.keyboard === 'reply';
  return (block.props.buttons ?? []).flat().flatMap((button) => checkButton(path, button, isReply));
}

/** A key sends its words as a person would: there is no press that could be answered or used up. */
function checkButton(path: string, button: Button, isReply: boolean): Fault[] {
  if (button.kind !== undefined && button.kind !== 'go') return [];
  const at = `${path}.props.buttons.${button.id}`;
  if (isReply)
    return (['answer', 'alert', 'answersLater', 'repeats'] as const)
      .filter((prop) => button[prop] !== undefined)
      .map((prop) =>
        stop(
          'prop_unused',
          `${at}.${prop}`,
          `"${prop}" does nothing at a key: pressing one sends its words.`,
          'It acts for buttons under a message: "keyboard": "inline".',
        ),
      );
  if (button.alert && (button.answer === undefined || button.answersLater))
    return [
      stop(
        'prop_unused',
        `${at}.alert`,
        '"alert" does nothing without an "answer" that is shown at once.',
        button.answersLater ? 'Write it at the block that answers.' : 'Write an "answer".',
      ),
    ];
  return [];
}
