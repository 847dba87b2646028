import { lookup } from 'node:dns';
import type { AddressInfo, LookupFunction } from 'node:net';
import { BlockList, isIP } from 'node:net';
import { Agent, type Dispatcher } from 'undici';
import type { Settings } from '../settings.ts';

/** Addresses that are nobody's on the public internet: this machine, its networks, and what is set apart. */
const CLOSED = closedAddresses();

function closedAddresses(): BlockList {
  const list = new BlockList();
  const v4 =
    '0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4';
  const v6 =
    '::/127 64:ff9b::/96 64:ff9b:1::/48 100::/64 2001::/23 2001:db8::/32 2002::/16 fc00::/7 fe80::/10 ff00::/8';
  for (const [family, subnets] of [['ipv4', v4] as const, ['ipv6', v6] as const])
    for (const subnet of subnets.split(' ')) {
      const [network = '', bits] = subnet.split('/');
      list.addSubnet(network, Number(bits), family);
    }
  return list;
}

/** Whether anybody may speak to this address. A number of the old protocol inside one of the new is looked at itself. */
export function isPublic(address: string): boolean {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  const bare = mapped ?? address;
  const family = isIP(bare);
  if (family === 0 || (family === 6 && /^::ffff:/i.test(bare))) return false;
  return !CLOSED.check(bare, family === 6 ? 'ipv6' : 'ipv4');
}

/** Resolves names as usual, and hands on only what `isPublic`: a name that points inside reaches nothing. */
const publicLookup: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, found) => {
    const open = error ? [] : found.filter(({ address }) => isPublic(address));
    const [first] = open;
    if (first === undefined) callback(error ?? Object.assign(new Error('reserved'), { code: 'ENOTFOUND' }), '');
    else if (options.all) callback(null, open);
    else callback(null, first.address, first.family);
  });
};

const bracketless = (hostname: string): string => hostname.replace(/^\[|\]$/g, '');
const ANY = new Set(['0.0.0.0', '::']);
const LOOPBACK = new Set(['127.0.0.1', 'localhost', '::1']);

/**
 * Where the simulator's own requests may go: webhooks, and files that a bot names by an address. Whoever has a token
 * may ask for both, so a mounted simulator would else be a way into the machine and its networks.
 */
export class Outward {
  readonly #settings: Settings;
  #public: Dispatcher | undefined;
  /** Where the server listens that the simulator is mounted in. */
  own: () => AddressInfo | string | null = () => null;

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  /** The server that this simulator is a part of. */
  isOwn(url: URL): boolean {
    const listening = this.own();
    if (listening === null || typeof listening === 'string' || url.protocol !== 'http:') return false;
    if (Number(url.port || 80) !== listening.port) return false;
    const host = bracketless(url.hostname);
    const here = ANY.has(listening.address) || LOOPBACK.has(listening.address);
    return host === listening.address || (here && LOOPBACK.has(host));
  }

  /** Whether a webhook may stand there. */
  mayPost(url: URL): boolean {
    return this.#settings.reach === 'any' || this.isOwn(url);
  }

  /** How a file of this address is fetched; undefined where it may not be. Names are looked at when they are resolved. */
  fetcher(url: URL): { dispatcher?: Dispatcher } | undefined {
    if (this.#settings.reach === 'any') return {};
    const host = bracketless(url.hostname);
    if (isIP(host) !== 0 && !isPublic(host)) return undefined;
    this.#public ??= new Agent({ connect: { lookup: publicLookup } });
    return { dispatcher: this.#public };
  }

  async close(): Promise<void> {
    await this.#public?.destroy();
    this.#public = undefined;
  }
}
