// Parts of messages that Telegram refuses in a kind of chat where a trigger says that it listens. They are left out there.

import type { Block } from '../../../../contract/blocks/registry.ts';
import { hasButtons } from '../../../../contract/blocks/registry.ts';
import type { Button } from '../../../../contract/buttons.ts';
import type { Fault, FlowDocument } from '../../../../contract/flow.ts';
import { isTaken, type Part, type Place, TAKEN } from '../taken.ts';
import { warn } from './fault.ts';
import { reachedFrom } from './reach.ts';

const CHATS = { group: 'groups', channel: 'channels' } as const;

/** What is left out where it is said in so many words that the bot speaks in groups or channels. */
export function checkChats(document: FlowDocument): Fault[] {
  return (['group', 'channel'] as const).flatMap((place) => {
    const triggers = Object.values(document.triggers).filter((trigger) => trigger.in?.includes(place));
    const reached = reachedFrom(
      document,
      triggers.map((trigger) => trigger.to),
    );
    return [...reached].flatMap((id) => {
      const block = document.blocks[id];
      return block ? leftOut(`blocks.${id}.props`, block, place) : [];
    });
  });
}

function leftOut(path: string, block: Block, place: Place & keyof typeof CHATS): Fault[] {
  return partsOf(block).flatMap(([at, part]) =>
    isTaken(part, place)
      ? []
      : [
          warn(
            'part_left_out',
            `${path}.${at}`,
            `In ${CHATS[place]} Telegram does not take ${TAKEN[part].name}, so it is left out there.`,
          ),
        ],
  );
}

function partsOf(block: Block): (readonly [at: string, part: Part])[] {
  if (block.type === 'input') {
    const { share, kind } = block.props;
    return share === undefined ? [] : [['share', kind === 'location' ? 'location' : 'contact']];
  }
  if (!hasButtons(block)) return [];
  const keyboard = block.type === 'message' ? block.props.keyboard : undefined;
  const buttons = (block.props.buttons ?? []).flat().flatMap((button) => {
    const part = partOf(button);
    return part ? [[`buttons.${button.id}`, part] as const] : [];
  });
  if (keyboard === 'remove') return [['keyboard', 'removal']];
  return keyboard === 'reply' ? [['keyboard', 'keyboard'], ...buttons] : buttons;
}

function partOf({ kind, icon }: Button): Part | undefined {
  if (kind === 'webApp' || kind === 'contact' || kind === 'location') return kind;
  return icon === undefined ? undefined : 'icon';
}
