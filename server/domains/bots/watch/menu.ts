// The menu button of a bot opens the app of its project. Looked at only when something about it has changed here, never
// in turn, so that a button that somebody sets by hand is at worst replaced once.
import type { MenuButton } from '@grammyjs/types';
import type { Kit } from '../../../../kernel/kit.ts';
import type { BotAddress, Failure } from '../../telegram/telegram.ts';
import { verdict } from '../../telegram/telegram.ts';
import type { BotsDeps } from '../deps.ts';
import type { AppBot } from '../directory.ts';
import { decideMenu, menuName, openableAddress, type WantedMenu } from '../menu-rules.ts';
import { retrySeconds } from '../rules.ts';
import { type OpenBot, openBot } from '../webhook.ts';
import type { MenuRow } from './sql.ts';
import * as watchStatements from './sql.ts';

/** Where the app of a bot's project stands, as `https://host/a/xyz`; undefined where nobody can reach it. */
export type AppAddress = (bot: AppBot) => string | undefined;

const brokenSeconds = 3_600;

/** Attends to one menu button that is due. False: none is. */
export async function attendMenu(deps: BotsDeps, appAddress: AppAddress): Promise<boolean> {
  const row = await watchStatements.nextMenu(deps.db);
  if (row === undefined) return false;
  const bot = await opened(deps, row);
  if (bot === undefined) return true;
  const failure = await carryOut(deps, row, bot.address, wantedMenu(deps, row, appAddress));
  if (failure) await failed(deps, row, failure);
  return true;
}

/** A row that does not open must not hold up the others. */
async function opened(deps: BotsDeps, row: MenuRow): Promise<OpenBot | undefined> {
  try {
    return openBot(deps, row);
  } catch (error) {
    await watchStatements.postponeMenu(deps.db, { id: row.id, seconds: brokenSeconds, due: true });
    deps.kit.log.error({ bot: row.public_id, err: error }, 'bot.seal_broken');
    return undefined;
  }
}

/** By the row, not by memory: a bot that was connected by a command a moment ago is not known there yet. */
function wantedMenu(deps: BotsDeps, row: MenuRow, appAddress: AppAddress): WantedMenu | undefined {
  const project = { publicId: row.project_public_id };
  const address = appAddress({ botId: row.bot_id, webhookBase: row.webhook_base, project });
  const url = openableAddress(address, row.api_root ?? deps.apiRootDefault);
  return url === undefined || row.menu_text === null ? undefined : { text: row.menu_text, url };
}

/** Tells Telegram, where there is something to tell, and remembers what it knows now. */
async function carryOut(
  deps: BotsDeps,
  row: MenuRow,
  address: BotAddress,
  wanted: WantedMenu | undefined,
): Promise<Failure | undefined> {
  const done = (told: string | null, replaced = row.menu_replaced): Promise<number> =>
    watchStatements.recordMenu(deps.db, { id: row.id, text: row.menu_text, told, replaced });
  if (menuName(wanted) === row.menu_told) {
    await done(row.menu_told);
    return undefined;
  }
  const present = await deps.telegram.call(address, 'getChatMenuButton', {});
  if (present.kind !== 'ok') return present;
  const decision = decideMenu(wanted, { told: row.menu_told, replaced: row.menu_replaced }, present.result);
  if (decision.kind === 'leave') {
    tell(deps.kit, row, 'bot.menu_left');
    await done(decision.told);
    return undefined;
  }
  const failure = await setMenu(deps, address, decision.button);
  if (failure) return failure;
  tell(deps.kit, row, decision.replaces ? 'bot.menu_replaced' : 'bot.menu_set');
  await done(menuName(wanted), row.menu_replaced + Number(decision.replaces));
  return undefined;
}

/** A lost answer is asked once more: the same button again changes nothing. */
async function setMenu(deps: BotsDeps, address: BotAddress, button: MenuButton): Promise<Failure | undefined> {
  let outcome = await deps.telegram.call(address, 'setChatMenuButton', { menu_button: button });
  if (outcome.kind === 'doubtful')
    outcome = await deps.telegram.call(address, 'setChatMenuButton', { menu_button: button });
  return outcome.kind === 'ok' ? undefined : outcome;
}

/** What Telegram refuses for good waits for the next change; everything else is tried again. */
async function failed(deps: BotsDeps, row: MenuRow, failure: Failure): Promise<void> {
  const meaning = verdict('setChatMenuButton', failure);
  const isFinal = meaning.kind === 'permanent' || meaning.kind === 'token_invalid';
  const seconds = meaning.kind === 'retry_later' ? meaning.seconds : retrySeconds(isFinal ? 10 : 3);
  await watchStatements.postponeMenu(deps.db, { id: row.id, seconds, due: !isFinal });
  deps.kit.log.warn({ bot: row.public_id, outcome: meaning.kind, seconds }, 'bot.menu_failed');
}

function tell(kit: Kit, row: MenuRow, event: string): void {
  kit.log.info({ bot: row.public_id }, event);
}
