import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readConfig } from './config.ts';
import { Refusal } from './errors.ts';
import { redact } from './redact.ts';

const key = 'ab'.repeat(32);

function mistakes(env: Record<string, string>): unknown {
  try {
    readConfig(env);
  } catch (error) {
    if (error instanceof Refusal && error.code === 'CONFIG_WRONG') return error.facts.mistakes;
    throw error;
  }
  return [];
}

describe('an empty environment', () => {
  test('is a whole configuration', () => {
    expect(readConfig({})).toEqual({
      databaseUrl: undefined,
      databaseDirectUrl: undefined,
      databasePrepared: true,
      databaseConnectionsMax: 10,
      dataDir: join(import.meta.dirname, '..', '.roost'),
      masterKey: undefined,
      host: '127.0.0.1',
      port: 8420,
      publicUrl: undefined,
      trustedProxies: [],
      telegramApiRoot: 'https://api.telegram.org',
      telegramAppScript: 'https://telegram.org/js/telegram-web-app.js',
      telegramAppKeys: ['production'],
      appCacheBytesMax: 64 * 1024 * 1024,
      roles: ['edge', 'core', 'control'],
      logLevel: 'info',
      refusedPerMinuteMax: 3_000,
      keep: { bodyHours: 48, keyHours: 96, sentHours: 168 },
    });
  });

  test('so are empty and blank variables', () => {
    expect(readConfig({ PORT: '', PUBLIC_URL: ' ', ROOST_KEY: '', DATABASE_URL: '' })).toEqual(readConfig({}));
  });

  test('and the variables of other programs', () => {
    expect(readConfig({ HOME: '/root', npm_config_port: 'x', MY_ROOST_THING: 'y' })).toEqual(readConfig({}));
  });
});

describe('values', () => {
  test('are read', () => {
    const config = readConfig({
      DATABASE_URL: 'postgresql://roost@localhost/roost?host=/run/postgresql',
      PUBLIC_URL: 'https://bots.example.org/roost/',
      TELEGRAM_API_ROOT: 'http://127.0.0.1:8081/',
      PORT: '0',
      ROLES: 'edge, core,edge',
      TRUSTED_PROXIES: '127.0.0.1, 10.0.0.0/8, ::1',
      KEEP_BODY_DAYS: '0.5',
      DATA_DIR: 'somewhere',
    });
    expect(config.databaseDirectUrl).toBe(config.databaseUrl);
    expect(config.publicUrl).toBe('https://bots.example.org/roost');
    expect(config.telegramApiRoot).toBe('http://127.0.0.1:8081');
    expect(config.port).toBe(0);
    expect(config.roles).toEqual(['edge', 'core']);
    expect(config.trustedProxies).toEqual(['127.0.0.1', '10.0.0.0/8', '::1']);
    expect(config.keep.bodyHours).toBe(12);
    expect(config.dataDir).toBe(join(process.cwd(), 'somewhere'));
  });

  test.each([
    key,
    key.toUpperCase(),
    Buffer.from(key, 'hex').toString('base64'),
    Buffer.from(key, 'hex').toString('base64url'),
  ])('the key may be written as %s', (text) => {
    expect(Buffer.from(readConfig({ ROOST_KEY: text }).masterKey ?? []).toString('hex')).toBe(key);
  });
});

