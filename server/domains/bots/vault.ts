// Secrets at rest.
import type { KeyObject } from 'node:crypto';

/** Where a secret stands. It opens nowhere else. */
export type Place = { readonly table: string; readonly column: string; readonly publicId: string };

/** A project's own key, opened. */
export type DataKey = { readonly key: KeyObject; readonly id: number };

export type Vault = {
  /** A fresh key for a project, and its sealed form for `project.data_key`. */
  makeDataKey(projectPublicId: string): { sealed: Buffer; key: DataKey };
  /** Opens `project.data_key`. Throws Refusal KEY_WRONG. */
  openDataKey(sealed: Uint8Array, projectPublicId: string): DataKey;
  /** The same data key sealed under the current master key, or undefined when it already is. Throws Refusal KEY_WRONG. */
  resealDataKey(sealed: Uint8Array, projectPublicId: string): Buffer | undefined;
};
export type VaultKeys = {
  /** 32 bytes. */
  readonly master: Uint8Array;
  /** Master keys of before, that open but no longer seal. */
  readonly previous?: readonly Uint8Array[];
};

export function createVault(_keys: VaultKeys): Vault {
  throw new Error('In the making.');
}
export function seal(_key: DataKey, _place: Place, _secret: string): Buffer {
  throw new Error('In the making.');
}
export function open(_key: DataKey, _place: Place, _sealed: Uint8Array): string {
  throw new Error('In the making.');
}
