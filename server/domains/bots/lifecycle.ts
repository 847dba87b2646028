// What happens to a bot after it was connected. Every change names the revision it was decided on, so that of two
// at the same moment one is refused; calls to Telegram stand outside of transactions, and what they did not
// reach is left to the webhook watch (webhook_set_at null means: to be told).

import type { Tx } from '../../../kernel/db.ts';
import { Refusal } from '../../../kernel/errors.ts';
import { closeNotices } from '../notices/notices.ts';
import { verdict } from '../telegram/telegram.ts';
import type { CommandList } from './command-rules.ts';
import { withoutSlash } from './connect.ts';
import type { BotsDeps, BotView } from './deps.ts';
import { noticeKinds, viewOf } from './deps.ts';
import { dataKeyOf } from './keys/data-key.ts';
import { looksLikeToken, wantedUpdates } from './rules.ts';
import { hashSecret, makeSecret } from './secret.ts';
import type { BotRow } from './sql.ts';
import * as statements from './sql.ts';
import { secretPlace, tokenPlace } from './tokens.ts';
import { seal } from './vault.ts';
import { attendCommands } from './watch/commands.ts';
import { attendButton } from './watch/menu.ts';
import { isForgotten, openBot, recordSetAfresh, refusalOf, removeWebhook, setWebhook } from './webhook.ts';

/** Its updates are stored and wait, in order. Throws Refusal BOT_NOT_FOUND, BOT_STATE. */
export async function pauseBot(deps: BotsDeps, publicId: string): Promise<BotView> {
  const row = await rowOf(deps, publicId);
  if (row.status !== 'paused' && (await statements.setStatus(deps.db, row.id, ['active'], 'paused')) === 0)
    throw stateRefusal(row);
  return changed(deps, publicId, 'bot.paused');
}

/**
 * What waited is worked on. A bot that was stopped for its token is tried first. Throws Refusal BOT_NOT_FOUND,
 * BOT_STATE, BOT_TOKEN_WRONG, BOT_UNREACHABLE, BOT_LIMITED.
 */
export async function resumeBot(deps: BotsDeps, publicId: string): Promise<BotView> {
  const row = await rowOf(deps, publicId);
  if (row.status === 'token_invalid') {
    const me = await deps.telegram.call(openBot(deps, row).address, 'getMe');
    if (me.kind !== 'ok') throw refusalOf('getMe', me);
  }
  if (
    row.status !== 'active' &&
    (await statements.setStatus(deps.db, row.id, ['paused', 'token_invalid'], 'active')) === 0
  )
    throw stateRefusal(row);
  await closeNotices(deps.db, [noticeKinds.tokenInvalid], publicId);
  return changed(deps, publicId, 'bot.resumed');
}

/** A new webhook secret; the old one counts for ten minutes more. Throws Refusal BOT_NOT_FOUND, BOT_STATE, BOT_CHANGED. */
export async function rotateSecret(deps: BotsDeps, publicId: string): Promise<BotView> {
  const row = await rowOf(deps, publicId);
  openBot(deps, row);
  const { rev } = await deps.db.tx((tx) => writeSecret(deps, tx, row, row.rev));
  return told(deps, { ...row, rev }, 'bot.secret_rotated');
}

/** Whether this is the token that the bot works with. Throws Refusal BOT_NOT_FOUND, BOT_STATE, KEY_WRONG. */
export async function worksWith(deps: BotsDeps, publicId: string, token: string): Promise<boolean> {
  return openBot(deps, await rowOf(deps, publicId)).address.token === token;
}

/**
 * A new token of the same bot, and with it a new secret. Throws Refusal BOT_NOT_FOUND, BOT_STATE, BOT_CHANGED,
 * BOT_TOKEN_WRONG, BOT_TOKEN_OTHER, BOT_UNREACHABLE, BOT_LIMITED.
 */
export async function rotateToken(deps: BotsDeps, publicId: string, given: string): Promise<BotView> {
  const token = given.trim();
  if (!looksLikeToken(token)) throw new Refusal('BOT_TOKEN_WRONG');
  const row = await rowOf(deps, publicId);
  // After the master key was lost there is no old token to speak of.
  const old = isForgotten(row) ? undefined : openBot(deps, row);
  const me = await deps.telegram.call({ token, apiRoot: row.api_root ?? deps.apiRootDefault }, 'getMe');
  if (me.kind !== 'ok') throw refusalOf('getMe', me);
  if (me.result.id !== row.bot_id) throw new Refusal('BOT_TOKEN_OTHER', undefined, { username: me.result.username });
  // A webhook belongs to a token. Where the old one still works its webhook would go on delivering.
  if (old?.desired && token !== old.address.token) await removeWebhook(deps.telegram, old.address, old.desired.url);
  const { rev } = await deps.db.tx(async (tx) => {
    const key = await dataKeyOf(deps, tx, projectOf(row));
    const sealed = seal(key, tokenPlace(publicId), token);
    const changedToken = await statements.changeToken(tx, {
      id: row.id,
      rev: row.rev,
      tokenSealed: sealed,
      username: me.result.username,
      title: me.result.first_name,
    });
    if (changedToken === undefined) throw new Refusal('BOT_CHANGED');
    await closeNotices(tx, Object.values(noticeKinds), publicId);
    return writeSecret(deps, tx, row, changedToken.rev);
  });
  return told(deps, { ...row, rev }, 'bot.token_rotated');
}

/** Another address for this bot's own webhook; undefined: PUBLIC_URL, or polling. Throws Refusal BOT_NOT_FOUND, BOT_STATE. */
export async function moveWebhook(deps: BotsDeps, publicId: string, base: string | undefined): Promise<BotView> {
  const row = await rowOf(deps, publicId);
  await statements.setBase(deps.db, row.id, withoutSlash(base) ?? null);
  return told(deps, row, 'bot.webhook_moved');
}

