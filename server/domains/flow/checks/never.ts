// Triggers, conditions and variables of which a part can never act: it is named with what would.

import type { Condition } from '../../../../contract/conditions.ts';
import type { Fault, FlowDocument } from '../../../../contract/flow.ts';
import type { ChatType, MemberChange, MessageKind, Trigger } from '../../../../contract/triggers.ts';
import type { Variable, VariableType } from '../../../../contract/variables.ts';
import { DEFAULT_CHATS } from '../compile-triggers.ts';
import { stop, warn } from './fault.ts';

/** What can never come to pass. */
export function checkNever(document: FlowDocument): Fault[] {
  return [
    ...Object.entries(document.triggers).flatMap(([id, trigger]) => checkTrigger(`triggers.${id}`, trigger)),
    ...Object.entries(document.variables ?? {}).flatMap(([name, one]) => checkVariable(`variables.${name}`, name, one)),
    ...Object.entries(document.blocks).flatMap(([id, block]) => {
      const path = `blocks.${id}.props`;
      if (block.type === 'condition')
        return block.props.branches.flatMap((one, index) => checkCondition(`${path}.branches.${index}.when`, one.when));
      const buttons = 'buttons' in block.props ? (block.props.buttons ?? []).flat() : [];
      return buttons.flatMap(({ id: button, showIf }) =>
        showIf ? checkCondition(`${path}.buttons.${button}.showIf`, showIf) : [],
      );
    }),
  ];
}

const never = (path: string, message: string, fix: string): Fault => stop('trigger_never', path, message, fix);

function checkTrigger(path: string, trigger: Trigger): Fault[] {
  const chats = trigger.in ?? DEFAULT_CHATS[trigger.type];
  return [...checkStart(path, trigger, chats), ...checkHeard(path, trigger, chats), ...checkOwn(path, trigger)];
}

/** What `t.me/bot?start=` can carry: https://core.telegram.org/bots/features#deep-linking */
const PARAMETER = /^[\w-]+$/;

function checkStart(path: string, trigger: Trigger, chats: readonly ChatType[]): Fault[] {
  if (trigger.type !== 'start') return [];
  const { props } = trigger;
  const faults = (['equals', 'prefix'] as const).flatMap((prop) => {
    const given = props[prop];
    if (given === undefined || PARAMETER.test(given)) return [];
    return [
      never(
        `${path}.props.${prop}`,
        `No link can bring "${given}": a start parameter holds Latin letters, digits, "_" and "-".`,
        'Write it with these, as "help_contact", and use the same in the link.',
      ),
    ];
  });
  if (props.equals !== undefined && props.prefix !== undefined)
    faults.push(
      stop('prop_unused', `${path}.props.prefix`, '"prefix" does nothing beside "equals".', 'Write one of the two.'),
    );
  if (!chats.some((chat) => chat !== 'channel'))
    faults.push(never(`${path}.in`, 'A link opens a private chat or a group, never a channel.', 'Add "private".'));
  return faults;
}

/** Kinds of messages that come in some kinds of chats alone, or not at all. */
const KIND_IN: { readonly [Kind in MessageKind]?: readonly ChatType[] } = {
  newMembers: ['group'],
  leftMember: ['group'],
  payment: [],
  webAppData: [],
};
const CHANGE_IN: { readonly [Change in MemberChange]: readonly ChatType[] } = {
  joined: ['group', 'channel'],
  left: ['group', 'channel'],
  promoted: ['group', 'channel'],
  demoted: ['group', 'channel'],
  restricted: ['group'],
  botAdded: ['group', 'channel'],
  botRemoved: ['group', 'channel'],
  botPromoted: ['group', 'channel'],
  botDemoted: ['group', 'channel'],
  blocked: ['private'],
  unblocked: ['private'],
};

