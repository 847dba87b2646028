import { chanceOf } from '../../../kernel/names.ts';
import { type BotEntry, openableAddress } from '../bots/bots.ts';
import { type Profile, profileText } from '../contacts/contacts.ts';
import {
  type Answer,
  type Ask,
  type CompiledRelease,
  conversationKey,
  type FlowEvent,
  type StepResult,
  step,
} from '../flow/flow.ts';
import type { PressMint } from './presses.ts';
import { speakingChat } from './reach.ts';
import { withSeen } from './seen.ts';
import type { ReadyTurn, TurnResult } from './stages.ts';
import type { KeptContact, StateNeed, States } from './states.ts';
import { addOutcome, type Outcome, writesOf } from './writes/writes.ts';

/** What a turn is given beside its event. */
export type Given = {
  readonly mint: PressMint;
  /** The release that its conversation goes on with: its own while it waits, else the current one. */
  readonly own: CompiledRelease;
  /** The button that was pressed may be pressed once. */
  readonly singleUse: boolean;
  readonly answers: readonly Answer[];
  readonly appAddress: string | undefined;
};

/** A turn that cannot go on before its question has an answer; `release` is the one that asks. */
export type Asking = { readonly ask: Ask; readonly release: CompiledRelease };

/** Which states a turn reads. */
export function needOf(bot: BotEntry, release: CompiledRelease, event: FlowEvent): StateNeed {
  const conversation = conversationKey(release, event);
  const contactId = ('user' in event && event.user?.id) || conversation.userId || conversation.chatId;
  return { integrationId: bot.id, contactId, conversation, botMemory: hasBotVariables(release) };
}

const botVariables = new WeakMap<CompiledRelease, boolean>();

/** Whether a release has variables that all its conversations share; looked up once a release. */
function hasBotVariables(release: CompiledRelease): boolean {
  let has = botVariables.get(release);
  if (has === undefined) {
    has = Object.values(release.document.variables ?? {}).some((variable) => variable.scope === 'bot');
    botVariables.set(release, has);
  }
  return has;
}

/**
 * Runs one turn against the states in memory and leaves them as it makes them, so that later turns of the same
 * batch go on from there. Pure but for those states; the same turn run again gives the same rows. One that asks
 * leaves everything as it was, and is run again with one answer more. Throws on a bug of the engine.
 */
export function runTurn(turn: ReadyTurn, states: States, given: Given): TurnResult | Asking {
  const { bot, event, need, current } = turn;
  const { own, appAddress } = given;
  const result = step(
    own,
    {
      conversation: states.conversation(need).state,
      contact: states.contact(need).state,
      bot: { ...states.bot(bot.id).state, ...botFacts(bot, appAddress) },
    },
    { ...event, random: chanceOf(`${bot.id} ${event.key}`) },
    current,
    given.answers,
  );
  // Tried again and, in the end, a dead letter: it can be put back once the engine is mended.
  if (result.bug !== undefined) throw new Error(`The flow engine failed: ${result.bug}`);
  const release = result.release === current.number ? current : own;
  if (result.asks) return { ask: result.asks, release };
  const writes = writesOf(settingOf(turn, release, given.mint), result.effects);
  const chatId = speakingChat(event);
  const closedFor = chatId === undefined ? undefined : states.reach.reasonOf(bot.id, chatId);
  const after = stateAfter(turn, states, result);
  addOutcome(writes, { turn, step: result, release, singleUse: given.singleUse, closedFor, after });
  remember(turn, states, after);
  return {
    outcome: result.outcome,
    trace: JSON.stringify({ release: release.number, outcome: result.outcome, steps: result.trace }),
    writes,
  };
}

const settingOf = ({ bot, need, event }: ReadyTurn, release: CompiledRelease, mint: PressMint) => ({
  bot,
  release,
  conversation: need.conversation,
  atMs: event.atMs,
  mint,
  inChannel: 'chat' in event && event.chat?.kind === 'channel',
  blockedDepth: event.kind === 'blocked' ? (event.depth ?? 1) : 0,
});

type BotFacts = { username: string; app?: { address: string }; plainHttp?: true };

function botFacts(bot: BotEntry, appAddress: string | undefined): BotFacts {
  return {
    username: bot.username,
    ...(appAddress === undefined ? {} : { app: { address: appAddress } }),
    ...(openableAddress('http://', bot.apiRoot) === undefined ? {} : { plainHttp: true }),
  };
}

function stateAfter(turn: ReadyTurn, states: States, { state, changed }: StepResult): Outcome['after'] {
  const { bot, need } = turn;
  const conversation = states.conversation(need);
  const contact = contactAfter(turn, states.contact(need), changed.contact ? state.contact : undefined);
  return {
    ...(contact === undefined ? {} : { contact }),
    conversation: {
      state: state.conversation,
      seen: withSeen(conversation.seen, turn.messages),
      version: conversation.version,
    },
    ...(changed.bot ? { memory: { state: { vars: state.bot.vars }, version: states.bot(bot.id).version } } : {}),
  };
}

function remember({ bot, need }: ReadyTurn, states: States, { contact, conversation, memory }: Outcome['after']): void {
  if (contact) states.setContact(need, contact);
  if (conversation) states.setConversation(need, conversation);
  if (memory) states.setBot(bot.id, memory);
}

const seenEveryMs = 24 * 3_600_000;

/** A contact is written when it is new, when something about it changed, or when it was last seen a day ago. */
function contactAfter(
  { event }: ReadyTurn,
  kept: KeptContact,
  changed: KeptContact['state'] | undefined,
): KeptContact | undefined {
  const profile = profileOf(event) ?? kept.profile;
  const stale = event.atMs - kept.seenMs > seenEveryMs;
  if (!changed && kept.version > 0 && profile === kept.profile && !stale) return undefined;
  const state = { ...(changed ?? kept.state), ...(profile === '' ? {} : (JSON.parse(profile) as Profile)) };
  return { state, version: kept.version, profile, seenMs: event.atMs };
}

function profileOf(event: FlowEvent): string | undefined {
  return 'user' in event && event.user ? profileText(event.user) : undefined;
}
