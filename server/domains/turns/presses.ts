import { createHash, createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { buttonInfo, type CompiledRelease } from '../flow/flow.ts';

/**
 * The opaque token of a button: which button of which release, which message it hangs on, the day it was made,
 * and a seal. 26 bytes, 35 characters of the 64 bytes that Telegram allows; nothing a user wrote is in it, and
 * nothing has to be stored until it is pressed. The same message always gets the same tokens, so a turn that is
 * run again asks for the same message.
 */
export type Press = { releaseNumber: number; button: string; message: string; madeDay: number };

/** Buttons older than this are out of date: used tokens are kept for as long. */
export const pressDaysMax = 90;

export type PressMint = {
  mint(
    bot: { id: number },
    message: { key: string; releaseNumber: number; block: string; button: string; atMs: number },
  ): string;
  /** Undefined: not ours, changed, or too old. */
  open(bot: { id: number }, token: string, nowMs: number): Press | undefined;
};

const tokenBytes = 26;
const sealBytes = 8;
const dayMs = 86_400_000;

/** `masterKey` is the installation's; the seal's key is derived from it for each bot. */
export function createPressMint(masterKey: Buffer): PressMint {
  const keys = new Map<number, Buffer>();

  function keyOf(botId: number): Buffer {
    let key = keys.get(botId);
    if (!key) {
      key = Buffer.from(hkdfSync('sha256', masterKey, String(botId), 'roost press', 32));
      if (keys.size >= 20_000) keys.clear();
      keys.set(botId, key);
    }
    return key;
  }

  function seal(botId: number, content: Buffer): Buffer {
    return createHmac('sha256', keyOf(botId)).update(content).digest().subarray(0, sealBytes);
  }

  return {
    mint(bot, message) {
      const token = Buffer.alloc(tokenBytes);
      token.writeUInt32BE(message.releaseNumber, 0);
      token.set(buttonHash(message.block, message.button), 4);
      token.set(messageHash(message.key), 10);
      token.writeUInt16BE(Math.floor(message.atMs / dayMs), 16);
      token.set(seal(bot.id, token.subarray(0, tokenBytes - sealBytes)), tokenBytes - sealBytes);
      return token.toString('base64url');
    },
    open(bot, text, nowMs) {
      const token = Buffer.from(text, 'base64url');
      if (token.length !== tokenBytes || token.toString('base64url') !== text) return undefined;
      const content = token.subarray(0, tokenBytes - sealBytes);
      if (!timingSafeEqual(seal(bot.id, content), token.subarray(tokenBytes - sealBytes))) return undefined;
      const madeDay = token.readUInt16BE(16);
      if (Math.floor(nowMs / dayMs) - madeDay > pressDaysMax) return undefined;
      return {
        releaseNumber: token.readUInt32BE(0),
        button: token.subarray(4, 10).toString('hex'),
        message: token.subarray(10, 16).toString('hex'),
        madeDay,
      };
    },
  };
}

/** Tells whether a token hangs on the message of this key. */
export function isOnMessage(press: { message: string }, key: string): boolean {
  return messageHash(key).toString('hex') === press.message;
}

function messageHash(key: string): Buffer {
  return createHash('sha256').update(key).digest().subarray(0, 6);
}

function buttonHash(block: string, button: string): Buffer {
  return createHash('sha256').update(`${block}\n${button}`).digest().subarray(0, 6);
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
  for (const block of Object.keys(release.document.blocks)) {
    for (const button of idsWithin(release.document.blocks[block])) {
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
