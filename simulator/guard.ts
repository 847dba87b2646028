import { createHash, timingSafeEqual } from 'node:crypto';
import { isIP } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isLoopback } from './apps/address.ts';

/**
 * Who may come to the control API and the page at all. Where a request comes from opens nothing by itself: a proxy, a
 * tunnel or another page of the browser comes from this machine too. The control API asks for its key besides.
 */
export type Door = {
  /** Only requests of this machine, as mounted; or whoever reaches the address it was told to listen on. */
  readonly for: 'this machine' | 'everybody';
  /** The name it was told to listen on, which requests may name. */
  readonly host?: string;
};

/** Headers by which a proxy says that the request is somebody else's, though the connection is its own. */
const passedOn = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via'];

/** The host without its port, as `new URL` writes it; undefined where the header is none or broken. */
function hostnameOf(header: string | undefined): string | undefined {
  try {
    return header === undefined ? undefined : new URL(`http://${header}`).hostname;
  } catch {
    return undefined;
  }
}

const withoutMapping = (address: string): string => address.replace(/^::ffff:(?=\d)/i, '');

/** From the socket, never from a header, which anybody can write. */
function comesFromHere(request: FastifyRequest): boolean {
  const { remoteAddress = '', localAddress } = request.raw.socket;
  const peer = withoutMapping(remoteAddress);
  // Where it listens on another address alone, this machine comes from that very address.
  const isHere = isLoopback(isIP(peer) === 6 ? `[${peer}]` : peer) || remoteAddress === localAddress;
  return isHere && !passedOn.some((name) => request.headers[name] !== undefined);
}

/**
 * A page of another site can make its own name point here (DNS rebinding), and then reads what it likes. It cannot
 * do so with a number: so loopback and numbers are known to be ours, and the name that we were told.
 */
function namesUs(request: FastifyRequest, door: Door): boolean {
  const hostname = hostnameOf(request.headers.host);
  if (hostname === undefined) return false;
  return isLoopback(hostname) || isIP(hostname.replace(/^\[|\]$/g, '')) !== 0 || hostname === door.host?.toLowerCase();
}

/** Browsers say where a request comes from; programs say nothing. Another port of this machine is another site. */
function isForeign(request: FastifyRequest, what: 'control' | 'page'): boolean {
  const { origin, host } = request.headers;
  if (origin !== undefined && !sameHost(origin, host)) return true;
  // A link to the page is no harm; a call that another page has made is.
  const site = request.headers['sec-fetch-site'];
  return what === 'control' && site !== undefined && site !== 'same-origin' && site !== 'none';
}

function sameHost(origin: string, host: string | undefined): boolean {
  try {
    return new URL(origin).host === new URL(`http://${host}`).host;
  } catch {
    return false;
  }
}

/** Why a request is refused, as a sentence; undefined where it may go on. */
export function refusalAt(door: Door, what: 'control' | 'page', request: FastifyRequest): string | undefined {
  if (door.for === 'this machine' && !comesFromHere(request))
    return 'The simulated Telegram shows its page and takes orders only on the machine it runs on. Open it there, at a loopback address, or through an SSH tunnel.';
  if (!namesUs(request, door))
    return 'The simulated Telegram is not known by this name. Open it at its own address: localhost, or a number.';
  if (isForeign(request, what)) return 'The simulated Telegram takes no orders from the page of another site.';
  return undefined;
}

/** The hook of the page's files, which hold nothing but what everybody may read. */
export function guardPage(door: Door) {
  return (request: FastifyRequest, reply: FastifyReply, done: () => void): void => {
    const refusal = refusalAt(door, 'page', request);
    if (refusal === undefined) return done();
    reply.code(403).header('cache-control', 'no-store');
    reply.type('text/plain; charset=utf-8').send(`${refusal}\n`);
  };
}

const NO_KEY =
  'The simulated Telegram takes orders from those who know its key alone. It stands behind "#key=" in the address that was printed at the start; send it as "Authorization: Bearer KEY".';

/** Routes that a browser asks for by itself, without a header of ours: the stream of events, and pictures. */
const BY_ADDRESS = /\/control\/(?:events|files\/[^/?]+)\?/;

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** The hook of the control API: the door, and then the key. */
export function guardControl(door: Door, key: string) {
  const wanted = digest(key);
  const isKey = (given: unknown): boolean => typeof given === 'string' && timingSafeEqual(digest(given), wanted);
  return (request: FastifyRequest, reply: FastifyReply, done: () => void): void => {
    const refusal = refusalAt(door, 'control', request);
    const given = /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? '')?.[1];
    const inAddress = request.method === 'GET' && BY_ADDRESS.test(request.url);
    const { key: named } = request.query as { key?: unknown };
    if (refusal === undefined && (isKey(given) || (inAddress && isKey(named)))) return done();
    reply.code(refusal === undefined ? 401 : 403).header('cache-control', 'no-store');
    reply.send({ error: refusal ?? NO_KEY });
  };
}
