// What each type of block needs beyond its schema.

import { type Block, type BlockOf, type BlockType, hasButtons } from '../../../../contract/blocks/registry.ts';
import type { ButtonRows } from '../../../../contract/buttons.ts';
import type { Fault, FlowDocument } from '../../../../contract/flow.ts';
import { TELEGRAM_LIMITS } from '../../../../contract/limits.ts';
import { familyOf } from '../deliver.ts';
import { isDate, readOwn } from '../values.ts';
import { stop, warn } from './fault.ts';
import type { Use } from './uses.ts';

/** Checks every block by its type, and the files they name. */
export function checkBlocks(document: FlowDocument, uses: readonly Use[]): Fault[] {
  const ways = triggeredButtons(document);
  const blocks = Object.entries(document.blocks).flatMap(([id, block]) => checkBlock(id, block, document, ways));
  return [...blocks, ...checkMedia(document, uses), ...checkRefs(document)];
}

function checkBlock(id: string, block: Block, document: FlowDocument, ways: ReadonlySet<string>): Fault[] {
  switch (block.type) {
    case 'message':
      return checkMessage(id, block, document, ways);
    case 'page':
      return checkButtons(id, block, block.props.buttons, false, ways);
    case 'edit':
      return [...checkButtons(id, block, block.props.buttons, false, ways), ...checkEdit(id, block)];
    case 'input':
      return checkInput(id, block);
    case 'membership':
      return checkLate(id, block);
    case 'tag':
      return (block.props.add?.length ?? 0) + (block.props.remove?.length ?? 0) > 0
        ? []
        : [warn('block_idle', `blocks.${id}`, 'This block adds and removes no tag.')];
    case 'answer':
      return checkAnswer(id, document);
    default:
      return [];
  }
}

/** Buttons that a trigger takes care of. */
function triggeredButtons(document: FlowDocument): Set<string> {
  return new Set(
    Object.values(document.triggers).flatMap((trigger) =>
      trigger.type === 'button' && 'block' in trigger.props ? [`${trigger.props.block}/${trigger.props.button}`] : [],
    ),
  );
}

function checkMessage(
  id: string,
  block: BlockOf<'message'>,
  document: FlowDocument,
  ways: ReadonlySet<string>,
): Fault[] {
  const { props } = block;
  const path = `blocks.${id}.props`;
  const files = props.media ?? [];
  const faults = checkButtons(id, block, props.buttons, props.keyboard === 'reply', ways);
  if (props.text === undefined && files.length === 0)
    faults.push(stop('message_empty', path, 'This message has neither a text nor a file.', 'Write a text.'));
  if (files.length > 1 && props.text === undefined && (props.buttons?.length ?? 0) > 0) {
    faults.push(
      stop(
        'album_buttons',
        path,
        'An album cannot have buttons, and there is no text to put them under.',
        'Write a text.',
      ),
    );
  }
  const families = new Set(
    files.map((ref) => (typeof ref === 'string' ? familyOf(readOwn(document.media ?? {}, ref)?.kind ?? '') : '')),
  );
  if (files.length > 1 && (families.size > 1 || families.has(''))) {
    faults.push(
      warn(
        'album_mixed',
        `${path}.media`,
        'These files cannot all be in one album, so they are sent in several messages.',
      ),
    );
  }
  if (props.keyboard === 'remove' && (props.buttons?.length ?? 0) > 0) {
    faults.push(
      stop(
        'keyboard_removed',
        `${path}.buttons`,
        'A message that removes the keyboard cannot have buttons.',
        'Remove the buttons or choose another kind.',
      ),
    );
  }
  return faults;
}

function checkButtons(
  id: string,
  block: Block,
  rows: ButtonRows | undefined,
  isReply: boolean,
  ways: ReadonlySet<string>,
): Fault[] {
  const faults: Fault[] = [];
  const buttons = (rows ?? []).flat();
  if (buttons.length > TELEGRAM_LIMITS.buttons)
    faults.push(
      stop('buttons_many', `blocks.${id}.props.buttons`, `A message has at most ${TELEGRAM_LIMITS.buttons} buttons.`),
    );
  for (const button of buttons) {
    const path = `blocks.${id}.props.buttons.${button.id}`;
    const isGo = button.kind === undefined || button.kind === 'go';
    const isRequest = button.kind === 'contact' || button.kind === 'location';
    if (isGo && readOwn(block.exits ?? {}, button.id) === undefined && !ways.has(`${id}/${button.id}`)) {
      faults.push(stop('button_nowhere', path, `The button "${button.id}" leads nowhere.`, 'Connect it to a card.'));
    }
    if (isReply && !isGo && !isRequest)
      faults.push(
        stop('button_kind', path, 'Links and copy buttons stand under a message, not in place of the keyboard.'),
      );
    if (!isReply && isRequest)
      faults.push(
        stop(
          'button_kind',
          path,
          'Contact and location can only be asked for in place of the keyboard.',
          'Choose the other kind of buttons.',
        ),
      );
    if (isGo && 'answer' in button && button.answer !== undefined && button.answersLater) {
      faults.push(warn('answer_unused', path, 'This button answers later, so its own answer is never shown.'));
    }
  }
  return faults;
}

