// Connecting a bot: asked, stored, told to Telegram, read back, and only then active. Whatever fails on the way
// leaves nothing behind: no webhook of ours and no bot that half exists.
import { webhookBaseFault } from '../../../kernel/config.ts';
import { telegramRoot } from '../../../kernel/config-table.ts';
import { Refusal } from '../../../kernel/errors.ts';
import type { BotAddress } from '../telegram/telegram.ts';
import { telegramLimits, verdict } from '../telegram/telegram.ts';
import type { BotsDeps, BotView } from './deps.ts';
import { viewOf } from './deps.ts';
import { dataKeyOf } from './keys/data-key.ts';
import { hostOf, looksLikeToken, publicIdIn, wantedUpdates, webhookUrl } from './rules.ts';
import { hashSecret, makePublicId, makeSecret } from './secret.ts';
import type { BotRow, ProjectRow } from './sql.ts';
import * as statements from './sql.ts';
import { secretPlace, tokenPlace } from './tokens.ts';
import { seal } from './vault.ts';
import { openBot, recordSetAfresh, refusalOf, removeWebhook, setWebhook } from './webhook.ts';

export type ConnectRequest = {
  /** Name or public id. */
  readonly project: string;
  readonly token: string;
  /** Its own Bot API server. An operator's choice, never a maker's: calls go wherever this says. */
  readonly apiRoot?: string;
  /** An address for this bot's webhook instead of PUBLIC_URL (the demo bot and its simulator). */
  readonly webhookBase?: string;
  /** The maker has said that the other address may lose this bot. */
  readonly replaceForeignWebhook?: boolean;
  /** What the published flow needs. Left out: as the project's other bots, else the kinds every bot gets. */
  readonly allowedUpdates?: readonly string[];
  /** Deliveries Telegram makes at once, 1 to 100. After an outage a thousand bots deliver all at once, so small is right. */
  readonly maxConnections?: number;
};

export type Connected = {
  readonly bot: BotView;
  /** What would make it better, in a sentence. */
  readonly hint: string | undefined;
};

/** A bot that has been connecting for longer than this was given up by a process that died. */
export const abandonedSeconds = 120;
const connectionsDefault = 10;

const pollingHint =
  'Updates of this bot are fetched by polling. For webhooks, which answer faster and carry any number of bots, set PUBLIC_URL to the https address of this server.';

/**
 * Connects a bot to a project. Throws Refusal PROJECT_NOT_FOUND, BOT_TOKEN_WRONG, BOT_ALREADY_CONNECTED,
 * BOT_FOREIGN_WEBHOOK, BOT_UNREACHABLE, BOT_LIMITED or BOT_WEBHOOK_REFUSED; nothing was changed then, save that a
 * foreign webhook that was to be replaced may be gone when Telegram refused ours.
 */
export async function connectBot(deps: BotsDeps, request: ConnectRequest): Promise<Connected> {
  checkRequest(deps, request);
  const token = request.token.trim();
  if (!looksLikeToken(token)) throw new Refusal('BOT_TOKEN_WRONG');
  const project = await statements.findProject(deps.db, request.project);
  if (project === undefined) throw new Refusal('PROJECT_NOT_FOUND');
  const address = { token, apiRoot: apiRootOf(deps, request) };
  const me = await deps.telegram.call(address, 'getMe');
  if (me.kind !== 'ok') throw refusalOf('getMe', me);
  await refuseConnected(deps, me.result, project);
  const standing = await standingWebhook(deps, address, request);
  const publicId = await insert(deps, project, request, address, me.result);
  try {
    await arrange(deps, publicId, standing);
  } catch (error) {
    await undo(deps, publicId);
    throw error;
  }
  const row = (await statements.findBot(deps.db, publicId)) as BotRow;
  const bot = viewOf(row, deps.publicUrl);
  deps.kit.log.info(
    { bot: publicId, project: project.name, username: bot.username, receives: bot.receives },
    'bot.connected',
  );
  return { bot, hint: bot.receives === 'polling' ? pollingHint : undefined };
}

const apiRootOf = (deps: BotsDeps, request: ConnectRequest): string =>
  withoutSlash(request.apiRoot) ?? deps.apiRootDefault;

