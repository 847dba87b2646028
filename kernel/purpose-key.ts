import { hkdfSync } from 'node:crypto';

/** A key that is good for one thing in one installation: whoever has it cannot make the master key or another one of it. */
export function purposeKey(masterKey: Uint8Array, installationId: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', masterKey, installationId, purpose, 32));
}
