import { createHash } from 'node:crypto';

/** A short name for a long one: 22 characters that are the same for the same text. Keys made of keys would grow without end. */
export function shortName(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 22);
}

/** Telegram's ids keep within 52 bits. */
const telegramIdsEnd = 2 ** 52;

/**
 * The lane of a visitor of a web site, who has no chat: a number below all that Telegram gives, the same for the same
 * visitor.
 */
export function visitorLane(visitorId: string): number {
  const digest = createHash('sha256').update(visitorId).digest();
  return -telegramIdsEnd - (digest.readUIntBE(0, 6) * 16 + (digest.readUInt8(6) & 15));
}

/** True for the lane of a visitor of a web site: nothing can be sent there. */
export function isVisitorLane(id: number): boolean {
  return id <= -telegramIdsEnd;
}

/** A number in [0, 1) that depends on the text alone: chance that a repeated turn meets again. */
export function chanceOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return (hash >>> 0) / 0x1_0000_0000;
}