/** What can be known before anybody is asked. Throws Refusal USAGE. */
function checkRequest(deps: BotsDeps, request: ConnectRequest): void {
  for (const address of [request.apiRoot, request.webhookBase]) {
    if (address !== undefined && !(/^https?:\/\/[^\s?#]+$/.test(address) && URL.canParse(address)))
      throw new Refusal('USAGE', `${address} is not an http or https address.`);
  }
  // As PUBLIC_URL is checked at the start. Another Bot API server may deliver where Telegram's does not.
  const { webhookBase } = request;
  const fault =
    webhookBase !== undefined && apiRootOf(deps, request) === telegramRoot ? webhookBaseFault(webhookBase) : undefined;
  if (fault !== undefined) throw new Refusal('USAGE', `The address ${webhookBase} ${fault}.`);
  const { maxConnections = connectionsDefault } = request;
  if (
    !Number.isInteger(maxConnections) ||
    maxConnections < 1 ||
    maxConnections > telegramLimits.webhookConnectionsMax
  ) {
    throw new Refusal('USAGE', `A webhook has 1 to ${telegramLimits.webhookConnectionsMax} connections.`);
  }
}

/**
 * What a died process left half-way is cleared away first, so that a second try is not refused. Another project is
 * neither named nor hinted at by an id: it may be somebody else's.
 */
async function refuseConnected(
  deps: BotsDeps,
  me: { id: number; username: string },
  project: ProjectRow,
): Promise<void> {
  const live = await statements.findLiveBot(deps.db, me.id, abandonedSeconds);
  if (live === undefined) return;
  if (live.status === 'connecting' && !live.abandoned)
    throw new Refusal(
      'BOT_ALREADY_CONNECTED',
      'This bot is being connected at this moment. If that fails, try again in two minutes.',
    );
  if (!live.abandoned && live.project_id === project.id)
    throw new Refusal(
      'BOT_ALREADY_CONNECTED',
      `@${me.username} is connected to this project already. To give it a new token: roost bot rotate @${me.username} --token TOKEN`,
      { bot: live.public_id },
    );
  if (!live.abandoned)
    throw new Refusal(
      'BOT_ALREADY_CONNECTED',
      `@${me.username} is connected to another project here. See to which: roost bot list. Free it: roost bot disconnect @${me.username}`,
    );
  await undo(deps, live.public_id);
}

/**
 * The webhook the bot has now, if any. Throws Refusal BOT_FOREIGN_WEBHOOK when it is somebody else's and nobody
 * said that it may be replaced. One under our own address, or with the id of a bot that was here, is ours.
 */
async function standingWebhook(deps: BotsDeps, address: BotAddress, request: ConnectRequest): Promise<string> {
  const info = await deps.telegram.call(address, 'getWebhookInfo');
  if (info.kind !== 'ok') throw refusalOf('getWebhookInfo', info);
  const url = info.result.url ?? '';
  if (url === '' || request.replaceForeignWebhook === true) return url;
  const bases = [deps.publicUrl, withoutSlash(request.webhookBase)].filter((base) => base !== undefined);
  const publicId = publicIdIn(url);
  if (bases.some((base) => url.startsWith(webhookUrl(base, '')))) return url;
  if (publicId !== undefined && (await statements.findBot(deps.db, publicId)) !== undefined) return url;
  const host = hostOf(url);
  const message = `This bot already sends its updates to ${host}. Nothing was changed. Where nobody needs them there, connect it again with --replace-webhook.`;
  throw new Refusal('BOT_FOREIGN_WEBHOOK', message, { host });
}

/** The row, committed before Telegram is told: an update may come the moment the webhook is set. Gives its public id. */
async function insert(
  deps: BotsDeps,
  project: ProjectRow,
  request: ConnectRequest,
  address: BotAddress,
  me: { id: number; username: string; first_name: string },
): Promise<string> {
  const publicId = makePublicId();
  const secret = makeSecret();
  await deps.db.tx(async (tx) => {
    const key = await dataKeyOf(deps, tx, { id: project.id, publicId: project.public_id });
    const inserted = await statements.insertConnecting(tx, {
      publicId,
      projectId: project.id,
      botId: me.id,
      username: me.username,
      title: me.first_name,
      tokenSealed: seal(key, tokenPlace(publicId), address.token),
      secretSealed: seal(key, secretPlace(publicId), secret),
      secretHash: hashSecret(secret),
      apiRoot: withoutSlash(request.apiRoot) ?? null,
      webhookBase: withoutSlash(request.webhookBase) ?? null,
      maxConnections: request.maxConnections ?? connectionsDefault,
      allowedUpdates: request.allowedUpdates
        ? wantedUpdates(request.allowedUpdates)
        : (project.allowed_updates ?? wantedUpdates([])),
    });
    if (inserted === undefined) throw new Refusal('BOT_ALREADY_CONNECTED');
  });
  await deps.directory?.refresh();
  return publicId;
}

/** Tells Telegram and makes the bot active. Where it is polled, a webhook in the way goes. */
async function arrange(deps: BotsDeps, publicId: string, standing: string): Promise<void> {
  const row = (await statements.findBot(deps.db, publicId)) as BotRow;
  const { address, secret, desired } = openBot(deps, row);
  if (desired === undefined) {
    const failure = standing === '' ? undefined : await removeWebhook(deps.telegram, address, standing);
    if (failure) throw refusalOf('deleteWebhook', failure);
  } else {
    const result = await setWebhook(deps.telegram, address, desired, secret);
    if (result.kind === 'failed') throw refusalOf('setWebhook', result.failure);
    await recordSetAfresh(deps.db, row, result.info);
  }
  // Gone means that another process took this for abandoned: it has undone what was done here.
  if ((await statements.setStatus(deps.db, row.id, ['connecting'], 'active')) === 0) throw new Refusal('BOT_CHANGED');
  await deps.directory?.refresh();
}

/**
 * Takes a bot back that did not become active: its webhook if it is ours, then the row. What cannot be undone now
 * (Telegram or the database away) stays `connecting` and is undone by the webhook watch.
 */
export async function undo(deps: BotsDeps, publicId: string): Promise<void> {
  try {
    const row = await statements.findBot(deps.db, publicId);
    if (row === undefined || row.status !== 'connecting') return;
    const { address, desired } = openBot(deps, row);
    const failure = desired && (await removeWebhook(deps.telegram, address, desired.url));
    // With a token that is refused nothing can be removed, and nothing is delivered any more.
    if (failure && verdict('deleteWebhook', failure).kind !== 'token_invalid') return;
    await statements.disconnect(deps.db, row.id);
    await deps.directory?.refresh();
  } catch (error) {
    deps.kit.log.warn({ bot: publicId, err: error }, 'bot.undo_failed');
  }
}

export function withoutSlash(address: string | undefined): string | undefined {
  return address?.replace(/(?<!\/)\/+$/, '');
}
