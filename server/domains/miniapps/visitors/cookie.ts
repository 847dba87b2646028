// Who comes back on the web: a random id in a cookie that only we can make. It says nothing of the person.
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

export type WebVisitor = { readonly id: string; readonly sinceMs: number };

export const cookieDays = 180;

/** With https nobody but this very host can set it; without, there is no such promise to ask for. */
export const cookieName = (isHttps: boolean): string => (isHttps ? '__Host-roost_visitor' : 'roost_visitor');

/** A fresh visitor's cookie, as `Set-Cookie` takes it. */
export function freshCookie(key: Uint8Array, nowMs: number, isHttps: boolean): string {
  const id = randomBytes(16).toString('base64url');
  const value = sealed(key, id, Math.floor(nowMs / 1_000));
  const secure = isHttps ? '; Secure' : '';
  return `${cookieName(isHttps)}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${cookieDays * 86_400}${secure}`;
}

/** The visitor of a request's cookies, when the cookie is ours and not too old. */
export function readCookie(
  key: Uint8Array,
  header: string | undefined,
  nowMs: number,
  isHttps: boolean,
): WebVisitor | undefined {
  const value = cookieValue(header, cookieName(isHttps));
  const [id, since] = value?.split('.') ?? [];
  if (value === undefined || id === undefined || since === undefined || !/^\d{1,12}$/.test(since)) return undefined;
  const expected = Buffer.from(sealed(key, id, Number(since)));
  const given = Buffer.from(value);
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
  const sinceMs = Number(since) * 1_000;
  return nowMs - sinceMs < cookieDays * 86_400_000 && sinceMs <= nowMs + 60_000 ? { id, sinceMs } : undefined;
}

function sealed(key: Uint8Array, id: string, sinceSeconds: number): string {
  const seal = createHmac('sha256', key).update(`visitor ${id} ${sinceSeconds}`).digest('base64url');
  return `${id}.${sinceSeconds}.${seal}`;
}

function cookieValue(header: string | undefined, name: string): string | undefined {
  for (const part of (header ?? '').slice(0, 8_192).split(';')) {
    const cut = part.indexOf('=');
    if (cut > 0 && part.slice(0, cut).trim() === name) return part.slice(cut + 1).trim();
  }
  return undefined;
}
