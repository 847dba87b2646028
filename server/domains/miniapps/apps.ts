// The apps as every process knows them, in memory: one for each bot, and the sites. A bot's app needs no row and no
// query: its id is made from its project and its bot.
import { createHash } from 'node:crypto';
import type { Db } from '../../../kernel/db.ts';
import type { Kit } from '../../../kernel/kit.ts';
import { type Loop, loop } from '../../../kernel/loop.ts';
import type { Service } from '../../../kernel/service.ts';
import {
  advance,
  type BotEntry,
  continues,
  type Directory,
  type Horizon,
  nothingKnown,
  type Window,
} from '../bots/bots.ts';
import * as statements from './sql.ts';

/** Where pages are asked for: inside Telegram with a bot, or a site of its own. */
export type AppEntry = {
  readonly publicId: string;
  readonly kind: 'bot' | 'site';
  readonly projectId: number;
  readonly projectPublicId: string;
  /** Undefined: nothing runs, so there is nothing to show. */
  readonly releaseNumber: number | undefined;
  /** The bot that is told of what visitors send; a site's is the oldest of its project that works. */
  readonly bot: BotEntry | undefined;
  readonly site: SiteEntry | undefined;
};

export type SiteEntry = {
  readonly projectId: number;
  readonly projectPublicId: string;
  readonly slug: string | null;
  readonly domain: string | null;
  readonly releaseNumber: number | null;
};

export type Apps = Service & {
  byPublicId(publicId: string): AppEntry | undefined;
  bySlug(slug: string): AppEntry | undefined;
  /** Whether any site has a domain of its own. */
  hasDomains(): boolean;
  byDomain(host: string): AppEntry | undefined;
  /** Whether a bot was connected under an address of this host. */
  hasBase(host: string): boolean;
  /** Sites with a name or a domain, in no order. */
  sites(): Iterable<SiteEntry>;
  /** The site of a project, for the addresses that search engines are told. */
  siteOf(projectId: number): SiteEntry | undefined;
  /** Reads what changed, now. */
  refresh(): Promise<void>;
};

/** The id of a bot's app. The same bot connected to the same project again has the same address again. */
export function botAppId(projectPublicId: string, botId: number): string {
  return idOf(`bot ${projectPublicId} ${botId}`);
}

/** The id of a project's site. */
export function siteAppId(projectPublicId: string): string {
  return idOf(`site ${projectPublicId}`);
}

const alphabet = 'abcdefghijklmnopqrstuvwxyz012345';

/** A hundred bits of a hash in letters and digits; what it is made from cannot be read out of it. */
function idOf(text: string): string {
  const hash = createHash('sha256').update(`roost app ${text}`).digest();
  let id = 'app_';
  for (const byte of hash.subarray(0, 20)) id += alphabet[byte & 31];
  return id;
}

const rowsALook = 1_000;
const pauseMsMin = 1_000;
const pauseMsSpread = 1_000;

export function createApps(kit: Kit, db: Db, directory: Directory): Apps {
  return new FollowedApps(kit, db, directory);
}

class FollowedApps implements Apps {
  readonly name = 'apps';
  readonly #kit: Kit;
  readonly #db: Db;
  readonly #directory: Directory;
  readonly #follow: Loop;
  #knowsBots = false;
  readonly #botIds = new Map<string, number>();
  /** By the bot's own number: where it stands in the two maps beside this one. */
  readonly #placeOfBot = new Map<number, { readonly publicId: string; readonly projectId: number }>();
  readonly #botsOfProject = new Map<number, Set<number>>();
  readonly #sites = new Map<number, SiteEntry>();
  readonly #projectByApp = new Map<string, number>();
  readonly #projectBySlug = new Map<string, number>();
  readonly #projectByDomain = new Map<string, number>();
  /** Hosts under which bots have been connected; one that is left stays ours until the process ends. */
  readonly #bases = new Set<string>();
  #window = nothingKnown;
  #looking: Promise<void> | undefined;
  #unsubscribe = (): void => {};