describe('mistakes', () => {
  test('all of them stand in one refusal', () => {
    expect(
      mistakes({
        DATABASE_URL: 'mysql://x:secret-password@y/z',
        TELEGRAM_API_ROOT: 'api.telegram.org',
        PUBLIC_URL: 'bots.example.org',
        PORT: '99999',
        ROOST_KEY: 'too short',
        LOG_LEVEL: 'loud',
        ROLES: 'edge,kore',
        KEEP_KEY_DAYS: '1',
        DATABASE_CONNECTIONS: '7.5',
        ROOST_PROT: '1',
        ROOST_PORT: '1',
        TRUSTED_PROXIES: 'everybody',
      }),
    ).toEqual([
      'DATABASE_URL must look like postgresql://user:password@host:5432/name.',
      'DATABASE_CONNECTIONS must be a whole number, and is "7.5".',
      'ROOST_KEY must be 32 bytes, as 64 hexadecimal digits or in base64 (openssl rand -hex 32 makes one).',
      'PORT must be a number from 0 to 65535, and is "99999".',
      'PUBLIC_URL must be an address that starts with https:// or http://, and is "bots.example.org".',
      'TRUSTED_PROXIES must hold addresses or networks, such as 10.0.0.0/8, and is "everybody".',
      'TELEGRAM_API_ROOT must be an address that starts with https:// or http://, and is "api.telegram.org".',
      'ROLES may hold only: edge, core, control, and is "edge,kore".',
      'LOG_LEVEL must be one of: debug, info, warn, error, silent, and is "loud".',
      'KEEP_KEY_DAYS must be a number from 2 to 6, and is "1".',
      'ROOST_PROT is not known.',
      'ROOST_PORT is not known. It is called PORT.',
    ]);
  });

  test.each([
    ['x', 'PORT must be a number'],
    ['-1', 'PORT must be a number'],
    ['80.5', 'PORT must be a whole number'],
    ['1e9', 'PORT must be a number'],
  ])('PORT=%s', (PORT, sentence) => {
    expect(mistakes({ PORT })).toEqual([expect.stringContaining(sentence)]);
  });

  test.each([
    ['a direct address alone', { DATABASE_DIRECT_URL: 'postgresql://h/d' }, 'DATABASE_URL is not'],
    ['a public address without https', { PUBLIC_URL: 'http://bots.example.org' }, 'https://'],
    ['a public address on a port that Telegram does not use', { PUBLIC_URL: 'https://bots.example.org:8420' }, '8420'],
    ['content kept longer than its key', { KEEP_BODY_DAYS: '5' }, 'KEEP_BODY_DAYS is 5'],
    ['a key of a strange alphabet', { ROOST_KEY: `${'!'.repeat(4)}${'a'.repeat(43)}` }, '32 bytes'],
    ['keys kept so long that a new numbering meets them', { KEEP_KEY_DAYS: '7' }, 'from 2 to 6'],
  ])('%s', (_name, env, sentence) => {
    expect(mistakes(env)).toEqual([expect.stringContaining(sentence)]);
  });

  test('a broken DATABASE_URL is one mistake, not two', () => {
    expect(mistakes({ DATABASE_URL: 'nonsense', DATABASE_DIRECT_URL: 'postgresql://h/d' })).toHaveLength(1);
  });

  test('without https is fine where Telegram is not the one who sends', () => {
    expect(mistakes({ PUBLIC_URL: 'http://127.0.0.1:8420', TELEGRAM_API_ROOT: 'http://127.0.0.1:8081' })).toEqual([]);
  });
});

test.each([
  ['secret-100%', 'secret-100%25'],
  ['secret-50%off', 'secret-50%25off'],
  ['secret-%zz%', 'secret-%25zz%25'],
  ['secret-50%25', 'secret-50%25'],
  ['secret-p%40ss', 'secret-p%40ss'],
])('the password %s of a database address is understood', (password, stored) => {
  const { databaseUrl, databaseDirectUrl } = readConfig({
    DATABASE_URL: `postgresql://roost:${password}@db/roost`,
    DATABASE_DIRECT_URL: `postgresql://roost:${password}@direct/roost`,
  });
  expect(databaseUrl).toBe(`postgresql://roost:${stored}@db/roost`);
  expect(databaseDirectUrl).toBe(`postgresql://roost:${stored}@direct/roost`);
  expect(redact(`the password ${decodeURIComponent(stored)}!`)).toBe('the password [cut]!');
});

test.each(['caf%E9', 'x%C3'])('a password %s that stands for no text is a mistake, not a bug', (password) => {
  expect(mistakes({ DATABASE_URL: `postgresql://roost:${password}@db/roost` })).toEqual([
    expect.stringMatching(/^DATABASE_URL .*as %25\.$/),
  ]);
});

test('secrets are cut from everything that is said later', () => {
  readConfig({ ROOST_KEY: key, DATABASE_URL: 'postgresql://roost:p%40ssword-1@db/roost' });
  expect(redact(`key ${key}, password p@ssword-1, also p%40ssword-1`)).toBe('key [cut], password [cut], also [cut]');
});
