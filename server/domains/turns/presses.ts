import { createHmac, createSecretKey, hash, timingSafeEqual } from 'node:crypto';
import { buttonInfo, type CompiledRelease, ownButtons } from '../flow/flow.ts';

/**
 * The opaque token of a button: which button of which release, which message it hangs on, the day it was made,
 * and a seal; where that message stands in a topic, that too, since of an old message Telegram does not say so any more.
 * 26 or 34 bytes, 35 or 46 characters of the 64 bytes that Telegram allows; nothing a user wrote is in it, and
 * nothing has to be stored until it is pressed. The same message always gets the same tokens, so a turn that is
 * run again asks for the same message.
 */
export type Press = { releaseNumber: number; button: string; message: string; madeDay: number; threadId: number };

/** Buttons older than this are out of date: used tokens are kept for as long. */
export const pressDaysMax = 90;

export type PressMint = {
  /** Makes the tokens of one message's buttons. */
  forMessage(
    bot: { id: number },
    message: { key: string; releaseNumber: number; atMs: number; threadId?: number },
  ): (button: { block: string; button: string }) => string;
  /** Undefined: not ours, changed, or too old. */
  open(bot: { id: number }, token: string, nowMs: number): Press | undefined;
};

const headBytes = 12;
const buttonBytes = 6;
const sealBytes = 8;
const threadBytes = 8;
const tokenBytes = headBytes + buttonBytes + sealBytes;
const dayMs = 86_400_000;

/**
 * The seal: an HMAC over bot and message gives a key of that message, and a hash of that key with the button (of fixed
 * length, so nothing can be appended) seals each button. One HMAC a message instead of one a button: minting took
 * 15 % of the time of a turn before.
 */
export function createPressMint(masterKey: Buffer): PressMint {
  const key = createSecretKey(masterKey);

  function messageKey(botId: number, head: Buffer): Buffer {
    const bot = Buffer.allocUnsafe(8);
    bot.writeDoubleBE(botId, 0);
    return createHmac('sha256', key).update(bot).update(head).digest();
  }

  return {
    forMessage(bot, message) {
      const head = Buffer.allocUnsafe(headBytes);
      head.writeUInt32BE(message.releaseNumber, 0);
      messageHash(message.key).copy(head, 4);
      head.writeUInt16BE(Math.floor(message.atMs / dayMs), 10);
      const sealing = messageKey(bot.id, head);
      const thread = threadOf(message.threadId ?? 0);
      return ({ block, button }) => {
        const hash = buttonHash(block, button);
        const body = thread === undefined ? hash : Buffer.concat([hash, thread]);
        return Buffer.concat([head, body, seal(sealing, body)]).toString('base64url');
      };
    },
    open(bot, text, nowMs) {
      const token = Buffer.from(text, 'base64url');
      if (token.length !== tokenBytes && token.length !== tokenBytes + threadBytes) return undefined;
      if (token.toString('base64url') !== text) return undefined;
      const head = token.subarray(0, headBytes);
      const body = token.subarray(headBytes, token.length - sealBytes);
      const sealing = messageKey(bot.id, head);
      if (!timingSafeEqual(seal(sealing, body), token.subarray(token.length - sealBytes))) return undefined;
      const madeDay = head.readUInt16BE(10);
      if (Math.floor(nowMs / dayMs) - madeDay > pressDaysMax) return undefined;
      return {
        releaseNumber: head.readUInt32BE(0),
        button: body.subarray(0, buttonBytes).toString('hex'),
        message: head.subarray(4, 10).toString('hex'),
        madeDay,
        threadId: body.length > buttonBytes ? Number(body.readBigInt64BE(buttonBytes)) : 0,
      };
    },
  };
}

function threadOf(threadId: number): Buffer | undefined {
  if (threadId === 0) return undefined;
  const bytes = Buffer.allocUnsafe(threadBytes);
  bytes.writeBigInt64BE(BigInt(threadId));
  return bytes;
}

const seal = (sealing: Buffer, button: Buffer): Buffer =>
  hash('sha256', Buffer.concat([sealing, button]), 'buffer').subarray(0, sealBytes);

/** Tells whether a token hangs on the message of this key. */
export function isOnMessage(press: { message: string }, key: string): boolean {
  return messageHash(key).toString('hex') === press.message;
}

const messageHash = (key: string): Buffer => hash('sha256', key, 'buffer').subarray(0, 6);

const buttonHashes = new Map<string, Buffer>();
const buttonHashesMax = 20_000;

/** Of each button of each flow, so remembered: there are few, and they come again and again. */
function buttonHash(block: string, button: string): Buffer {
  const name = `${block}\n${button}`;
  let known = buttonHashes.get(name);
  if (!known) {
    known = hash('sha256', name, 'buffer').subarray(0, buttonBytes);
    if (buttonHashes.size >= buttonHashesMax) buttonHashes.clear();
    buttonHashes.set(name, known);
  }
  return known;
}

type ButtonPlace = { block: string; button: string };

const buttonsOfReleases = new WeakMap<CompiledRelease, Map<string, ButtonPlace>>();

/** Which button of a release a token means. The release's buttons are listed once, when first asked. */
export function findButton(release: CompiledRelease, hash: string): ButtonPlace | undefined {
  let buttons = buttonsOfReleases.get(release);
  if (!buttons) {
    buttons = listButtons(release);
    buttonsOfReleases.set(release, buttons);
  }
  return buttons.get(hash);
}

/** Every id inside a block that the flow knows as a button of it. */
function listButtons(release: CompiledRelease): Map<string, ButtonPlace> {
  const buttons = new Map<string, ButtonPlace>();
  for (const [block, parts] of Object.entries(release.document.blocks)) {
    for (const button of [...idsWithin(parts), ...ownButtons(parts)]) {
      if (buttonInfo(release, block, button)) buttons.set(buttonHash(block, button).toString('hex'), { block, button });
    }
  }
  return buttons;
}

function idsWithin(value: unknown, ids = new Set<string>()): Set<string> {
  if (typeof value !== 'object' || value === null) return ids;
  for (const [name, inner] of Object.entries(value)) {
    if (name === 'id' && typeof inner === 'string') ids.add(inner);
    else idsWithin(inner, ids);
  }
  return ids;
}
