import { generateKeyPairSync, sign } from 'node:crypto';
import { expect, test } from 'vitest';
import { signed } from '../harness.ts';
import { checkInitData, ed25519Key, type InitDataCheck, telegramKeys } from './init-data.ts';

const token = '7342037359:AAHI25ES9xCOMPokpYoz-p8XVrZUdygo2J4';
const nowMs = 1_733_509_682_000;
const check: InitDataCheck = { botId: 7_342_037_359, token, keys: [ed25519Key(telegramKeys.production)], nowMs };
const user = JSON.stringify({
  id: 279_058_397,
  first_name: 'Anna + Co',
  language_code: 'ru',
  photo_url: 'https://t.me/i/a.svg',
});
const at = (seconds: number): string => String(nowMs / 1_000 - seconds);
const found = (text: string, more: Partial<InitDataCheck> = {}) => checkInitData(text, { ...check, ...more });

test('what the bot’s token has signed is believed, with its start parameter', () => {
  expect(found(signed({ user, auth_date: at(10), start_param: 'summer' }, token))).toEqual({
    user: {
      id: 279_058_397,
      firstName: 'Anna + Co',
      lastName: '',
      username: '',
      languageCode: 'ru',
      photoUrl: 'https://t.me/i/a.svg',
    },
    start: 'summer',
    authDateMs: nowMs - 10_000,
  });
});

/** The sample that Telegram's own documentation of third parties is tried with (docs.telegram-mini-apps.com). */
const sample =
  'user=%7B%22id%22%3A279058397%2C%22first_name%22%3A%22Vladislav%20%2B%20-%20%3F%20%5C%2F%22%2C%22last_name%22%3A%22Kibenko%22%2C%22username%22%3A%22vdkfrost%22%2C%22language_code%22%3A%22ru%22%2C%22is_premium%22%3Atrue%2C%22allows_write_to_pm%22%3Atrue%2C%22photo_url%22%3A%22https%3A%5C%2F%5C%2Ft.me%5C%2Fi%5C%2Fuserpic%5C%2F320%5C%2F4FPEE4tmP3ATHa57u6MqTDih13LTOiMoKoLDRG4PnSA.svg%22%7D&chat_instance=8134722200314281151&chat_type=private&auth_date=1733509682&signature=TYJxVcisqbWjtodPepiJ6ghziUL94-KNpG8Pau-X7oNNLNBM72APCpi_RKiUlBvcqo5L-LAxIc3dnTzcZX_PDg&hash=a433d8f9847bd6addcc563bff7cc82c89e97ea0d90c11fe5729cae6796a36d73';

test('a real sample of Telegram is believed by its signature, without the token, for its own bot alone', () => {
  const without = { token: undefined };
  expect(found(sample, without)).toMatchObject({
    user: { id: 279_058_397, lastName: 'Kibenko', username: 'vdkfrost' },
  });
  expect(found(sample, { ...without, botId: 7_342_037_360 })).toEqual({ fault: 'forged' });
  expect(found(sample, { ...without, keys: [ed25519Key(telegramKeys.test)] })).toEqual({ fault: 'forged' });
  expect(found(sample.replace('Vladislav', 'Mallory'), without)).toEqual({ fault: 'forged' });
  expect(found(sample.replace(/&signature=[^&]+/, ''), without)).toEqual({ fault: 'unsigned' });
});

test('with a token a signature does not help out a wrong hash', () => {
  expect(found(sample.replace(/hash=./, 'hash=0'))).toEqual({ fault: 'forged' });
  expect(found(sample, { token: token.replace('AAH', 'AAI') })).toEqual({ fault: 'forged' });
});

test('a key of a simulated Telegram vouches where it is trusted', () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const hexKey = Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url').toString('hex');
  const text = `1:WebAppData\nauth_date=${at(0)}\nuser=${user}`;
  const signature = sign(null, Buffer.from(text), privateKey).toString('base64url');
  const data = `auth_date=${at(0)}&user=${encodeURIComponent(user)}&signature=${signature}&hash=0`;
  const trusting = { botId: 1, token: undefined, keys: [ed25519Key(hexKey)] };
  expect(found(data, trusting)).toMatchObject({ user: { id: 279_058_397 } });
  expect(found(data, { ...trusting, keys: [ed25519Key(telegramKeys.production)] })).toEqual({ fault: 'forged' });
});

test('what is old, from the future, twice, broken or of nobody is not', () => {
  const cases: [string, string][] = [
    [signed({ user, auth_date: at(86_401) }, token), 'stale'],
    [signed({ user, auth_date: at(-31) }, token), 'early'],
    [signed({ auth_date: at(0) }, token), 'nobody'],
    [signed({ user: '{"id":-1}', auth_date: at(0) }, token), 'nobody'],
    [signed({ user: '{"id":1e99}', auth_date: at(0) }, token), 'nobody'],
    [signed({ user: '[]', auth_date: at(0) }, token), 'nobody'],
    [signed({ user, auth_date: 'now' }, token), 'broken'],
    [`${signed({ user, auth_date: at(0) }, token)}&user=x`, 'duplicate'],
    [`${signed({ user, auth_date: at(0) }, token)}&us%65r=x`, 'duplicate'],
    [signed({ user: 'a\nauth_date=1', auth_date: at(0) }, token), 'broken'],
    ['user', 'broken'],
    ['', 'broken'],
    ['a=%E0%A4%A', 'broken'],
    [`a=${'x'.repeat(9_000)}`, 'broken'],
    ['__proto__=1&hash=0', 'forged'],
  ];
  for (const [data, fault] of cases) expect(found(data), data.slice(0, 80)).toEqual({ fault });
  expect(found(signed({ user, auth_date: at(86_399) }, token))).toHaveProperty('user');
  expect(found(signed({ user, auth_date: at(-29) }, token))).toHaveProperty('user');
});
