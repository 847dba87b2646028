import type { Db } from '../../../kernel/db.ts';
import { isDatabaseFault } from '../../../kernel/errors.ts';
import type { Kit } from '../../../kernel/kit.ts';
import { type BotEntry, openableAddress } from '../bots/bots.ts';
import {
  buttonInfo,
  type CompiledRelease,
  type FlowEvent,
  releaseOf,
  type TableAnswer,
  type TableAsk,
} from '../flow/flow.ts';
import { loneLineBase } from '../outbox/outbox.ts';
import type { BotQueue, Item, Lane } from './lanes.ts';
import { findButton, type PressMint } from './presses.ts';
import { speakingChat } from './reach.ts';
import { distinctParts, hasSeen, isLate, messagesOf } from './seen.ts';
import { findPresses } from './sql.ts';
import type { States } from './states.ts';
import { needOf, parsed, readEvent, resolvePress, runTurn, type Turn } from './turn.ts';

export type PrepareDeps = {
  kit: Kit;
  db: Db;
  bots: { byId(id: number): BotEntry | undefined };
  releases: { get(projectId: number, number: number): CompiledRelease | Promise<CompiledRelease> };
  mint: PressMint;
  /** Where the app of a bot's project stands; from memory, since every turn of a release that has one asks. */
  appAddress(integrationId: number): string | undefined;
};

/** Does what a turn asks of a table, in the transaction in which the turn is committed. */
export type Answering = (bot: BotEntry, release: CompiledRelease, ask: TableAsk) => Promise<TableAnswer>;

/** The updates of one turn, of one lane. */
export type Chosen = { queue: BotQueue; lane: Lane; items: readonly Item[] };

/**
 * Reads what the chosen updates need and runs their turns in memory; nothing is written yet. Later turns of a batch
 * go on from the states that earlier ones leave. Without `answering`, turns that use tables are left without a result.
 */
export async function prepareTurns(
  deps: PrepareDeps,
  states: States,
  chosen: readonly Chosen[],
  answering?: Answering,
): Promise<Turn[]> {
  const turns = chosen.map((one) => open(deps, one));
  const current = await Promise.all(turns.map(({ bot }) => currentRelease(deps, bot)));
  for (const [index, turn] of turns.entries()) {
    const release = current[index];
    if (release) turn.need = needOf(turn.bot, release, turn.event);
  }
  await states.load(turns.flatMap((turn) => turn.need ?? []));
  for (const turn of turns) follow(turn, states);
  const used = await usedPresses(deps.db, turns);
  // Of people it is known from their contacts.
  await states.loadReach(turns.flatMap(({ bot, event }) => chatsOf(bot, [speakingChat(event) ?? 0], isGroup)));
  for (const [index, turn] of turns.entries()) await run({ ...deps, answering }, states, turn, current[index], used);
  await states.loadReach(
    turns.flatMap(({ bot, need, result }) => {
      const others = result?.writes.messages.map(({ chatId }) => chatId) ?? [];
      return chatsOf(bot, others, (chatId) => chatId !== need?.contactId && chatId < loneLineBase);
    }),
  );
  return turns;
}

const isGroup = (chatId: number): boolean => chatId < 0;

const chatsOf = (bot: BotEntry, chatIds: readonly number[], wanted: (chatId: number) => boolean) =>
  chatIds.filter(wanted).map((chatId) => ({ integrationId: bot.id, chatId }));

function open({ bots, mint, kit }: PrepareDeps, { queue, lane, items }: Chosen): Turn {
  const bot = bots.byId(queue.id);
  if (!bot) throw new Error(`The bot ${queue.id} is not known to this process.`);
  const parts = distinctParts(items, parsed);
  const read = readEvent(parts);
  const messages = messagesOf(parts.map(parsed));
  const data = pressData(read);
  const opened = data === undefined ? undefined : mint.open(bot, data, kit.now());
  const press = opened && data !== undefined ? { token: data, opened } : undefined;
  // Of an old message Telegram does not say in which topic it stands.
  const threadId = opened?.threadId ?? 0;
  const event = threadId !== 0 && 'thread' in read && read.thread === 0 ? { ...read, thread: threadId } : read;
  return { queue, lane, items, bot, event, messages, press, need: undefined, asks: false, result: undefined };
}

