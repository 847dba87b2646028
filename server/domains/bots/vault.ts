// Secrets at rest: envelope encryption with AES-256-GCM. A project's data key seals its secrets; the master key
// seals data keys. Changing the master key reseals one row a project and touches no secret.
//
// A sealed value is: version (1 byte), id of the key (4), nonce (12), ciphertext, tag (16).
// The key's id says which of several keys opens it, so that an old master key can stay until it is not needed.

import type { KeyObject } from 'node:crypto';
import { createCipheriv, createDecipheriv, createHash, createSecretKey, randomBytes } from 'node:crypto';
import { Refusal } from '../../../kernel/errors.ts';

/** Where a secret stands. It opens nowhere else, so a value copied into another row is worth nothing. */
export type Place = { readonly table: string; readonly column: string; readonly publicId: string };

/** A key that seals, with the id that its sealed values carry. */
export type SealingKey = { readonly key: KeyObject; readonly id: number };

export type VaultKeys = {
  /** 32 bytes. */
  readonly master: Uint8Array;
  /** Master keys of before: they open but no longer seal. */
  readonly previous?: readonly Uint8Array[];
};

export type Vault = {
  /** A fresh key for a project, and its sealed form for `project.data_key`. */
  makeDataKey(projectPublicId: string): { sealed: Buffer; key: SealingKey };
  /** Opens `project.data_key`. Throws Refusal KEY_WRONG. */
  openDataKey(sealed: Uint8Array, projectPublicId: string): SealingKey;
  /** The same data key under the current master key, or undefined where it already is. Throws Refusal KEY_WRONG. */
  resealDataKey(sealed: Uint8Array, projectPublicId: string): Buffer | undefined;
};

const formatVersion = 1;
const keyBytes = 32;
const nonceBytes = 12;
const tagBytes = 16;
const headBytes = 1 + 4 + nonceBytes;

/** Throws when a master key has not 32 bytes: the configuration makes sure of that. */
export function createVault(keys: VaultKeys): Vault {
  const master = sealingKey(keys.master);
  const known = new Map([master, ...(keys.previous ?? []).map(sealingKey)].map((key) => [key.id, key]));

  function openDataKey(sealed: Uint8Array, projectPublicId: string): SealingKey {
    const opener = known.get(keyIdOf(sealed));
    if (opener === undefined) throw new Refusal('KEY_WRONG');
    return sealingKey(decrypt(opener, dataKeyPlace(projectPublicId), sealed));
  }

  return {
    makeDataKey(projectPublicId) {
      const bytes = randomBytes(keyBytes);
      return { sealed: encrypt(master, dataKeyPlace(projectPublicId), bytes), key: sealingKey(bytes) };
    },
    openDataKey,
    resealDataKey(sealed, projectPublicId) {
      if (keyIdOf(sealed) === master.id) return undefined;
      const bytes = openDataKey(sealed, projectPublicId).key.export();
      return encrypt(master, dataKeyPlace(projectPublicId), bytes);
    },
  };
}

/** Seals a secret for one place. */
export function seal(key: SealingKey, place: Place, secret: string): Buffer {
  return encrypt(key, place, Buffer.from(secret));
}

/** Opens what was sealed for this place. Throws Refusal KEY_WRONG: another key, another place, or changed bytes. */
export function open(key: SealingKey, place: Place, sealed: Uint8Array): string {
  return decrypt(key, place, sealed).toString();
}

function dataKeyPlace(projectPublicId: string): Place {
  return { table: 'project', column: 'data_key', publicId: projectPublicId };
}

/** The id is a hash, so that it tells nothing of the key: 4 bytes are enough to tell a handful apart. */
function sealingKey(bytes: Uint8Array): SealingKey {
  if (bytes.length !== keyBytes) throw new Error(`A key has ${keyBytes} bytes, not ${bytes.length}.`);
  const id = createHash('sha256').update('roost key id').update(bytes).digest().readUInt32BE(0);
  return { key: createSecretKey(bytes), id };
}

function keyIdOf(sealed: Uint8Array): number {
  const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength);
  if (bytes.length < headBytes + tagBytes || bytes[0] !== formatVersion) throw new Refusal('KEY_WRONG');
  return bytes.readUInt32BE(1);
}

/** GCM breaks when a nonce comes twice under one key; 96 random bits are safe for 2^32 values, and a data key seals a few hundred. */
function encrypt(key: SealingKey, place: Place, plain: Uint8Array): Buffer {
  const head = Buffer.alloc(headBytes);
  head[0] = formatVersion;
  head.writeUInt32BE(key.id, 1);
  const nonce = randomBytes(nonceBytes);
  nonce.copy(head, 5);
  const cipher = createCipheriv('aes-256-gcm', key.key, nonce).setAAD(boundTo(place));
  return Buffer.concat([head, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

function decrypt(key: SealingKey, place: Place, sealed: Uint8Array): Buffer {
  if (keyIdOf(sealed) !== key.id) throw new Refusal('KEY_WRONG');
  const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength);
  const decipher = createDecipheriv('aes-256-gcm', key.key, bytes.subarray(5, headBytes), { authTagLength: tagBytes });
  decipher.setAAD(boundTo(place)).setAuthTag(bytes.subarray(-tagBytes));
  try {
    return Buffer.concat([decipher.update(bytes.subarray(headBytes, -tagBytes)), decipher.final()]);
  } catch {
    throw new Refusal('KEY_WRONG');
  }
}

/** JSON keeps the parts apart whatever they hold. */
function boundTo(place: Place): Buffer {
  return Buffer.from(JSON.stringify([formatVersion, place.table, place.column, place.publicId]));
}
