import { chanceOf } from './names.ts';

/** Counts by name in bounded memory. */
export type Tally = {
  count(name: string): number;
  add(name: string): void;
};

/** What newcomers share once all names are taken. */
const sharedMax = 1_024;

/**
 * A stranger with many names makes nobody else forgotten: known names stay, and those that come when all `namesMax` are
 * taken share counts among themselves.
 */
export function createTally(namesMax: number): Tally {
  const own = new Map<string, number>();
  const shared = new Uint32Array(sharedMax);
  const placeOf = (name: string): number => Math.floor(chanceOf(name) * sharedMax);
  const isOwn = (name: string): boolean => own.has(name) || own.size < namesMax;
  return {
    count: (name) => (isOwn(name) ? (own.get(name) ?? 0) : (shared[placeOf(name)] ?? 0)),
    add(name) {
      if (isOwn(name)) own.set(name, (own.get(name) ?? 0) + 1);
      else shared[placeOf(name)] = (shared[placeOf(name)] ?? 0) + 1;
    },
  };
}

/**
 * The household or rented machine behind an address, for limits: the first 64 bits of IPv6, which is what one is given; the
 * whole of IPv4, also as IPv6 writes it.
 */
export function networkOf(address: string): string {
  const plain = address.split('%', 1)[0] ?? '';
  const v4 = /^::ffff:(\d{1,3}(?:\.\d{1,3}){3})$/i.exec(plain)?.[1];
  if (v4 !== undefined || !plain.includes(':')) return v4 ?? address;
  const [before = '', after] = plain.toLowerCase().split('::', 2);
  const groups = (text: string): string[] => (text === '' ? [] : text.split(':'));
  const [head, tail] = [groups(before), groups(after ?? '')];
  const zeros = after === undefined ? 0 : Math.max(0, 8 - head.length - tail.length);
  const all = [...head, ...Array<string>(zeros).fill('0'), ...tail];
  return `${all
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`;
}
