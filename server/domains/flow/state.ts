// The state after a turn. What did not change is the very object that was given, so that it costs no write.

import type { ConversationState, FlowState, StepResult } from './step-types.ts';
import type { Turn } from './turn.ts';
import { sameValue, sameVars, type Vars } from './values.ts';

/** Builds the new state out of a turn's draft and says exactly what of it is new. */
export function finishState(turn: Turn, before: FlowState): Pick<StepResult, 'state' | 'changed'> {
  const conversation = finishConversation(turn, before.conversation);
  const contact = finishContact(turn, before.contact);
  const bot = sameVars(turn.vars.bot, before.bot.vars) ? before.bot : { ...before.bot, vars: turn.vars.bot };
  const changed = {
    conversation: conversation !== before.conversation,
    contact: contact !== before.contact,
    bot: bot !== before.bot,
  };
  const state = changed.conversation || changed.contact || changed.bot ? { conversation, contact, bot } : before;
  return { state, changed };
}

function finishConversation(turn: Turn, before: ConversationState | null): ConversationState | null {
  const { wait, refs, keyboard } = turn;
  const vars = turn.vars.conversation;
  const stack = wait === null ? [] : turn.stack;
  const isEmpty = wait === null && keyboard === '' && Object.keys(vars).length === 0 && Object.keys(refs).length === 0;
  if (isEmpty) return before !== null && isBlank(before) ? before : null;
  const after: ConversationState = {
    release: wait === null ? 0 : turn.release.number,
    wait,
    stack,
    vars,
    refs,
    keyboard,
    ...(turn.place === 'channel' ? { channel: true as const } : {}),
  };
  return before !== null && sameConversation(before, after) ? before : after;
}

/** A state that says nothing but is there: writing null in its place would be a write for nothing. */
function isBlank(state: ConversationState): boolean {
  return (
    state.wait === null &&
    state.release === 0 &&
    state.keyboard === '' &&
    state.stack.length === 0 &&
    Object.keys(state.vars).length === 0 &&
    Object.keys(state.refs).length === 0
  );
}

function sameConversation(left: ConversationState, right: ConversationState): boolean {
  return (
    left.release === right.release &&
    left.keyboard === right.keyboard &&
    sameValue(left.wait ?? '', right.wait ?? '') &&
    sameValue(left.stack, right.stack) &&
    sameVars(left.refs as unknown as Vars, right.refs as unknown as Vars) &&
    sameVars(left.vars, right.vars)
  );
}

function finishContact(turn: Turn, before: FlowState['contact']): FlowState['contact'] {
  const same =
    turn.chosenLocale === before.locale &&
    sameValue(turn.tags, before.tags) &&
    sameVars(turn.vars.contact, before.vars);
  return same ? before : { ...before, vars: turn.vars.contact, tags: turn.tags, locale: turn.chosenLocale };
}
