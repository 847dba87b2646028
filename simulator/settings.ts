import { APP_VERSION } from './apps/version.ts';

/** Numbers of Telegram's limits on sending (telegram.md 3.7). Counted at the moment a message is accepted. */
export type Limits = {
  on: boolean;
  /** Messages of one bot in any second. */
  botPerSecond: number;
  /** Messages a second to one private chat, after a burst of `chatBurst`. */
  chatPerSecond: number;
  chatBurst: number;
  /** Messages to one group in any minute. */
  groupPerMinute: number;
  /** One setWebhook a second for a bot. */
  setWebhookPerSecond: boolean;
};

/** What can be changed while the simulator runs. */
export type Settings = {
  /** Refuse parameters that the method does not have (Telegram ignores them), and webhook ports it would refuse. */
  strict: boolean;
  /** How long an answer is held back. The call itself is accepted or refused when it arrives. */
  latencyMs: number;
  /** Retry delays and lifetimes of updates are divided by this. */
  speed: number;
  /** A private chat that nobody opened is made when a bot writes to it (benches that post webhooks themselves). */
  autoChats: boolean;
  limits: Limits;
  /** No answer from a webhook in this time is a failure. */
  webhookTimeoutMs: number;
  /**
   * Where requests of its own may go: to the server it is mounted in alone (and for files to the public internet), or
   * anywhere. Without it, whoever knows a token could make this machine speak to whatever it reaches.
   */
  reach: 'own' | 'any';
  /** Where Mini Apps may be served from without TLS; Telegram itself says `none`. */
  appsOverHttp: 'none' | 'loopback' | 'any';
  /** Which version of the protocol of Mini Apps the chat page speaks: `6.0` is a client of its first year. */
  appVersion: string;
  /** A button press can be answered for this long. */
  callbackSeconds: number;
  /** Entries that each log keeps. */
  logMax: number;
  /** What the call log keeps of the parameters. */
  logParams: 'full' | 'hash' | 'none';
  /** Messages that each chat keeps. */
  historyMax: number;
};

/** Options of `createSimulator`: settings, and what is fixed at the start. */
export type SimulatorOptions = Partial<Omit<Settings, 'limits'>> & {
  limits?: Partial<Limits> | false;
  /** Seed of everything random, tokens included. Without one, tokens cannot be guessed. */
  seed?: number;
  /** What the control API asks for; one that nobody can guess where it is not given. */
  controlKey?: string;
  /**
   * A folder: files in it are taken as file:///path, and getFile answers with paths of the disk, as a Local Bot API
   * server does. Nothing outside of it is ever read. Not for a simulator that is mounted in another server.
   */
  localFiles?: string;
  /** Longest body of a call or upload. */
  bodyBytesMax?: number;
};

const LIMITS: Limits = {
  on: true,
  botPerSecond: 30,
  chatPerSecond: 1,
  chatBurst: 3,
  groupPerMinute: 20,
  setWebhookPerSecond: false,
};

/** Settings from options, Telegram's own values where nothing is said. */
export function readSettings(options: SimulatorOptions): Settings {
  const limits = options.limits === false ? { on: false } : options.limits;
  return {
    strict: options.strict ?? true,
    latencyMs: options.latencyMs ?? 0,
    speed: options.speed ?? 1,
    autoChats: options.autoChats ?? false,
    limits: { ...LIMITS, ...limits },
    webhookTimeoutMs: options.webhookTimeoutMs ?? 60_000,
    reach: options.reach ?? 'any',
    appsOverHttp: options.appsOverHttp ?? 'loopback',
    appVersion: options.appVersion ?? APP_VERSION,
    callbackSeconds: options.callbackSeconds ?? 15,
    logMax: options.logMax ?? 500_000,
    logParams: options.logParams ?? 'full',
    historyMax: options.historyMax ?? 1_000,
  };
}
