// The menu of a bot: the button that opens the app of its project, and its commands. Looked at only when something about it
// has changed here, never in turn, so that what somebody sets by hand is at worst replaced once.
import type { MenuButton } from '@grammyjs/types';
import type { Kit } from '../../../../kernel/kit.ts';
import type { BotAddress, Failure } from '../../telegram/telegram.ts';
import { verdict } from '../../telegram/telegram.ts';
import type { ToldCommands } from '../command-rules.ts';
import type { BotsDeps } from '../deps.ts';
import type { AppBot } from '../directory.ts';
import { decideMenu, menuName, openableAddress, type WantedMenu } from '../menu-rules.ts';
import { retrySeconds } from '../rules.ts';
import { type OpenBot, openBot } from '../webhook.ts';
import { attendCommands, isFinal } from './commands.ts';
import type { MenuRow } from './sql.ts';
import * as watchStatements from './sql.ts';

/** Where the app of a bot's project stands, as `https://host/a/xyz`; undefined where nobody can reach it. */
export type AppAddress = (bot: AppBot) => string | undefined;

const brokenSeconds = 3_600;

/** Attends to the menu of one bot that is due: its button and its commands. False: none is. */
export async function attendMenu(deps: BotsDeps, appAddress: AppAddress): Promise<boolean> {
  const row = await watchStatements.nextMenu(deps.db);
  if (row === undefined) return false;
  const bot = await opened(deps, row);
  if (bot === undefined) return true;
  const button = await attendButton(deps, row, bot.address, wantedMenu(deps, row, appAddress));
  const before = row.commands_told ?? {};
  // Where Telegram refuses the button for good, that says nothing of the commands.
  const commands =
    button.failure !== undefined && !isFinal(button.failure)
      ? { told: before, failure: undefined }
      : await attendCommands(
          deps,
          { publicId: row.public_id, address: bot.address, told: before },
          row.menu_commands ?? [],
        );
  await settle(deps, row, button, commands);
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

type Button = { readonly told: string | null; readonly replaced: number; readonly failure?: Failure | undefined };

type ToldMenu = Pick<MenuRow, 'public_id' | 'menu_told' | 'menu_replaced'>;

/**
 * Tells Telegram, where there is something to tell, and gives what it knows now. Without a wanted one, the button goes if it
 * is ours.
 */
export async function attendButton(
  deps: Pick<BotsDeps, 'telegram' | 'kit'>,
  row: ToldMenu,
  address: BotAddress,
  wanted: WantedMenu | undefined,
): Promise<Button> {
  const before = { told: row.menu_told, replaced: row.menu_replaced };
  if (menuName(wanted) === row.menu_told) return before;
  const present = await deps.telegram.call(address, 'getChatMenuButton', {});
  if (present.kind !== 'ok') return { ...before, failure: present };
  const decision = decideMenu(wanted, before, present.result);
  if (decision.kind === 'leave') {
    tell(deps.kit, row, 'bot.menu_left');
    return { ...before, told: decision.told };
  }
  const failure = await setMenu(deps, address, decision.button);
  if (failure) return { ...before, failure };
  tell(deps.kit, row, decision.replaces ? 'bot.menu_replaced' : 'bot.menu_set');
  return { told: menuName(wanted), replaced: row.menu_replaced + Number(decision.replaces) };
}

/** A lost answer is asked once more: the same button again changes nothing. */
async function setMenu(
  deps: Pick<BotsDeps, 'telegram'>,
  address: BotAddress,
  button: MenuButton,
): Promise<Failure | undefined> {
  let outcome = await deps.telegram.call(address, 'setChatMenuButton', { menu_button: button });
  if (outcome.kind === 'doubtful')
    outcome = await deps.telegram.call(address, 'setChatMenuButton', { menu_button: button });
  return outcome.kind === 'ok' ? undefined : outcome;
}

/** What Telegram refuses for good waits for the next change; everything else is tried again. */
async function settle(
  deps: BotsDeps,
  row: MenuRow,
  button: Button,
  commands: { readonly told: ToldCommands; readonly failure: Failure | undefined },
): Promise<void> {
  const failures = [
    { method: 'setChatMenuButton', event: 'bot.menu_failed', failure: button.failure },
    { method: 'setMyCommands', event: 'bot.commands_failed', failure: commands.failure },
  ].flatMap(({ method, event, failure }) =>
    failure ? [{ event, again: !isFinal(failure), ...meant(method, failure) }] : [],
  );
  const again = failures.some((one) => one.again);
  const seconds = failures.filter((one) => one.again === again).map((one) => one.seconds);
  await watchStatements.recordMenu(deps.db, {
    id: row.id,
    text: row.menu_text,
    commands: row.menu_commands,
    told: button.told,
    replaced: button.replaced,
    commandsTold: commands.told,
    again,
    seconds: seconds.length === 0 ? null : Math.max(...seconds),
  });
  for (const { event, ...facts } of failures) deps.kit.log.warn({ bot: row.public_id, ...facts }, event);
}

/** What a failure says, and how long to wait after it: a token that is refused now may be replaced by another. */
function meant(method: string, failure: Failure): { outcome: string; seconds: number; reason?: string } {
  const meaning = verdict(method, failure);
  if (meaning.kind === 'retry_later') return { outcome: meaning.kind, seconds: meaning.seconds };
  const waitsLong = meaning.kind === 'permanent' || meaning.kind === 'token_invalid';
  const reason = meaning.kind === 'permanent' ? { reason: meaning.reason } : {};
  return { outcome: meaning.kind, seconds: retrySeconds(waitsLong ? 10 : 3), ...reason };
}

function tell(kit: Kit, row: Pick<MenuRow, 'public_id'>, event: string): void {
  kit.log.info({ bot: row.public_id }, event);
}