function checkEdit(id: string, { props }: BlockOf<'edit'>): Fault[] {
  const idle = props.text === undefined && props.buttons === undefined;
  return idle ? [stop('block_idle', `blocks.${id}.props`, 'This block changes neither the text nor the buttons.')] : [];
}

function checkAnswer(id: string, document: FlowDocument): Fault[] {
  const answered = Object.values(document.blocks).some(
    (block) =>
      hasButtons(block) &&
      (block.props.buttons ?? []).flat().some((button) => 'answersLater' in button && button.answersLater),
  );
  return answered
    ? []
    : [warn('block_idle', `blocks.${id}`, 'No button is marked "answers later", so there is nothing to answer.')];
}

function checkInput(id: string, { props }: BlockOf<'input'>): Fault[] {
  const path = `blocks.${id}.props`;
  const faults: Fault[] = [];
  if (props.kind === 'choice' && !props.choices)
    faults.push(stop('choices_missing', path, 'There is nothing to choose from.', 'Add choices.'));
  if (props.kind === 'choice' && props.choices && props.text === undefined) {
    faults.push(
      stop('question_missing', `${path}.text`, 'The choices need a text to stand under.', 'Write the question.'),
    );
  }
  if (props.share !== undefined && props.text === undefined)
    faults.push(
      stop('question_missing', `${path}.text`, 'The share button needs a text to stand under.', 'Write the question.'),
    );
  for (const bound of ['min', 'max'] as const) {
    const value = props[bound];
    const isFine =
      value === undefined ||
      (props.kind === 'date' ? typeof value === 'string' && isDate(value) : typeof value === 'number');
    if (!isFine)
      faults.push(
        stop(
          'bound_wrong',
          `${path}.${bound}`,
          props.kind === 'date' ? 'This must be a date as "2026-12-31".' : 'This must be a number.',
        ),
      );
  }
  if (props.min !== undefined && props.max !== undefined && props.min > props.max) {
    faults.push(stop('bound_wrong', `${path}.min`, 'The smallest allowed value is greater than the greatest.'));
  }
  return faults;
}

function checkLate(id: string, { exits }: BlockOf<'membership'>): Fault[] {
  const isPlanned = exits?.['error'] !== undefined;
  return isPlanned
    ? []
    : [
        warn(
          'error_unplanned',
          `blocks.${id}.exits.error`,
          'Telegram may fail to answer, and nothing is planned for that.',
          'Connect the exit "Error".',
        ),
      ];
}

function checkMedia(document: FlowDocument, uses: readonly Use[]): Fault[] {
  const media = document.media ?? {};
  const used = uses.filter((use) => use.what === 'media');
  const names = new Set([...used.map((use) => use.id), ...shownElsewhere(document)]);
  return [
    ...used
      .filter((use) => !Object.hasOwn(media, use.id))
      .map((use) => stop('media_missing', use.path, `There is no file "${use.id}".`, 'Add it or choose another.')),
    ...Object.keys(media)
      .filter((id) => !names.has(id))
      .map((id) => warn('media_unused', `media.${id}`, `The file "${id}" is used nowhere.`)),
  ];
}

/** Files that pages name; and all of them where rows of a table may, which are not in the document. */
function shownElsewhere(document: FlowDocument): string[] {
  const media = Object.keys(document.media ?? {});
  const columns = Object.values(document.tables ?? {}).flatMap((table) => Object.values(table.columns));
  if (columns.some((column) => column.type === 'photo')) return media;
  const app = JSON.stringify(document.app ?? {});
  return media.filter((id) => app.includes(`"${id}"`));
}

const EDITING: ReadonlySet<BlockType> = new Set<BlockType>(['edit', 'delete']);

/** A name for later edits has to be given somewhere. */
function checkRefs(document: FlowDocument): Fault[] {
  const blocks = Object.entries(document.blocks);
  const given = new Set(
    blocks.flatMap(([, { props }]) => ('ref' in props && props.ref !== undefined ? [props.ref] : [])),
  );
  return blocks.flatMap(([id, block]) => {
    if (!EDITING.has(block.type) || !('target' in block.props)) return [];
    const { target } = block.props;
    if (target === 'pressed' || given.has(target.ref) || (block.type === 'edit' && block.props.otherwise !== 'skip'))
      return [];
    return [
      stop(
        'ref_unknown',
        `blocks.${id}.props.target`,
        `No message is named "${target.ref}".`,
        'Give a message that name.',
      ),
    ];
  });
}
