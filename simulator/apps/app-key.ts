import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';

/**
 * The key pair with which this simulator signs launches, as Telegram does with its own. A server under test has to be
 * told to trust the public half.
 */
export class AppKey {
  #private: KeyObject = generateKeyPairSync('ed25519').privateKey;

  /** The public half as 64 hexadecimal digits, as Telegram publishes its own. */
  get publicHex(): string {
    const { x } = createPublicKey(this.#private).export({ format: 'jwk' });
    return Buffer.from(x ?? '', 'base64url').toString('hex');
  }

  /** Ed25519 over the text, base64url without padding. */
  sign(text: string): string {
    return sign(null, Buffer.from(text), this.#private).toString('base64url');
  }

  /** The private half as text, to be kept. */
  record(): string {
    return this.#private.export({ format: 'der', type: 'pkcs8' }).toString('base64');
  }

  /** Puts back what `record` gave, so that servers that trusted the key still do. */
  restore(record: string): void {
    this.#private = createPrivateKey({ key: Buffer.from(record, 'base64'), format: 'der', type: 'pkcs8' });
  }
}
