import { expect, test } from 'vitest';
import type { Lead } from '../../domains/miniapps/miniapps.ts';
import { leadsCsv } from './csv.ts';

const lead: Lead = {
  number: 7,
  form: 'order',
  kind: 'order',
  createdAt: new Date('2026-11-30T09:00:00Z'),
  cancelledAt: undefined,
  visitor: {
    kind: 'telegram',
    id: '77',
    firstName: 'Anna',
    lastName: '',
    username: '',
    languageCode: 'de',
    photoUrl: '',
  },
  fields: {},
  words: { phone: '+4930123456', extension: '+4930123456 ext. 5', note: '=1+1; "x"' },
  lines: [],
  files: [],
  total: 12.5,
  currency: 'EUR',
  locale: 'de',
  start: null,
};
const rows = (options = {}) => leadsCsv([lead], (id) => id, options).split('\r\n');

test('who has no username is found by their number', () => {
  expect(rows()[0]).toBe(
    '\ufeffnumber,sent,form,visitor,telegram,order,total,currency,start,cancelled,phone,extension,note',
  );
  expect(rows()[1]).toMatch(/^7,2026-11-30T09:00:00.000Z,order,Anna,77,,12.5,EUR,/);
});

test('semicolons and a decimal comma where spreadsheets want them, and nothing that runs', () => {
  expect(rows({ semicolon: true })[1]).toBe(
    `7;2026-11-30T09:00:00.000Z;order;Anna;77;;12,5;EUR;;;+4930123456;'+4930123456 ext. 5;"'=1+1; ""x"""`,
  );
});
