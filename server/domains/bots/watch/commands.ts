// The lists of commands of a bot, told as its menu button is: only where something has changed here.
import { type BotAddress, type Failure, verdict } from '../../telegram/telegram.ts';
import {
  type CommandList,
  type CommandsDecision,
  decideCommands,
  type PendingList,
  pendingLists,
  placeOf,
  type ToldCommands,
  type ToldList,
  toldAfter,
} from '../command-rules.ts';
import type { BotsDeps } from '../deps.ts';

/** A bot whose lists are looked at. */
type CommandsOf = {
  readonly publicId: string;
  readonly address: BotAddress;
  readonly told: ToldCommands;
};

/**
 * Makes the lists at Telegram those that are wanted, and gives what was told with the failure that it ended with: one list
 * that Telegram refuses for good does not stand in the way of the others.
 */
export async function attendCommands(
  deps: Pick<BotsDeps, 'telegram' | 'kit'>,
  bot: CommandsOf,
  wanted: readonly CommandList[],
): Promise<{ told: ToldCommands; failure: Failure | undefined }> {
  const told: { [list: string]: ToldList } = { ...bot.told };
  let refusal: Failure | undefined;
  for (const list of pendingLists(wanted, bot.told)) {
    const { after, failure } = await attendList(deps, bot, list);
    if (failure && !isFinal(failure)) return { told, failure };
    refusal = failure ?? refusal;
    if (after.hash === null && after.replaced === 0) delete told[list.name];
    else told[list.name] = after;
  }
  return { told, failure: refusal };
}

/** True for what Telegram will go on refusing. */
export const isFinal = (failure: Failure): boolean => verdict('setMyCommands', failure).kind === 'permanent';

async function attendList(
  deps: Pick<BotsDeps, 'telegram' | 'kit'>,
  bot: CommandsOf,
  list: PendingList,
): Promise<{ after: ToldList; failure?: Failure }> {
  const present = await deps.telegram.call(bot.address, 'getMyCommands', placeOf(list));
  if (present.kind !== 'ok') return { after: list.known, failure: present };
  const decision = decideCommands(list, present.result);
  const failure = await carryOut(deps, bot.address, list, decision);
  if (failure) return { after: list.known, failure };
  deps.kit.log.info({ bot: bot.publicId, list: list.name }, eventOf(decision));
  return { after: toldAfter(list, decision) };
}

/** A lost answer is asked once more: the same list again changes nothing. */
async function carryOut(
  { telegram }: Pick<BotsDeps, 'telegram'>,
  address: BotAddress,
  list: PendingList,
  decision: CommandsDecision,
): Promise<Failure | undefined> {
  if (decision.kind === 'keep' || decision.kind === 'leave') return undefined;
  const place = placeOf(list);
  const once = () =>
    decision.kind === 'set'
      ? telegram.call(address, 'setMyCommands', { ...place, commands: [...(list.wanted ?? [])] })
      : telegram.call(address, 'deleteMyCommands', place);
  let outcome = await once();
  if (outcome.kind === 'doubtful') outcome = await once();
  return outcome.kind === 'ok' ? undefined : outcome;
}

function eventOf(decision: CommandsDecision): string {
  if (decision.kind === 'set') return decision.replaces ? 'bot.commands_replaced' : 'bot.commands_set';
  return { remove: 'bot.commands_removed', keep: 'bot.commands_kept', leave: 'bot.commands_left' }[decision.kind];
}
