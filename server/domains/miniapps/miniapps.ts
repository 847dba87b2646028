/**
 * Mini Apps and sites: pages of a project's running release, served from memory, and what visitors send, stored once
 * and told to the bot. The address of a bot's app is made from its project and its bot; a site has a row.
 */
import type { KeyObject } from 'node:crypto';
import type { Db } from '../../../kernel/db.ts';
import type { Kit } from '../../../kernel/kit.ts';
import { type Service, startAll, stopAll } from '../../../kernel/service.ts';
import type { AppBot, BotEntry, Directory } from '../bots/bots.ts';
import { type Apps, botAppId, createApps } from './apps.ts';
import type { MiniappsDeps } from './deps.ts';
import type { Assets } from './serving/assets.ts';
import type { CacheFigures } from './serving/cache.ts';
import { Content } from './serving/content.ts';
import { createPictures } from './serving/pictures.ts';
import { createRowWatch } from './serving/rows.ts';
import { createSubmissionCounter, type SubmissionCounts } from './submission-counts.ts';
import { createFileSeals } from './uploads/uploads.ts';
import { ed25519Key, telegramKeys } from './visitors/init-data.ts';

export { botAppId } from './apps.ts';
export type { MiniappsDeps } from './deps.ts';
export { type Cancelled, cancelLead, countLeads, formsSent, type Lead, type LeadList, listLeads } from './leads.ts';
export { type Assets, readAssets } from './serving/assets.ts';
export { setDomain, setSlug, siteOf } from './sites.ts';
export { type AppRow, listApps } from './sql.ts';
export { createFileSeals } from './uploads/uploads.ts';

/**
 * Where a bot's app is opened, as `https://bots.example.com/a/app_...`; undefined where nobody can reach it from
 * outside. Whether there are pages is asked of the release.
 */
export function appAddress(bot: AppBot | undefined, publicUrl: string | undefined): string | undefined {
  const base = bot?.webhookBase ?? publicUrl;
  return bot === undefined || base === undefined ? undefined : `${base}/a/${botAppId(bot.project.publicId, bot.botId)}`;
}

export type MiniappsOptions = {
  readonly kit: Kit;
  readonly db: Db;
  /** Connections for what anybody may ask; those of `db` where there are none. */
  readonly reads?: Db | undefined;
  readonly directory: Directory;
  readonly assets: Assets;
  readonly publicUrl: string | undefined;
  /** What stands for Telegram on the pages of a bot: its script, and the keys that vouch for visitors, as TELEGRAM_APP_KEYS has them. */
  telegramOf(bot: BotEntry): { readonly script: string; readonly keys: readonly string[] };
  /** Seals the cookies of visitors. */
  readonly visitorKey: Uint8Array;
  /** Seals the addresses of files. */
  readonly fileKey: Uint8Array;
  readonly cacheBytesMax: number;
  eventsStored(integrationIds: readonly number[]): void;
  pause(ms: number): Promise<unknown>;
  accepts(): boolean;
};

export type Miniapps = Service & {
  readonly deps: MiniappsDeps;
  /** What visitors have sent since the process began, by what became of it. */
  readonly submissions: SubmissionCounts;
  /** What is kept of documents, views, rows, pages and pictures. */
  cache(): { readonly [part: string]: CacheFigures };
};

/** Makes everything that the routes need; `start` resolves when all sites are known. */
export function createMiniapps(options: MiniappsOptions): Miniapps {
  const { kit, db, directory, assets, publicUrl, telegramOf, cacheBytesMax } = options;
  const reads = options.reads ?? db;
  const apps: Apps = createApps(kit, db, directory);
  const watch = createRowWatch(kit, reads);
  const content = new Content({
    db: reads,
    assets,
    watch,
    publicUrl,
    scriptOf: (bot) => telegramOf(bot).script,
    cacheBytesMax,
  });
  const pictures = createPictures();
  directory.onOtherServer(() => {
    content.forget();
    watch.forget();
  });
  const keys = createKeys();
  const submissions = createSubmissionCounter();
  const services: Service[] = [apps, watch];
  return {
    name: 'miniapps',
    deps: {
      kit,
      db,
      reads,
      apps,
      assets,
      content,
      pictures,
      watch,
      publicUrl,
      visitorKey: options.visitorKey,
      keysOf: (bot) => telegramOf(bot).keys.map(keys),
      submissions,
      fileSeals: createFileSeals(options.fileKey),
      token: (id) => directory.token(id),
      eventsStored: options.eventsStored,
      // What one has ordered is gone for the next at once, and for other processes within a second.
      rowsChanged: (projectId) => void watch.look(projectId).catch(() => watch.nudge()),
      pause: options.pause,
      accepts: options.accepts,
    },
    submissions: submissions.counts,
    cache: () => ({ ...content.figures(), picture: pictures.figures() }),
    start: () => startAll(services),
    stop: () => stopAll(services),
  };
}

/** Keys by the words of TELEGRAM_APP_KEYS, each made once. */
function createKeys(): (word: string) => KeyObject {
  const made = new Map<string, KeyObject>();
  return (word) => {
    const known = made.get(word);
    if (known !== undefined) return known;
    const key = ed25519Key(Object.hasOwn(telegramKeys, word) ? telegramKeys[word as 'production'] : word);
    made.set(word, key);
    return key;
  };
}
