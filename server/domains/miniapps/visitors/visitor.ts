// Who has sent a request: a person of Telegram, or a visitor of the web.
import { createHmac, type KeyObject } from 'node:crypto';
import type { Kit } from '../../../../kernel/kit.ts';
import { visitorLane } from '../../../../kernel/names.ts';
import type { BotEntry } from '../../bots/bots.ts';
import type { AppEntry } from '../apps.ts';
import { readCookie } from './cookie.ts';
import { checkInitData, type InitDataFault } from './init-data.ts';

export type Visitor = {
  readonly kind: 'telegram' | 'web';
  /** Within one project; the same person is somebody else in another one on the web. */
  readonly id: string;
  /** The lane of what they send, and the contact: their private chat, or on the web a number that no chat has. */
  readonly lane: number;
  readonly profile: VisitorProfile;
  /** What the link that opened the app carried, where Telegram vouches for it. */
  readonly start: string | undefined;
  /** Since when the cookie is theirs; undefined inside Telegram. */
  readonly sinceMs: number | undefined;
};

/** As pages read it under `visitor`: Telegram's names. Empty texts where nothing is known. */
export type VisitorProfile = {
  readonly id: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly username: string;
  readonly languageCode: string;
  readonly photoUrl: string;
};

export type VisitorDeps = {
  readonly kit: Kit;
  readonly visitorKey: Uint8Array;
  /** Public keys that vouch for the visitors of a bot. */
  keysOf(bot: BotEntry): readonly KeyObject[];
  /** The bot's token; rejects where it cannot be opened. */
  token(botId: number): Promise<string>;
};

export type Presented = {
  readonly authorization: string | undefined;
  readonly cookie: string | undefined;
  readonly isHttps: boolean;
};

/** Nobody we know: the words that say what to do now, and for the log, why a launch was not believed. */
export type Unknown = { readonly unknown: 'openAgain' | 'stale' | 'unknownVisitor'; readonly fault?: InitDataFault };

/** Who it is. */
export async function visitorOf(deps: VisitorDeps, app: AppEntry, presented: Presented): Promise<Visitor | Unknown> {
  const [scheme, data] = (presented.authorization ?? '').split(/ (.*)/s);
  if (scheme?.toLowerCase() === 'tma') return telegramVisitor(deps, app, data ?? '');
  const web = readCookie(deps.visitorKey, presented.cookie, deps.kit.now(), presented.isHttps);
  if (web === undefined) return { unknown: 'unknownVisitor' };
  const id = `web:${pseudonym(deps.visitorKey, app.projectPublicId, web.id)}`;
  return {
    kind: 'web',
    id,
    lane: visitorLane(id),
    profile: { id: '', firstName: '', lastName: '', username: '', languageCode: '', photoUrl: '' },
    start: undefined,
    sinceMs: web.sinceMs,
  };
}

async function telegramVisitor(deps: VisitorDeps, app: AppEntry, data: string): Promise<Visitor | Unknown> {
  const { bot } = app;
  // A site proves nothing with a bot's data: whoever opened that bot's app would be somebody here.
  if (bot === undefined || app.kind !== 'bot') return { unknown: 'openAgain' };
  const token = await deps.token(bot.id).catch(() => undefined);
  const found = checkInitData(data, {
    botId: bot.botId,
    token,
    keys: deps.keysOf(bot),
    nowMs: deps.kit.now(),
  });
  if ('fault' in found) return { unknown: found.fault === 'stale' ? 'stale' : 'openAgain', fault: found.fault };
  const { user, start } = found;
  return {
    kind: 'telegram',
    id: `tg:${user.id}`,
    lane: user.id,
    profile: { ...user, id: String(user.id) },
    start,
    sinceMs: undefined,
  };
}

/** So that two projects on one address cannot tell that they have the same visitor. */
function pseudonym(key: Uint8Array, projectPublicId: string, id: string): string {
  return createHmac('sha256', key).update(`project ${projectPublicId} ${id}`).digest('base64url').slice(0, 22);
}