function checkHeard(path: string, trigger: Trigger, chats: readonly ChatType[]): Fault[] {
  const names = trigger.type === 'kind' ? trigger.props.kinds : trigger.type === 'member' ? trigger.props.changes : [];
  const faults = names.flatMap((name, index) => {
    const comes = trigger.type === 'kind' ? KIND_IN[name as MessageKind] : CHANGE_IN[name as MemberChange];
    if (comes === undefined || comes.some((chat) => chats.includes(chat))) return [];
    const at = `${path}.props.${trigger.type === 'kind' ? 'kinds' : 'changes'}.${index}`;
    if (comes.length === 0)
      return [
        name === 'payment'
          ? never(at, 'No payment comes: checkouts are refused, since nothing can be sold yet.', 'Remove it.')
          : never(at, 'No key of a flow opens an app that sends this.', 'Use a trigger of the type "app".'),
      ];
    return [never(at, `"${name}" comes in no ${chats.join(' or ')} chat.`, `Write "in": ${JSON.stringify(comes)}.`)];
  });
  if (trigger.type === 'app' && !chats.includes('private'))
    faults.push(never(`${path}.in`, 'What a visitor sends comes into the private chat.', 'Write "in": ["private"].'));
  if (['text', 'kind', 'fallback'].includes(trigger.type) && trigger.in?.includes('group') && !isNotice(trigger))
    faults.push(
      warn(
        'group_privacy',
        `${path}.in`,
        'In groups a bot hears commands, replies to it and nothing else, unless its privacy is switched off.',
        'Switch it off at @BotFather (/setprivacy), or make the bot an administrator.',
      ),
    );
  return faults;
}

/** Notices of Telegram reach every bot. */
const isNotice = (trigger: Trigger): boolean =>
  trigger.type === 'kind' && trigger.props.kinds.every((kind) => kind === 'newMembers' || kind === 'leftMember');

/** A press of a button of ours goes to it wherever it is and whatever waits; a fallback is asked last of all. */
function checkOwn(path: string, trigger: Trigger): Fault[] {
  const isOwn = trigger.type === 'button' && 'block' in trigger.props;
  const why = isOwn ? 'at a button of the flow: its press always comes first' : 'at a fallback: it is asked last';
  return (['interrupts', 'in'] as const).flatMap((prop) =>
    trigger[prop] !== undefined && (isOwn || (prop === 'interrupts' && trigger.type === 'fallback'))
      ? [stop('prop_unused', `${path}.${prop}`, `"${prop}" does nothing ${why}.`, 'Remove it.')]
      : [],
  );
}

/** Types whose values are texts, which have a length. */
const WRITTEN: ReadonlySet<VariableType> = new Set<VariableType>(['text', 'phone', 'email', 'link', 'choice', 'time']);

function checkVariable(path: string, name: string, { type, scope, ...given }: Variable): Fault[] {
  const faults: Fault[] = [];
  if (given.options !== undefined && type !== 'choice')
    faults.push(
      stop(
        'prop_unused',
        `${path}.options`,
        `"${name}" is no choice, so "options" does nothing.`,
        'Write "type": "choice".',
      ),
    );
  if (given.maxChars !== undefined && !WRITTEN.has(type))
    faults.push(
      stop('prop_unused', `${path}.maxChars`, `"${name}" holds no text, so "maxChars" does nothing.`, 'Remove it.'),
    );
  if (given.default !== undefined && scope === 'secret')
    faults.push(stop('prop_unused', `${path}.default`, 'Nobody reads the default of a secret.', 'Remove it.'));
  return faults;
}

/** Operators that need nothing to compare with, and those that look at the tags of the person. */
const ALONE = ['isSet', 'isEmpty'];
const OF_TAGS = ['hasTag', 'hasNoTag'];

function checkCondition(path: string, condition: Condition): Fault[] {
  if ('all' in condition) return condition.all.flatMap((one, at) => checkCondition(`${path}.all.${at}`, one));
  if ('any' in condition) return condition.any.flatMap((one, at) => checkCondition(`${path}.any.${at}`, one));
  if ('not' in condition) return checkCondition(`${path}.not`, condition.not);
  if ('expr' in condition) return [];
  const { var: name, op, value } = condition;
  const faults: Fault[] = [];
  if (name === undefined && !OF_TAGS.includes(op))
    faults.push(stop('condition_open', path, `"${op}" has nothing to look at.`, 'Write which variable in "var".'));
  if (name !== undefined && OF_TAGS.includes(op))
    faults.push(stop('prop_unused', `${path}.var`, `"${op}" looks at the tags of the person.`, 'Remove "var".'));
  if (value === undefined && !ALONE.includes(op))
    faults.push(stop('condition_open', path, `"${op}" has nothing to compare with.`, 'Write it in "value".'));
  if (value !== undefined && ALONE.includes(op))
    faults.push(stop('prop_unused', `${path}.value`, `"${op}" compares with nothing.`, 'Remove "value".'));
  return faults;
}
