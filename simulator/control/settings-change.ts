import { isAppVersion } from '../apps/version.ts';
import type { SettingsChange } from '../core.ts';

/** Why the value is wrong, or undefined. */
type Check = (value: unknown) => string | undefined;

const flag: Check = (value) => (typeof value === 'boolean' ? undefined : 'is true or false');
const number =
  (min: number, max: number): Check =>
  (value) =>
    typeof value === 'number' && value >= min && value <= max ? undefined : `is a number from ${min} to ${max}`;
const whole =
  (min: number, max: number): Check =>
  (value) =>
    Number.isInteger(value) ? number(min, max)(value) : `is a whole number from ${min} to ${max}`;
const oneOf =
  (...words: string[]): Check =>
  (value) =>
    words.includes(value as string) ? undefined : `is one of ${words.join(', ')}`;

const dayMs = 86_400_000;

const limitChecks: Readonly<Record<string, Check>> = {
  on: flag,
  botPerSecond: number(0.001, 1_000_000),
  chatPerSecond: number(0.001, 1_000_000),
  chatBurst: whole(1, 1_000_000),
  groupPerMinute: number(0.001, 1_000_000),
  setWebhookPerSecond: flag,
};

const checks: Readonly<Record<string, Check>> = {
  strict: flag,
  latencyMs: number(0, dayMs),
  speed: number(0.001, 1_000_000),
  autoChats: flag,
  limits: (value) => faultIn(value, limitChecks),
  webhookTimeoutMs: number(1, dayMs),
  reach: oneOf('own', 'any'),
  appsOverHttp: oneOf('none', 'loopback', 'any'),
  appVersion: (value) => (isAppVersion(value) ? undefined : 'is a version of the protocol of Mini Apps, such as "6.0"'),
  callbackSeconds: number(0, 86_400),
  logMax: whole(1, 10_000_000),
  logParams: oneOf('full', 'hash', 'none'),
  historyMax: whole(1, 1_000_000),
};

function faultIn(value: unknown, known: Readonly<Record<string, Check>>): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'is an object';
  for (const [name, each] of Object.entries(value)) {
    // It would let whoever reaches the port read files: the program that makes a simulator decides that.
    if (name === 'localFiles') return 'localFiles is chosen by the program that makes the simulator, never here';
    const check = Object.hasOwn(known, name) ? known[name] : undefined;
    if (check === undefined) return `there is no setting of that name; there are ${Object.keys(known).join(', ')}`;
    const fault = check(each);
    if (fault !== undefined) return name === 'limits' && fault !== 'is an object' ? fault : `${name} ${fault}`;
  }
  return undefined;
}

/** A change of settings as it came over HTTP. Throws a sentence: nothing is changed where a part of it is wrong. */
export function readSettingsChange(body: unknown): SettingsChange {
  const fault = faultIn(body, checks);
  if (fault !== undefined)
    throw Object.assign(new Error(fault === 'is an object' ? 'the settings are an object' : fault), {
      statusCode: 400,
    });
  return body as SettingsChange;
}
