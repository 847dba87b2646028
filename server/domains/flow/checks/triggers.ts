// Triggers that get in each other's way.

import { hasButtons } from '../../../../contract/blocks/registry.ts';
import type { Fault, FlowDocument } from '../../../../contract/flow.ts';
import { TELEGRAM_LIMITS } from '../../../../contract/limits.ts';
import type { Trigger } from '../../../../contract/triggers.ts';
import { foldWords } from '../../readers/readers.ts';
import { DEFAULT_CHATS } from '../compile-triggers.ts';
import { languageCode, listedCommands } from '../menu-commands.ts';
import { readOwn } from '../values.ts';
import { stop, warn } from './fault.ts';

/** Commands twice, words twice, buttons that do not exist, commands that no menu can list. */
export function checkTriggers(document: FlowDocument): Fault[] {
  const triggers = Object.entries(document.triggers);
  return [
    ...checkTwice(triggers),
    ...triggers.flatMap(([id, trigger]) => checkButton(id, trigger, document)),
    ...checkMenu(document),
  ];
}

/** Telegram lists commands in private chats and groups: a hundred in a list, in languages of two letters. */
function checkMenu(document: FlowDocument): Fault[] {
  const faults: Fault[] = [];
  for (const [id, trigger] of Object.entries(document.triggers)) {
    if (trigger.type !== 'command' || trigger.props.description === undefined || !trigger.in) continue;
    if (trigger.in.every((chat) => chat === 'channel'))
      faults.push(
        stop(
          'prop_unused',
          `triggers.${id}.props.description`,
          '"description" does nothing in a channel, which has no menu of commands.',
          'Add "private" or "group" to "in", or remove it.',
        ),
      );
  }
  const lists = (['private', 'group'] as const).map((chat) => listedCommands(document, chat).length);
  const most = Math.max(...lists);
  if (most > TELEGRAM_LIMITS.commands)
    faults.push(
      stop(
        'commands_many',
        'triggers',
        `A menu of commands has at most ${TELEGRAM_LIMITS.commands}; ${most} have a "description".`,
        'Leave "description" out where a command need not be listed.',
      ),
    );
  const unnamed = document.locales.filter((one) => languageCode(one) === undefined && one !== document.defaultLocale);
  if (most > 0 && unnamed.length > 0)
    faults.push(
      warn(
        'commands_language',
        'locales',
        `Telegram's menu of commands has languages of two letters alone: who reads "${unnamed.join('", "')}" sees it in "${document.defaultLocale}".`,
      ),
    );
  return faults;
}

/** What of a trigger must be its own within a kind of chat. */
function claimsOf({ type, props }: Trigger): string[] {
  switch (type) {
    case 'command':
      return [`/${props.command}`];
    case 'start':
      return [`/start ${props.equals ?? (props.prefix === undefined ? '*' : `${props.prefix}*`)}`];
    case 'text':
      if ('any' in props) return ['any text'];
      return 'keywords' in props ? props.keywords.map((word) => `${props.match ?? 'equals'} "${foldWords(word)}"`) : [];
    case 'kind':
      return [...props.kinds];
    case 'app':
      return [props.form === undefined ? 'any form of the app' : `the form "${props.form}"`];
    case 'fallback':
      return ['everything else'];
    default:
      return [];
  }
}

function checkTwice(triggers: readonly (readonly [string, Trigger])[]): Fault[] {
  const owners = new Map<string, string>();
  const faults: Fault[] = [];
  for (const [id, trigger] of triggers) {
    for (const chat of trigger.in ?? DEFAULT_CHATS[trigger.type]) {
      for (const claim of claimsOf(trigger)) {
        const owner = owners.get(`${chat} ${claim}`);
        if (owner === undefined) owners.set(`${chat} ${claim}`, id);
        else if (owner !== id && !faults.some((fault) => fault.path === `triggers.${id}`))
          faults.push(twice(id, owner, trigger, claim));
      }
    }
  }
  return faults;
}

function twice(id: string, owner: string, trigger: Trigger, claim: string): Fault {
  const message = `Trigger "${owner}" already takes ${claim}, so this one is never reached.`;
  const isHard = trigger.type === 'command' || trigger.type === 'start';
  return isHard
    ? stop('trigger_twice', `triggers.${id}`, message, 'Remove one of the two.')
    : warn('trigger_twice', `triggers.${id}`, message, 'Remove one of the two.');
}

function checkButton(id: string, trigger: Trigger, document: FlowDocument): Fault[] {
  if (trigger.type !== 'button' || !('block' in trigger.props)) return [];
  const { block: blockId, button: buttonId } = trigger.props;
  const block = readOwn(document.blocks, blockId);
  const rows = block && hasButtons(block) ? block.props.buttons : undefined;
  const path = `triggers.${id}.props`;
  if (!(rows ?? []).flat().some((button) => button.id === buttonId)) {
    return [
      stop('button_missing', path, `Block "${blockId}" has no button "${buttonId}".`, 'Choose a button that exists.'),
    ];
  }
  const isTaken = block?.exits !== undefined && Object.hasOwn(block.exits, buttonId);
  return isTaken
    ? [
        warn(
          'trigger_twice',
          path,
          `The button "${buttonId}" has an exit of its own, so this trigger is never reached.`,
        ),
      ]
    : [];
}
