// Who gets an event: a button its message, triggers that interrupt, the block that waits, other triggers, the fallback.

import { evenWords } from '../readers/readers.ts';
import { PERSONAL_KINDS } from './answers.ts';
import { valueFor } from './app-words.ts';
import { buttonInfo } from './button-info.ts';
import type { CompiledRelease } from './compile.ts';
import type { EventPress, FlowEvent, IncomingEvent } from './event-types.ts';
import { isIncoming } from './event-view.ts';
import type { Move } from './runner.ts';
import { type Caught, findButtonTrigger, findFallback, findTrigger } from './triggers.ts';
import type { Turn } from './turn.ts';
import { readOwn } from './values.ts';

/** Where a turn begins. */
export type Route =
  /** At a block, leaving whatever was going on. */
  | { readonly to: 'start'; readonly at: string }
  /** At a block, coming back to what is going on if that block's way ends at rest. */
  | { readonly to: 'aside'; readonly at: string }
  /** The block that waits took the event. */
  | { readonly to: 'resume'; readonly move: Move }
  | { readonly to: 'outOfDate' }
  | { readonly to: 'nowhere'; readonly reason: string };

const nowhere = (reason: string): Route => ({ to: 'nowhere', reason });

/** Chooses the way of an event. `current` is the release that new conversations begin with. */
export function route(turn: Turn, current: CompiledRelease): Route {
  const { event } = turn;
  if (!isIncoming(event)) return routeInternal(turn, event);
  // Two bots that answer each other never stop.
  if (event.user?.isBot && event.kind !== 'member') return nowhere('it was written by a bot');
  if (event.kind === 'language') return nowhere('another language was chosen in the app');
  if (event.kind === 'button') return routePress(turn, event, current);
  return (
    routeReplyLabel(turn, event) ??
    routeTrigger(turn, event, current, true) ??
    routeWaiting(turn) ??
    routeTrigger(turn, event, current, false) ??
    routeFallback(turn, event, current) ??
    nowhere('no trigger fits and no block waits for it')
  );
}

function routeInternal(turn: Turn, event: Exclude<FlowEvent, IncomingEvent>): Route {
  if (event.kind !== 'blocked') return routeWaiting(turn) ?? nowhere('the conversation has moved on');
  const block = turn.release.blocks.get(event.block);
  const at = block?.exits.get('blocked');
  if (at === undefined) return nowhere('nothing was planned for a message that cannot be delivered');
  const way = taken(turn, event.block, 'blocked', at);
  // That somebody else was not told must not end what goes on with this person.
  return block?.type === 'notify' ? { to: 'aside', at } : way;
}

function taken(turn: Turn, from: string, exit: string, at: string): Route {
  turn.note(from, 'exit', exit);
  return { to: 'start', at };
}

function routePress(turn: Turn, event: IncomingEvent, current: CompiledRelease): Route {
  const press = event.press;
  if (!press) return nowhere('a press without a button');
  if (press.use === 'foreign')
    return routeTrigger(turn, event, current, true) ?? routeTrigger(turn, event, current, false) ?? { to: 'outOfDate' };
  const info = buttonInfo(turn.release, press.block, press.button);
  if (!info || (press.use === 'again' && !info.repeats)) return { to: 'outOfDate' };
  const block = turn.release.blocks.get(press.block);
  if (block?.type === 'input') return routeChoice(turn, press);
  const at = block?.exits.get(press.button);
  if (at !== undefined) return taken(turn, press.block, press.button, at);
  const caught = findButtonTrigger(turn.release.triggers, press.block, press.button);
  return caught ? begin(turn, caught, turn.release) : nowhere('the button leads nowhere');
}

/** A choice counts only for the question that waits now. */
function routeChoice(turn: Turn, press: EventPress): Route {
  const { wait } = turn;
  const isPresent =
    wait?.block === press.block && (press.source === undefined || wait.asked === '' || press.source === wait.asked);
  return (isPresent ? routeWaiting(turn) : null) ?? { to: 'outOfDate' };
}

/** A key of a reply keyboard sends its words. Where several keyboards have the same words, the last one shown counts. */
function routeReplyLabel(turn: Turn, event: IncomingEvent): Route | null {
  const labels = event.kind === 'text' ? turn.release.replyLabels.get(evenWords(event.text)) : undefined;
  const label = labels?.find(({ block }) => block === turn.keyboard) ?? labels?.[0];
  if (!label) return null;
  const at = turn.release.blocks.get(label.block)?.exits.get(label.button);
  if (at !== undefined) return taken(turn, label.block, label.button, at);
  const caught = findButtonTrigger(turn.release.triggers, label.block, label.button);
  return caught ? begin(turn, caught, turn.release) : null;
}

function routeTrigger(turn: Turn, event: IncomingEvent, current: CompiledRelease, interrupting: boolean): Route | null {
  const caught = findTrigger(current.triggers, event, {
    interrupting,
    botUsername: turn.botUsername,
    meter: turn.meter,
  });
  return caught ? begin(turn, caught, current) : null;
}

/** A trigger begins anew, so it begins with the current release. */
function begin(turn: Turn, { trigger, taken: value }: Caught, release: CompiledRelease): Route {
  if (turn.release !== release) turn.switchTo(release);
  turn.note(trigger.id, trigger.type);
  if (trigger.into !== '') {
    const reason = turn.set(trigger.into, value);
    if (reason !== null) turn.note(trigger.id, trigger.type, undefined, reason);
  }
  if (trigger.fields.length > 0) keepFields(turn, trigger);
  return { to: 'start', at: trigger.entry };
}

/** What the form holds now counts: a field that was left empty empties its variable. */
function keepFields(turn: Turn, { id, type, fields }: Caught['trigger']): void {
  const app = isIncoming(turn.event) ? turn.event.app : null;
  for (const [field, name] of fields) {
    const wanted = readOwn(turn.release.variables, name)?.type;
    const { said, own } = app ? valueFor(app, turn.release.document, field, wanted) : {};
    const reason = said === undefined || said === '' ? turn.clear(name) : turn.set(name, said, own);
    if (reason !== null) turn.note(id, type, undefined, reason);
  }
}

function routeWaiting(turn: Turn): Route | null {
  const block = turn.wait ? turn.release.blocks.get(turn.wait.block) : undefined;
  if (!block?.runner.resume) return null;
  turn.block = block;
  const move = block.runner.resume(turn, turn.event);
  turn.block = null;
  if (move === null) return null;
  turn.block = block;
  return { to: 'resume', move };
}

/** "I did not understand" must not end a pause or a question, so it runs aside. */
function routeFallback(turn: Turn, event: IncomingEvent, current: CompiledRelease): Route | null {
  if (!PERSONAL_KINDS.has(event.kind)) return null;
  const trigger = findFallback(current.triggers, event);
  const isPrivate = event.chat === null || event.chat.kind === 'private';
  const at = trigger?.entry ?? (isPrivate ? current.defaults.nothingMatched : null);
  if (at === null) return null;
  if (turn.wait === null && turn.release !== current) turn.switchTo(current);
  turn.note(trigger?.id ?? '', trigger ? 'fallback' : 'nothingMatched');
  return { to: 'aside', at };
}