  constructor(kit: Kit, db: Db, directory: Directory) {
    this.#kit = kit;
    this.#db = db;
    this.#directory = directory;
    this.#follow = loop(kit, this.name, async () => {
      await this.refresh();
      return pauseMsMin + kit.random() * pauseMsSpread;
    });
  }

  async start(): Promise<void> {
    this.#unsubscribe = this.#directory.onChange((change) => {
      if (change.kind === 'project' || !this.#knowsBots) return;
      if (change.entry) this.#addBot(change.entry);
      else this.#dropBot(change.id);
    });
    await this.refresh();
    await this.#follow.start();
  }

  async stop(): Promise<void> {
    this.#unsubscribe();
    await this.#follow.stop();
  }

  /** When the first app is asked for: the ids of 10,000 bots are 17 MB, and an installation may have no app at all. */
  #learnBots(): void {
    if (this.#knowsBots) return;
    this.#knowsBots = true;
    for (const bot of this.#directory.entries()) this.#addBot(bot);
  }

  byPublicId(publicId: string): AppEntry | undefined {
    this.#learnBots();
    const id = this.#botIds.get(publicId);
    const bot = id === undefined ? undefined : this.#directory.byId(id);
    if (bot !== undefined) {
      const { project } = bot;
      return {
        publicId,
        kind: 'bot',
        projectId: project.id,
        projectPublicId: project.publicId,
        releaseNumber: project.releaseNumber ?? undefined,
        bot,
        site: this.#sites.get(project.id),
      };
    }
    return this.#siteApp(this.#projectByApp.get(publicId));
  }

  bySlug(slug: string): AppEntry | undefined {
    return this.#siteApp(this.#projectBySlug.get(slug));
  }

  hasDomains(): boolean {
    return this.#projectByDomain.size > 0;
  }

  byDomain(host: string): AppEntry | undefined {
    return this.#siteApp(this.#projectByDomain.get(host));
  }

  hasBase(host: string): boolean {
    this.#learnBots();
    return this.#bases.has(host);
  }

  sites(): Iterable<SiteEntry> {
    return this.#sites.values();
  }

  siteOf(projectId: number): SiteEntry | undefined {
    return this.#sites.get(projectId);
  }

  /** Whoever asks while a look is under way waits for the one after it, which sees what was committed before. */
  async refresh(): Promise<void> {
    const before = this.#looking;
    if (before !== undefined) await before.catch(() => {});
    this.#looking ??= this.#look().finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  #siteApp(projectId: number | undefined): AppEntry | undefined {
    const site = projectId === undefined ? undefined : this.#sites.get(projectId);
    if (site === undefined) return undefined;
    return {
      publicId: siteAppId(site.projectPublicId),
      kind: 'site',
      projectId: site.projectId,
      projectPublicId: site.projectPublicId,
      releaseNumber: site.releaseNumber ?? undefined,
      bot: this.#voiceOf(site.projectId),
      site,
    };
  }

  /** The oldest bot of a project that works, else the oldest that is there. */
  #voiceOf(projectId: number): BotEntry | undefined {
    this.#learnBots();
    const ids = [...(this.#botsOfProject.get(projectId) ?? [])].sort((a, b) => a - b);
    const working = ids.find((id) => this.#directory.isWorking(id)) ?? ids[0];
    return working === undefined ? undefined : this.#directory.byId(working);
  }

  #addBot(bot: BotEntry): void {
    if (bot.webhookBase !== null) this.#bases.add(new URL(bot.webhookBase).hostname);
    const publicId = botAppId(bot.project.publicId, bot.botId);
    if (this.#placeOfBot.get(bot.id)?.publicId !== publicId) this.#dropBot(bot.id);
    this.#botIds.set(publicId, bot.id);
    this.#placeOfBot.set(bot.id, { publicId, projectId: bot.project.id });
    const bots = this.#botsOfProject.get(bot.project.id) ?? new Set();
    this.#botsOfProject.set(bot.project.id, bots.add(bot.id));
  }

  #dropBot(id: number): void {
    const place = this.#placeOfBot.get(id);
    if (place === undefined) return;
    // The bot may have been connected again since, under another number and the same address.
    if (this.#botIds.get(place.publicId) === id) this.#botIds.delete(place.publicId);
    this.#botsOfProject.get(place.projectId)?.delete(id);
    this.#placeOfBot.delete(id);
  }

  async #look(): Promise<void> {
    if (await this.#lookFrom(this.#window)) return;
    // Another server: sites that it has never heard of are gone.
    for (const map of [this.#sites, this.#projectByApp, this.#projectBySlug, this.#projectByDomain]) map.clear();
    await this.#lookFrom(nothingKnown);
  }

  /** False, and nothing is taken, where it is not the server of before. */
  async #lookFrom(window: Window): Promise<boolean> {
    const nowMs = this.#kit.monotonicMs();
    const taken = [...window.taken];
    const read: number[] = [];
    let after = window.low;
    let horizon: Horizon | undefined;
    for (let isFull = true; isFull; ) {
      const rows = await statements.readSiteChanges(this.#db, { after, taken, limit: rowsALook });
      horizon ??= rows[0];
      if (horizon && !continues(window, horizon)) return false;
      for (const row of rows) {
        if (row.project_id === null) continue;
        this.#take(row);
        read.push(row.change);
        after = row.change;
      }
      isFull = rows.length === rowsALook;
    }
    if (horizon) this.#window = advance(window, horizon, read, nowMs);
    return true;
  }

  #take(row: statements.SiteChange): void {
    const before = this.#sites.get(row.project_id);
    // Another project may hold by now what this one has given up, and its row may have come first.
    const leave = (holders: Map<string, number>, name: string | null | undefined): void => {
      if (name && holders.get(name) === row.project_id) holders.delete(name);
    };
    leave(this.#projectBySlug, before?.slug);
    leave(this.#projectByDomain, before?.domain);
    const site: SiteEntry = {
      projectId: row.project_id,
      projectPublicId: row.project_public_id,
      slug: row.slug,
      domain: row.domain,
      releaseNumber: row.release_number,
    };
    this.#sites.set(site.projectId, site);
    this.#projectByApp.set(siteAppId(site.projectPublicId), site.projectId);
    if (site.slug !== null) this.#projectBySlug.set(site.slug, site.projectId);
    if (site.domain !== null) this.#projectByDomain.set(site.domain, site.projectId);
  }
}