/** The conversation goes on where its group went; timers and reports name the chat that they were asked for in. */
function follow(turn: Turn, states: States): void {
  const need = turn.need && states.current(turn.need);
  if (!need || need === turn.need) return;
  turn.need = need;
  if ('conversation' in turn.event) turn.event = { ...turn.event, conversation: need.conversation };
}

const pressData = (event: FlowEvent): string | undefined =>
  event.kind === 'button' && 'press' in event ? event.press?.data : undefined;

/** Which tokens among these were pressed before. */
async function usedPresses(db: Db, turns: readonly Turn[]): Promise<Set<string>> {
  const presses = turns.flatMap(({ bot, press }) => (press ? [{ integrationId: bot.id, token: press.token }] : []));
  if (presses.length === 0) return new Set();
  const rows = await findPresses(db, presses);
  return new Set(rows.map((row) => `${row.integration_id} ${row.token}`));
}

/** A conversation under way keeps its release; a button is looked up in the one that made it. */
async function run(
  deps: PrepareDeps & { answering: Answering | undefined },
  states: States,
  turn: Turn,
  current: CompiledRelease | undefined,
  used: Set<string>,
): Promise<void> {
  const { need, bot } = turn;
  if (!current || !need) {
    turn.result = ignored('nothing is published');
    return;
  }
  const { state, seen } = states.conversation(need);
  if (hasSeen(seen, turn.messages)) {
    turn.result = ignored('this message has come before, under another update_id');
    return;
  }
  if (isLate(seen, turn.messages)) {
    turn.result = ignored('a part of an album that was answered before this part came');
    return;
  }
  const number = releaseOf(state);
  const own = number === null || number === current.number ? current : await deps.releases.get(bot.project.id, number);
  const singleUse = pressData(turn.event) !== undefined && (await resolve(deps, turn, state?.wait?.asked ?? '', used));
  const appAddress = hasApp(own) || hasApp(current) ? openableAddress(deps.appAddress(bot.id), bot.apiRoot) : undefined;
  const answers: TableAnswer[] = [];
  for (;;) {
    const given = { mint: deps.mint, singleUse, answers, appAddress };
    const result = runTurn(turn, { own, current }, states, given);
    if (!('asks' in result)) {
      turn.result = result;
      return;
    }
    turn.asks = deps.answering === undefined;
    if (!deps.answering) return;
    answers.push(await deps.answering(bot, result.release, result.asks));
  }
}

const hasApp = (release: CompiledRelease): boolean => release.document.app !== undefined;

/** Says what a press means; true when it uses its button up. */
async function resolve(deps: PrepareDeps, turn: Turn, asked: string, used: Set<string>): Promise<boolean> {
  const { bot, press } = turn;
  const maker = press ? await makerOf(deps, bot, press.opened.releaseNumber) : undefined;
  const button = press && maker ? findButton(maker, press.opened.button) : undefined;
  if (!press || !maker || !button) {
    turn.event = resolvePress(turn.event, undefined, asked);
    return false;
  }
  const name = `${bot.id} ${press.token}`;
  turn.event = resolvePress(turn.event, { button, opened: press.opened, used: used.has(name) }, asked);
  const singleUse = buttonInfo(maker, button.block, button.button)?.repeats === false;
  // A second press of the same token within this batch finds it used.
  if (singleUse) used.add(name);
  return singleUse;
}

function currentRelease(
  { releases }: PrepareDeps,
  bot: BotEntry,
): CompiledRelease | Promise<CompiledRelease> | undefined {
  const number = bot.project.releaseNumber;
  return number === null ? undefined : releases.get(bot.project.id, number);
}

/** The release that made a button; one that does not exist makes the button foreign. */
async function makerOf({ releases }: PrepareDeps, bot: BotEntry, number: number): Promise<CompiledRelease | undefined> {
  try {
    return await releases.get(bot.project.id, number);
  } catch (error) {
    if (isDatabaseFault(error)) throw error;
    return undefined;
  }
}

/** An update that is not given to the flow at all. */
function ignored(why: string): NonNullable<Turn['result']> {
  return {
    outcome: 'ignored',
    trace: JSON.stringify({ outcome: 'ignored', why }),
    writes: { messages: [], timers: [], cancelled: [] },
    usedPress: undefined,
    contact: undefined,
    conversation: undefined,
    botMemory: undefined,
    migration: undefined,
    reach: undefined,
  };
}
