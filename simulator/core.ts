import { randomBytes } from 'node:crypto';
import { Endpoint } from './api/endpoint.ts';
import { Faults } from './api/faults.ts';
import { createRegistry } from './api/registry.ts';
import { runWebhookReply } from './api/webhook-reply.ts';
import type { BotApps, BotAppsChange } from './apps/bot-apps.ts';
import { changeApps } from './apps/bot-apps.ts';
import { systemClock } from './clock.ts';
import { Outward } from './delivery/outward.ts';
import { Transport } from './delivery/transport.ts';
import type { SenderParts } from './delivery/webhook-sender.ts';
import { WebhookSender } from './delivery/webhook-sender.ts';
import { CallLog } from './log/call-log.ts';
import { DeliveryLog } from './log/delivery-log.ts';
import { setWebhookWith } from './methods/updates.ts';
import { People } from './people/people.ts';
import { findBot } from './people/place.ts';
import { seededRandom } from './random.ts';
import type { Limits, Settings, SimulatorOptions } from './settings.ts';
import { readSettings } from './settings.ts';
import type { Bot, Webhook } from './world/bot.ts';
import type { NewBot } from './world/world.ts';
import { World } from './world/world.ts';

/** Settings as they can be changed while it runs. */
export type SettingsChange = Partial<Omit<Settings, 'limits'>> & { limits?: Partial<Limits> };

export type Counters = {
  calls: { accepted: number; refused: number; by_method: Record<string, number>; by_code: Record<string, number> };
  deliveries: { attempts: number; by_outcome: Record<string, number> };
  pending: number;
  /** Of the whole process, also where the simulator is mounted in another program. */
  process: { pid: number; cpu_us: number; rss_bytes: number };
};

/** Where the stand-in for Telegram's script for Mini Apps is served, below the simulator's own address. */
export const APP_SCRIPT_PATH = '/js/telegram-web-app.js';

/** The simulator without HTTP: the world, the logs, the faults, the senders, and the calls' endpoint. */
export class SimulatorCore {
  readonly settings: Settings;
  readonly world: World;
  readonly people: People;
  readonly calls: CallLog;
  readonly deliveries: DeliveryLog;
  readonly faults = new Faults();
  readonly endpoint: Endpoint;
  /** What the control API asks for. */
  readonly controlKey: string;
  /** Where requests of the simulator's own may go. */
  readonly outward: Outward;
  /** What was said about that where it was made. */
  protected readonly reachWish: Settings['reach'] | undefined;
  readonly #transport: Transport;
  readonly #senderParts: SenderParts;

  constructor(options: SimulatorOptions) {
    const clock = systemClock();
    const random = seededRandom(options.seed ?? Date.now());
    this.settings = readSettings(options);
    this.reachWish = options.reach;
    this.controlKey = options.controlKey ?? randomBytes(24).toString('base64url');
    this.outward = new Outward(this.settings);
    this.#transport = new Transport(this.outward);
    this.world = new World(clock, this.settings, random, {
      outward: this.outward,
      local: options.localFiles,
      secrets: options.seed === undefined ? 'unguessable' : 'seeded',
    });
    this.people = new People(this.world);
    this.calls = new CallLog(clock);
    this.deliveries = new DeliveryLog(clock);
    const registry = createRegistry({ setWebhook: setWebhookWith((bot, webhook) => this.openSender(bot, webhook)) });
    const serve = (bot: Bot): void => {
      bot.servedSince = clock.mono();
      if (bot.webhook) this.openSender(bot, bot.webhook);
    };
    const parts = { world: this.world, log: this.calls, faults: this.faults, registry, serve };
    this.#senderParts = {
      clock,
      random,
      settings: this.settings,
      transport: this.#transport,
      log: this.deliveries,
      loseAnswer: (bot, update) =>
        this.faults.any && this.faults.pick(update.kind, bot.id, update.chatId, true) !== undefined,
      reply: (bot, answer) => void runWebhookReply(parts, bot, answer),
    };
    this.endpoint = new Endpoint(parts);
  }

  /** Starts to deliver to a webhook. */
  openSender(bot: Bot, webhook: Webhook): void {
    bot.sender = new WebhookSender(bot, webhook, this.#senderParts);
  }

  /** A bot with a token, ready for calls. */
  createBot(wish: NewBot & BotAppsChange = {}): Bot {
    const bot = this.world.createBot(wish);
    if (wish.main_app !== undefined || wish.apps !== undefined) changeApps(this.world, bot, wish);
    bot.queue.listener = (update) => {
      if (bot.sender) bot.sender.offer(update);
      else bot.poller?.wake();
    };
    return bot;
  }

  /** The public half of the key that signs launches (`signature`): 64 hexadecimal digits. */
  get appPublicKey(): string {
    return this.world.appKey.publicHex;
  }

  /** Names the addresses of a bot's apps, as its maker does at @BotFather. */
  setApps(botId: number, change: BotAppsChange): BotApps {
    return changeApps(this.world, findBot(this.world, botId), change);
  }

  /** Changes settings at once; limits are merged. */
  set(change: SettingsChange): Settings {
    const { limits, ...rest } = change;
    Object.assign(this.settings, rest);
    if (limits) Object.assign(this.settings.limits, limits);
    return this.settings;
  }

  /** Sums since the start or the last reset. */
  counters(): Counters {
    const cpu = process.cpuUsage();
    const pending = [...this.world.bots.values()].reduce((sum, bot) => sum + bot.queue.pending.size, 0);
    return {
      calls: {
        accepted: this.calls.accepted,
        refused: this.calls.refused,
        by_method: Object.fromEntries(this.calls.byMethod),
        by_code: Object.fromEntries(this.calls.byCode),
      },
      deliveries: { attempts: this.deliveries.attempts, by_outcome: Object.fromEntries(this.deliveries.byOutcome) },
      pending,
      process: { pid: process.pid, cpu_us: cpu.user + cpu.system, rss_bytes: process.memoryUsage.rss() },
    };
  }

  /** Forgets both logs and their counters; cursors given out before stay valid. */
  resetLogs(): void {
    this.calls.clear();
    this.deliveries.clear();
  }

  /** Ends polls, hanging answers and deliveries. */
  protected async stopWork(): Promise<void> {
    for (const bot of this.world.bots.values()) {
      bot.sender?.stop();
      bot.sender = undefined;
      bot.poller?.end('closed');
    }
    this.endpoint.close();
    await this.#transport.close();
    await this.outward.close();
    await this.world.files.close();
  }
}
