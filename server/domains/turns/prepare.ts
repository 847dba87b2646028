import type { Db } from '../../../kernel/db.ts';
import type { Kit } from '../../../kernel/kit.ts';
import { type BotEntry, openableAddress } from '../bots/bots.ts';
import { type Answer, type Ask, type CompiledRelease, releaseOf } from '../flow/flow.ts';
import { loneLineBase } from '../outbox/outbox.ts';
import type { Asked } from './asks/kinds.ts';
import { openTurn } from './opening.ts';
import type { PressMint } from './presses.ts';
import { type Releases, resolvePress, usedPresses } from './pressing.ts';
import { speakingChat } from './reach.ts';
import { type Asking, needOf, runTurn } from './running.ts';
import { hasSeen, isLate } from './seen.ts';
import type { Chosen, DoneTurn, OpenedTurn, ReadyTurn, TurnResult } from './stages.ts';
import type { States } from './states.ts';
import { noWrites } from './writes/writes.ts';

export type PrepareDeps = {
  kit: Kit;
  db: Db;
  bots: { byId(id: number): BotEntry | undefined };
  releases: Releases;
  mint: PressMint;
  /** Where the app of a bot's project stands; from memory, since every turn of a release that has one asks. */
  appAddress(integrationId: number): string | undefined;
};

/** Answers questions of turns, in the transaction in which the turns are committed: one answer each, in order. */
export type Answering = (asked: readonly Asked[]) => Promise<readonly Answer[]>;

/** What became of the chosen updates: turns that are done, and those that ask something first, by what they ask. */
export type Prepared = { readonly done: readonly DoneTurn[]; readonly asking: ReadonlyMap<Chosen, Ask['kind']> };

/** A turn as it is run: again and again, each time with one answer more, until it asks nothing. */
type Run = {
  readonly chosen: Chosen;
  readonly turn: OpenedTurn;
  readonly answers: Answer[];
  readonly again: (answers: readonly Answer[]) => TurnResult | Asking;
  result: TurnResult | Asking;
};

/**
 * Reads what the chosen updates need and runs their turns in memory; nothing is written yet. Later turns of a batch
 * go on from the states that earlier ones leave. Without `answering`, turns that ask are left as they are.
 */
export async function prepareTurns(
  deps: PrepareDeps,
  states: States,
  chosen: readonly Chosen[],
  answering?: Answering,
): Promise<Prepared> {
  const opened = chosen.map((one) => openTurn(one, botOf(deps, one), deps.mint, deps.kit.now()));
  const turns = await readyTurns(deps, states, opened);
  const used = await usedPresses(deps.db, opened);
  // Of people it is known from their contacts.
  await states.loadReach(opened.flatMap(({ bot, event }) => chatsOf(bot, [speakingChat(event) ?? 0], isGroup)));
  const runs: Run[] = [];
  for (const [index, one] of chosen.entries()) {
    const { turn, again } = await begin(deps, states, turns[index] as OpenedTurn | ReadyTurn, used);
    runs.push({ chosen: one, turn, answers: [], again, result: again([]) });
  }
  if (answering) await answerAll(runs, answering);
  const done = runs.flatMap(({ turn, result }) => ('ask' in result ? [] : [{ ...turn, result }]));
  const asking = runs.flatMap((run) => ('ask' in run.result ? [[run.chosen, run.result.ask.kind] as const] : []));
  await states.loadReach(done.flatMap(addressedChats));
  return { done, asking: new Map(asking) };
}

function botOf({ bots }: PrepareDeps, { queue }: Chosen): BotEntry {
  const bot = bots.byId(queue.id);
  if (!bot) throw new Error(`The bot ${queue.id} is not known to this process.`);
  return bot;
}

/** The turns in order; one whose bot has nothing published stays as it is. */
async function readyTurns(
  { releases }: PrepareDeps,
  states: States,
  opened: readonly OpenedTurn[],
): Promise<(OpenedTurn | ReadyTurn)[]> {
  const current = await Promise.all(
    opened.map(({ bot: { project } }) =>
      project.releaseNumber === null ? undefined : releases.get(project.id, project.releaseNumber),
    ),
  );
  const turns = opened.map((turn, index) => {
    const release = current[index];
    return release ? { ...turn, current: release, need: needOf(turn.bot, release, turn.event) } : turn;
  });
  await states.load(turns.flatMap((turn) => ('need' in turn ? turn.need : [])));
  return turns.map((turn) => ('need' in turn ? followed(turn, states) : turn));
}

/** The conversation goes on where its group went; timers and reports name the chat that they were asked for in. */
function followed(turn: ReadyTurn, states: States): ReadyTurn {
  const need = states.current(turn.need);
  if (need === turn.need) return turn;
  const { event } = turn;
  return { ...turn, need, event: 'conversation' in event ? { ...event, conversation: need.conversation } : event };
}

/** What is run, and how; a turn that is not given to the flow at all only says why. */
async function begin(
  { releases, mint, appAddress }: PrepareDeps,
  states: States,
  opened: OpenedTurn | ReadyTurn,
  used: Set<string>,
): Promise<Pick<Run, 'turn' | 'again'>> {
  if (!('need' in opened)) return ignored(opened, 'nothing is published');
  const { bot, messages, current, need } = opened;
  const { state, seen } = states.conversation(need);
  if (hasSeen(seen, messages)) return ignored(opened, 'this message has come before, under another update_id');
  if (isLate(seen, messages)) return ignored(opened, 'a part of an album that was answered before this part came');
  const number = releaseOf(state);
  const own = number === null || number === current.number ? current : await releases.get(bot.project.id, number);
  const { event, singleUse } = await resolvePress(releases, opened, state?.wait?.asked ?? '', used);
  const turn = { ...opened, event };
  const address = hasApp(own) || hasApp(current) ? openableAddress(appAddress(bot.id), bot.apiRoot) : undefined;
  const given = { mint, own, singleUse, appAddress: address };
  return { turn, again: (answers) => runTurn(turn, states, { ...given, answers }) };
}

const hasApp = (release: CompiledRelease): boolean => release.document.app !== undefined;

/** In rounds: all questions that are open at once are answered together, and those who asked go on. */
async function answerAll(runs: readonly Run[], answering: Answering): Promise<void> {
  for (;;) {
    const open = runs.flatMap((run) => ('ask' in run.result ? [{ run, asking: run.result }] : []));
    if (open.length === 0) return;
    const answers = await answering(open.map(({ run, asking }) => ({ bot: run.turn.bot, ...asking })));
    for (const [index, { run }] of open.entries()) {
      run.answers.push(answers[index] as Answer);
      run.result = run.again(run.answers);
    }
  }
}

const isGroup = (chatId: number): boolean => chatId < 0;

const chatsOf = (bot: BotEntry, chatIds: readonly number[], wanted: (chatId: number) => boolean) =>
  chatIds.filter(wanted).map((chatId) => ({ integrationId: bot.id, chatId }));

/** Other chats than its own that a turn writes to. */
function addressedChats(turn: DoneTurn | (DoneTurn & ReadyTurn)): { integrationId: number; chatId: number }[] {
  const own = 'need' in turn ? turn.need.contactId : undefined;
  const chatIds = turn.result.writes.messages.map(({ chatId }) => chatId);
  return chatsOf(turn.bot, chatIds, (chatId) => chatId !== own && chatId < loneLineBase);
}

function ignored(turn: OpenedTurn, why: string): Pick<Run, 'turn' | 'again'> {
  const trace = JSON.stringify({ outcome: 'ignored', why });
  return { turn, again: () => ({ outcome: 'ignored', trace, writes: noWrites() }) };
}