/**
 * Takes the bot out: its webhook is removed with its token, its secrets are forgotten, its history stays. Throws
 * Refusal BOT_NOT_FOUND, BOT_STATE, and BOT_UNREACHABLE or BOT_LIMITED where Telegram could not be told, unless
 * `evenIfUnreachable`: then Telegram may go on delivering to an address that refuses, until it gives up.
 */
export async function disconnectBot(
  deps: BotsDeps,
  publicId: string,
  options: { evenIfUnreachable?: boolean } = {},
): Promise<void> {
  const row = await rowOf(deps, publicId);
  const isOver = isForgotten(row) || (await tellDisconnected(deps, row, options.evenIfUnreachable === true));
  await deps.db.tx(async (tx) => {
    await statements.disconnect(tx, row.id);
    await closeNotices(tx, Object.values(noticeKinds), publicId);
  });
  await deps.directory?.refresh();
  deps.kit.log.info({ bot: publicId, telegramTold: isOver }, 'bot.disconnected');
}

/** Takes webhook, menu button and commands away. False where Telegram could not be told; throws then, unless that is enough. */
async function tellDisconnected(deps: BotsDeps, row: BotRow, unreachableIsFine: boolean): Promise<boolean> {
  const { address, desired } = openBot(deps, row);
  const url = row.webhook_url ?? desired?.url;
  const failure = url === undefined ? undefined : await removeWebhook(deps.telegram, address, url);
  const isOver = failure === undefined || verdict('deleteWebhook', failure).kind === 'token_invalid';
  if (!isOver && !unreachableIsFine) throw refusalOf('deleteWebhook', failure);
  // A menu of ours would offer what this bot has no part in any more; one that somebody has set since stays. It is a
  // courtesy, so nobody waits for it.
  if (row.menu_told !== null && failure === undefined)
    await attendButton(deps, { ...row, menu_replaced: 0 }, address, undefined);
  if (row.commands_told !== null && failure === undefined)
    await attendCommands(deps, { publicId: row.public_id, address, told: row.commands_told }, []);
  return isOver;
}

/**
 * The kinds of update that a project's new release needs. Called in the publishing transaction; the webhook watch
 * tells Telegram, and polling asks for them from its next call on.
 */
export async function setAllowedUpdates(tx: Tx, projectId: number, kinds: readonly string[]): Promise<void> {
  await statements.setAllowedUpdates(tx, projectId, wantedUpdates(kinds));
}

/** What the menu button of the project's bots says from now on; null takes it away. Called in the publishing transaction. */
export async function setMenuText(tx: Tx, projectId: number, text: string | null): Promise<void> {
  await statements.setMenuText(tx, projectId, text);
}

/** The commands that the project's bots list from now on; none takes them away. Called in the publishing transaction. */
export async function setMenuCommands(tx: Tx, projectId: number, lists: readonly CommandList[]): Promise<void> {
  await statements.setMenuCommands(tx, projectId, lists.length === 0 ? null : JSON.stringify(lists));
}

async function rowOf(deps: BotsDeps, publicId: string): Promise<BotRow> {
  const row = await statements.findBot(deps.db, publicId);
  if (row === undefined) throw new Refusal('BOT_NOT_FOUND');
  if (row.status === 'disconnected' || row.status === 'connecting') throw stateRefusal(row);
  return row;
}

function stateRefusal(row: BotRow): Refusal {
  return new Refusal('BOT_STATE', sentences[row.status], { status: row.status });
}

const sentences: Readonly<Record<BotRow['status'], string>> = {
  connecting: 'This bot is being connected at this moment. Wait a little.',
  active: 'This bot is active.',
  paused: 'This bot is paused.',
  token_invalid: 'Telegram does not accept the token of this bot any more. Give it a new one first.',
  disconnected: 'This bot is disconnected. Connect it anew.',
};

const projectOf = (row: BotRow): { id: number; publicId: string } => ({
  id: row.project_id,
  publicId: row.project_public_id,
});

async function writeSecret(deps: BotsDeps, tx: Tx, row: BotRow, rev: number): Promise<{ rev: number }> {
  const secret = makeSecret();
  const key = await dataKeyOf(deps, tx, projectOf(row));
  const written = await statements.changeSecret(tx, {
    id: row.id,
    rev,
    sealed: seal(key, secretPlace(row.public_id), secret),
    hash: hashSecret(secret),
  });
  if (written === undefined) throw new Refusal('BOT_CHANGED');
  return written;
}

async function changed(deps: BotsDeps, publicId: string, event: string): Promise<BotView> {
  await deps.directory?.refresh();
  deps.kit.log.info({ bot: publicId }, event);
  return viewOf((await statements.findBot(deps.db, publicId)) as BotRow, deps.publicUrl);
}

/** Tells Telegram what was changed. When it cannot be told now, the change stands and the webhook watch goes on trying. */
async function told(deps: BotsDeps, before: BotRow, event: string): Promise<BotView> {
  await deps.directory?.refresh();
  const row = (await statements.findBot(deps.db, before.public_id)) as BotRow;
  const { address, secret, desired } = openBot(deps, row);
  if (desired === undefined) return changed(deps, row.public_id, event);
  const result = await setWebhook(deps.telegram, address, desired, secret);
  if (result.kind === 'failed') {
    deps.kit.log.warn(
      { bot: row.public_id, reason: refusalOf('setWebhook', result.failure).message },
      'bot.webhook_not_told',
    );
  } else {
    await recordSetAfresh(deps.db, row, result.info);
    await closeNotices(deps.db, [noticeKinds.webhookLost], row.public_id);
  }
  return changed(deps, row.public_id, event);
}
