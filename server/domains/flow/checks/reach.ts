// What can be reached, and what would go round without an end.

import { type BlockType, hasButtons, specOf } from '../../../../contract/blocks/registry.ts';
import type { Fault, FlowDocument } from '../../../../contract/flow.ts';
import { entryOf, followers } from '../compile.ts';
import { readOwn } from '../values.ts';
import { stop, warn } from './fault.ts';

/** Blocks that stop the turn until something happens. */
const WAITING: ReadonlySet<BlockType> = new Set<BlockType>(['input', 'wait', 'membership']);

/** A way from one block to another; `sure` when nothing else can happen, `later` when it takes an event. */
type Way = { readonly to: string; readonly sure: boolean; readonly later: boolean };

/** Unreachable cards, and rounds without a wait. */
export function checkReach(document: FlowDocument): Fault[] {
  const ways = waysOf(document);
  return [...checkUnreachable(document, ways), ...checkRounds(document, ways)];
}

function waysOf(document: FlowDocument): Map<string, Way[]> {
  const next = followers(document);
  const ways = new Map<string, Way[]>();
  for (const [id, block] of Object.entries(document.blocks)) {
    const waits = WAITING.has(block.type);
    const pressed = new Set(hasButtons(block) ? (block.props.buttons ?? []).flat().map((button) => button.id) : []);
    const found: Omit<Way, 'sure'>[] = [];
    for (const exit of specOf(block.type).exits(block.props)) {
      const target = readOwn(block.exits ?? {}, exit.id);
      const to = target === undefined ? (exit.falls ? next.get(id) : undefined) : entryOf(document, target);
      if (to !== undefined && to !== '')
        found.push({ to, later: waits || pressed.has(exit.id) || exit.id === 'blocked' });
    }
    const ends =
      block.type === 'end' ||
      (block.type === 'condition' && found.length < specOf(block.type).exits(block.props).length - 1);
    const now = new Set(found.filter((way) => !way.later).map((way) => way.to));
    ways.set(
      id,
      found.map((way) => ({ ...way, sure: now.size === 1 && !ends })),
    );
  }
  return ways;
}

function startsOf(document: FlowDocument): string[] {
  const targets = [
    ...Object.values(document.triggers).map((trigger) => trigger.to),
    ...Object.values(document.defaults ?? {}),
  ];
  return targets.flatMap((target) => (target === undefined ? [] : [target]));
}

/** The blocks that can be reached from cards or blocks. */
export function reachedFrom(document: FlowDocument, targets: readonly string[]): ReadonlySet<string> {
  return targets.length === 0 ? new Set() : follow(document, targets, waysOf(document));
}

function follow(
  document: FlowDocument,
  targets: readonly string[],
  ways: ReadonlyMap<string, readonly Way[]>,
): Set<string> {
  const seen = new Set<string>();
  const open = targets.flatMap((target) => entryOf(document, target) ?? []);
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (id === '' || seen.has(id)) continue;
    seen.add(id);
    open.push(...(ways.get(id) ?? []).map((way) => way.to));
  }
  return seen;
}

function checkUnreachable(document: FlowDocument, ways: ReadonlyMap<string, readonly Way[]>): Fault[] {
  const starts = startsOf(document);
  if (starts.length === 0)
    return [stop('no_trigger', 'triggers', 'Nothing begins this flow.', 'Add a trigger, as the command /start.')];
  const seen = follow(document, starts, ways);
  return Object.entries(document.cards)
    .filter(([id, card]) => !starts.includes(id) && !card.blocks.some((block) => seen.has(block)))
    .map(([id, card]) =>
      warn(
        'card_unreachable',
        `cards.${id}`,
        `Nothing leads to the card "${card.title ?? id}".`,
        'Connect it or remove it.',
      ),
    );
}

/** A round that must be taken stops publishing; one that a condition can leave is only a warning. */
function checkRounds(document: FlowDocument, ways: ReadonlyMap<string, readonly Way[]>): Fault[] {
  const certain = findRounds(document, ways, (way) => !way.later && way.sure);
  const possible = findRounds(document, ways, (way) => !way.later).filter((id) => !certain.includes(id));
  return [
    ...certain.map((id) =>
      stop(
        'round_endless',
        `blocks.${id}`,
        `From block "${id}" the flow comes back to it without ever waiting.`,
        'Put a question or a pause into the round.',
      ),
    ),
    ...possible.map((id) =>
      warn(
        'round_possible',
        `blocks.${id}`,
        `From block "${id}" the flow can come back to it without waiting.`,
        'Make sure that a condition ends the round, or put a pause into it.',
      ),
    ),
  ];
}

/** One block of every round, found by walking down and meeting the own way again. */
function findRounds(
  document: FlowDocument,
  ways: ReadonlyMap<string, readonly Way[]>,
  follow: (way: Way) => boolean,
): string[] {
  const state = new Map<string, 'open' | 'done'>();
  const found: string[] = [];
  for (const start of Object.keys(document.blocks)) {
    if (state.has(start)) continue;
    state.set(start, 'open');
    const path = [{ id: start, next: 0 }];
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const way = (ways.get(top.id) ?? []).filter(follow)[top.next];
      top.next += 1;
      if (!way) {
        state.set(top.id, 'done');
        path.pop();
      } else if (state.get(way.to) === 'open') found.push(way.to);
      else if (!state.has(way.to)) {
        state.set(way.to, 'open');
        path.push({ id: way.to, next: 0 });
      }
    }
  }
  return [...new Set(found)];
}
