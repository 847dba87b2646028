import { createHmac } from 'node:crypto';

/** Fields in the order in which they are sent. */
export type InitFields = readonly (readonly [name: string, value: string])[];

/** Whose launch it is, and who vouches for it. */
export type Signer = { readonly token: string; readonly botId: number; sign(text: string): string };

/** What a test wants to be wrong with a launch. */
const SPOILS = ['user', 'hash', 'signature', 'no-hash', 'no-signature', 'other-token', 'other-bot', 'twice'] as const;
export type Spoil = (typeof SPOILS)[number];

/** What both signatures are made over: `name=value` lines in the order of the alphabet. */
function checkText(fields: InitFields): string {
  return fields
    .map(([name, value]) => `${name}=${value}`)
    .sort()
    .join('\n');
}

function hashOf(fields: InitFields, token: string): string {
  const secret = createHmac('sha256', 'WebAppData').update(token).digest();
  return createHmac('sha256', secret).update(checkText(fields)).digest('hex');
}

function queryOf(fields: InitFields): string {
  return fields.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&');
}

/** The fields with `signature` (over all of them) and `hash` (over all of them and the signature), as a query string. */
export function signInitData(fields: InitFields, signer: Signer): string {
  const signature = signer.sign(`${signer.botId}:WebAppData\n${checkText(fields)}`);
  const signed: InitFields = [...fields, ['signature', signature]];
  return queryOf([...signed, ['hash', hashOf(signed, signer.token)]]);
}

/** Another first character of the same alphabet. */
function bent(text: string): string {
  return `${text.startsWith('a') ? 'b' : 'a'}${text.slice(1)}`;
}

/** Somebody else's user object. */
function stranger(user: string): string {
  return JSON.stringify({ ...JSON.parse(user), id: 1, first_name: 'Mallory' });
}

/**
 * A launch with one thing wrong. `signature` keeps a right hash and `hash` a right signature, so that each check can be
 * tried alone; `no-signature` is what clients sent before there was one, with a right hash.
 */
export function spoiledInitData(fields: InitFields, signer: Signer, spoil: Spoil): string {
  if (!SPOILS.includes(spoil)) throw new Error(`a launch is spoiled by one of ${SPOILS.join(', ')}, not by "${spoil}"`);
  if (spoil === 'other-token') return signInitData(fields, { ...signer, token: bent(signer.token) });
  if (spoil === 'other-bot') return signInitData(fields, { ...signer, botId: signer.botId + 1 });
  if (spoil === 'no-signature') return queryOf([...fields, ['hash', hashOf(fields, signer.token)]]);
  const query = new URLSearchParams(signInitData(fields, signer));
  const user = query.get('user');
  if (spoil === 'no-hash') query.delete('hash');
  if (spoil === 'hash') query.set('hash', bent(query.get('hash') ?? ''));
  if (spoil === 'user' && user) query.set('user', stranger(user));
  if (spoil === 'signature') {
    const signed: InitFields = [...fields, ['signature', bent(query.get('signature') ?? '')]];
    return queryOf([...signed, ['hash', hashOf(signed, signer.token)]]);
  }
  const sent = queryOf([...query]);
  return spoil === 'twice' && user ? `${queryOf([['user', stranger(user)]])}&${sent}` : sent;
}
