// One turn: an event goes its way through the blocks until the conversation rests or waits.

import { FLOW_LIMITS } from '../../../contract/limits.ts';
import { outOfDate } from './button-info.ts';
import type { CompiledRelease } from './compile.ts';
import type { FlowEvent } from './event-types.ts';
import { type Route, route } from './route.ts';
import type { CompiledBlock, Move } from './runner.ts';
import { failMove } from './runner.ts';
import { finishState } from './state.ts';
import type { Answer, FlowState, StepResult } from './step-types.ts';
import { AnswerMissing, LimitPassed } from './stops.ts';
import { Turn } from './turn.ts';

/** Room kept for the card "something went wrong" after a limit was passed. */
const RESERVE = { blocks: 20, effects: 5 } as const;

/**
 * One turn. `release` is the one the conversation goes on with (`releaseOf`), `current` the published one where that differs:
 * triggers begin with it. `event.random` is in [0,1). `answers` are those to what the step has asked of tables so far,
 * in order. The same arguments always give the same answer. Never throws.
 */
export function step(
  release: CompiledRelease,
  state: FlowState,
  event: FlowEvent & { readonly random: number },
  current: CompiledRelease = release,
  answers: readonly Answer[] = [],
): StepResult {
  const turn = new Turn(release, state, event, event.random, answers);
  try {
    const outcome = take(turn, current);
    turn.answerLate();
    const { effects, trace } = turn;
    return { ...finishState(turn, state), effects, trace, outcome, release: turn.release.number };
  } catch (error) {
    const changed = { conversation: false, contact: false, bot: false };
    const nothing = { state, changed, effects: [], trace: turn.trace };
    if (error instanceof AnswerMissing)
      return { ...nothing, outcome: 'handled', release: turn.release.number, asks: error.ask };
    // A bug of ours: nothing of this turn stands.
    turn.note(turn.block?.id ?? '', 'fault', undefined, messageOf(error));
    return { ...nothing, outcome: 'fault', release: release.number, bug: messageOf(error) };
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

function take(turn: Turn, current: CompiledRelease): StepResult['outcome'] {
  try {
    const way = route(turn, current);
    return follow(turn, way);
  } catch (error) {
    if (!(error instanceof LimitPassed)) throw error;
    return stopAtLimit(turn, error);
  }
}

function follow(turn: Turn, way: Route): StepResult['outcome'] {
  switch (way.to) {
    case 'start':
      leave(turn);
      runFrom(turn, way.at);
      return 'handled';
    case 'aside':
      runAside(turn, way.at);
      return 'handled';
    case 'resume':
      if (way.move.to === 'wait') turn.note(turn.wait?.block ?? '', 'wait');
      else {
        const block = turn.block as CompiledBlock;
        turn.leaveWait();
        runFrom(turn, afterMove(turn, block, way.move));
      }
      return 'handled';
    case 'outOfDate':
      turn.note('', 'ignored', undefined, 'the button is out of date');
      refusePress(turn);
      return 'ignored';
    case 'nowhere':
      turn.note('', 'ignored', undefined, way.reason);
      return 'ignored';
  }
}

/** Whatever was going on is over. */
function leave(turn: Turn): void {
  turn.stack = [];
  turn.leaveWait();
}

/** Runs blocks without ending what waits, unless they come to wait themselves. */
function runAside(turn: Turn, at: string): void {
  const { wait, stack } = turn;
  turn.wait = null;
  turn.stack = [];
  runFrom(turn, at);
  if (wait === null) return;
  if (turn.wait === null && !turn.ended) {
    turn.wait = wait;
    turn.stack = stack;
  } else if (wait.timer !== '') turn.emit({ type: 'cancelTimer', id: wait.timer });
}

/** Runs block after block. null: the conversation waits or has come to its end. */
function runFrom(turn: Turn, from: string | null): void {
  let at = from;
  while (at !== null) {
    if (at === '') {
      at = backToCaller(turn);
      continue;
    }
    const block = turn.release.blocks.get(at);
    if (!block) {
      turn.note(at, 'rest', undefined, 'there is no such block');
      return;
    }
    if (turn.blocksLeft <= 0) throw new LimitPassed(`more than ${FLOW_LIMITS.blocksPerTurn} blocks in one turn`);
    turn.blocksLeft -= 1;
    turn.block = block;
    at = afterMove(turn, block, runBlock(turn, block));
  }
}

function runBlock(turn: Turn, block: CompiledBlock): Move {
  try {
    return block.runner.run(turn);
  } catch (error) {
    if (error instanceof LimitPassed || error instanceof AnswerMissing) throw error;
    return failMove(messageOf(error));
  }
}

/** At the end of a card a subflow returns; without one the conversation rests. */
function backToCaller(turn: Turn): string | null {
  const caller = turn.stack.pop();
  if (caller === undefined) return null;
  turn.note(caller, 'return', 'next');
  return turn.release.blocks.get(caller)?.exits.get('next') ?? '';
}

function afterMove(turn: Turn, block: CompiledBlock, move: Move): string | null {
  switch (move.to) {
    case 'wait':
      turn.note(block.id, block.type, undefined, 'waits');
      return null;
    case 'exit':
      return afterExit(turn, block, move.exit);
    case 'call':
      return enterSubflow(turn, block);
    case 'end':
      turn.note(block.id, block.type, move.what);
      return move.what === 'subflow' ? '' : endConversation(turn);
    case 'fail':
      turn.note(block.id, block.type, 'error', move.reason);
      return block.exits.get('error') ?? goWrong(turn);
  }
}

function afterExit(turn: Turn, block: CompiledBlock, exit: string): string {
  turn.note(block.id, block.type, exit);
  return block.exits.get(exit) ?? '';
}

function enterSubflow(turn: Turn, block: CompiledBlock): string {
  if (turn.stack.length >= FLOW_LIMITS.callDepth)
    throw new LimitPassed(`more than ${FLOW_LIMITS.callDepth} subflows within each other`);
  turn.note(block.id, block.type, 'call');
  turn.stack.push(block.id);
  return block.exits.get('call') ?? '';
}

/** The conversation is over: what it remembered goes, and the card for that runs, once. */
function endConversation(turn: Turn): string | null {
  turn.stack = [];
  turn.vars.conversation = {};
  turn.refs = {};
  turn.keyboard = '';
  const { ended } = turn.release.defaults;
  if (turn.ended || ended === null) {
    turn.ended = true;
    return null;
  }
  turn.ended = true;
  turn.note('', 'ended');
  return ended;
}

/** Nothing was planned for a failure: the card for that runs, once a turn. */
function goWrong(turn: Turn): string | null {
  turn.stack = [];
  const { wentWrong } = turn.release.defaults;
  if (turn.failed || wentWrong === null) return null;
  turn.failed = true;
  turn.note('', 'wentWrong');
  return wentWrong;
}

/** What was done stands, the conversation rests, and the person hears that something went wrong. */
function stopAtLimit(turn: Turn, limit: LimitPassed): 'fault' {
  turn.note(turn.block?.id ?? '', 'fault', undefined, limit.message);
  turn.wait = null;
  turn.blocksLeft = RESERVE.blocks;
  turn.effectsLeft = RESERVE.effects;
  try {
    runFrom(turn, goWrong(turn));
  } catch (error) {
    if (!(error instanceof LimitPassed)) throw error;
    turn.stack = [];
    turn.wait = null;
  }
  return 'fault';
}

function refusePress(turn: Turn): void {
  if (turn.mayAnswer()) turn.answer({ text: outOfDate(turn.release, turn.locale), outOfDate: true });
}
