// Every prop of a document beside its blocks, triggers, texts, variables and pages (they have tests of their own), out of the
// contract itself: another value changes what somebody is answered, what is stored or what comes out of it, or it is
// refused or named. What is new there fails here until it is said what it holds.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Fault, flowSchema } from '../../../contract/flow.ts';
import { Refusal } from '../../../kernel/errors.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { schemaPaths } from '../../../test/support/schema-paths.ts';
import { emptyState, message, release, say } from '../flow/fixtures.ts';
import { conversationKey, type FlowDocument, type FlowEvent, localeOf, outOfDate, step } from '../flow/flow.ts';
import { type Loose, type Pair, put } from '../manifest/fixtures.ts';
import { customsOf } from '../readers/readers.ts';
import { exportCsv, importCsv, insertRow, rowsOf, type Written } from '../tables/tables.ts';
import { sha256Of } from './files.ts';
import { onePixel } from './fixtures.ts';
import { importProject, openMedia, publish, readRelease } from './projects.ts';

const otherPixel = Buffer.concat([onePixel, Buffer.from(' ')]);
const files = new Map([onePixel, otherPixel].map((bytes) => [sha256Of(bytes), bytes]));

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

const asked = (kind: string, into: string): Loose => ({ type: 'input', props: { kind, text: 'ask', into } });

const TOLD = [{ var: 'number' }, ' ', { var: 'date' }, ' ', { var: 'phone' }, ' ', { var: 'now', format: 'dateTime' }];
/** A document of which every part is in use. */
const scene = (): Loose => ({
  roost: 1,
  locales: ['en', 'ru'],
  defaultLocale: 'en',
  variables: Object.fromEntries(['number', 'date', 'phone'].map((type) => [type, { type, scope: 'contact' as const }])),
  triggers: {
    start: { type: 'command', props: { command: 'start' }, to: 'main' },
    wrong: { type: 'command', props: { command: 'wrong' }, to: 'broken' },
    photo: { type: 'command', props: { command: 'photo' }, to: 'picture' },
  },
  cards: {
    main: { blocks: ['number', 'date', 'phone', 'told', 'end'] },
    broken: { blocks: ['wrong'] },
    picture: { blocks: ['shown', 'more'] },
    rest: { blocks: ['rested'] },
  },
  blocks: {
    number: asked('number', 'number'),
    date: asked('date', 'date'),
    phone: asked('phone', 'phone'),
    told: { type: 'message', props: { text: 'told' } },
    end: { type: 'end', props: {} },
    wrong: { type: 'set', props: { set: [{ into: 'number', expr: '1 + size(contact.tags[9])' }] } },
    shown: { type: 'message', props: { text: 'ask', media: ['cover'] } },
    more: { type: 'message', props: { text: 'told' } },
    rested: { type: 'message', props: { text: 'rest' } },
  },
  texts: {
    ask: { en: 'Well?', ru: 'Ну?' },
    told: { en: TOLD, ru: TOLD },
    rest: { en: 'Rest', ru: 'Покой' },
  },
  media: { cover: { kind: 'photo', name: 'cover.png', sha256: sha256Of(onePixel) } },
  tables: {
    goods: {
      columns: { title: { type: 'text' }, price: { type: 'number' }, mark: { type: 'text' } },
      rows: [
        { title: 'Tea', price: 4 },
        { title: 'Honey', price: 12 },
      ],
    },
  },
});

const GROUP = { id: -5, type: 'group', title: 'G' };
const CHATS: readonly (readonly (() => FlowEvent)[])[] = [
  [
    () => say('/start'),
    () => say('1.500'),
    () => say('7'),
    () => say('03/04/2026'),
    () => say('2026-04-03'),
    () => say('030 901820'),
  ],
  [() => say('/start'), () => say('7'), () => say('none'), () => say('2026-04-03'), () => say('+4930901820')],
  [() => say('/wrong')],
  [() => say('/photo'), () => say('and now?')],
  [() => message({ photo: [{ file_id: 'F', file_unique_id: 'f', width: 1, height: 1 }] })],
];

/** What people are answered, each chat from its beginning. */
function talks(document: FlowDocument): unknown {
  const made = release(document);
  const keyless = (value: unknown): unknown => JSON.parse(JSON.stringify(value).replace(/\bu\d+/g, 'u'));
  const chats = CHATS.map((events) => {
    let state: Parameters<typeof step>[1] = { ...emptyState, bot: { vars: {}, username: 'b_bot' } };
    return events.map((event) => {
      const result = step(made, state, { ...event(), random: 0.5 } as never);
      state = result.state;
      return keyless([result.effects, state.contact.vars, state.conversation?.wait]);
    });
  });
  const locales = ['ru', 'de'].map((language) => localeOf(made, null, language));
  return [chats, locales, outOfDate(made, 'en'), conversationKey(made, say('/start', GROUP))];
}

const CSV = 'Name,Price\nCoffee,5\n';

/** What the tables take, and what comes out of them. */
async function tablesHold(projectId: number, document: FlowDocument): Promise<unknown[]> {
  const all: unknown[] = [];
  for (const [name, table] of Object.entries(document.tables ?? {})) {
    const place = { projectId, name, table, writing: { customs: customsOf(document) } };
    const put = (row: object): Promise<Written> =>
      database.db.tx((tx) => insertRow(tx, place, row as { [field: string]: unknown }));
    all.push(await put({ title: 'Tea', price: 1 }), await put({ price: 2 }), await put({ title: '2026-01-01' }));
    const read = database.db.tx((tx) => importCsv(tx, place, Buffer.from(CSV)));
    all.push(
      await read.catch((error: unknown) =>
        error instanceof Refusal ? [error.message, error.facts] : Promise.reject(error),
      ),
    );
    all.push(await rowsOf(database.db, place, { sort: 'price' }));
    for await (const part of exportCsv(database.db, place)) all.push(part);
  }
  return all;
}

type Outcome = { readonly said: string; readonly faults: readonly Fault[] };
let projects = 0;

async function outcome(document: object): Promise<Outcome> {
  const name = `Made ${(projects += 1)}`;
  try {
    const { projectId, number, warnings } = await database.db.tx(async (tx) => {
      const { project } = await importProject(tx, { name, bundle: { document, files } });
      const published = await publish(tx, project.id);
      return { projectId: project.id, number: published.release.number, warnings: published.warnings };
    });
    const stored = (await readRelease(database.db, projectId, number))?.document as FlowDocument;
    const media = Object.values(stored.media ?? {}).map(({ sha256 }) => openMedia(database.db, projectId, sha256));
    const names = (await Promise.all(media)).map((file) => [file?.name, file?.size]);
    return { said: JSON.stringify([talks(stored), names, await tablesHold(projectId, stored)]), faults: warnings };
  } catch (error) {
    if (error instanceof Refusal && error.code === 'DOCUMENT_WRONG')
      return { said: '', faults: error.facts['faults'] as Fault[] };
    throw error;
  }
}

const COLUMN = 'tables.goods.columns.title';
/** Where each prop is tried, and with what; or why nothing of all this shows it. */
const CASES: { readonly [at: string]: readonly [place: string, ...Pair] | string } = {
  roost: ['roost', 1, 2],
  name: 'It is what a new project is called: commands/project/project.db.test.ts.',
  locales: ['locales', ['en', 'ru'], ['en', 'ru', 'de']],
  defaultLocale: ['defaultLocale', 'en', 'ru'],
  timezone: ['timezone', undefined, 'Asia/Tokyo'],
  region: ['region', undefined, { country: 'DE' }],
  'region.country': ['region', { country: 'US' }, { country: 'DE' }],
  'region.dates': ['region', { dates: 'dmy' }, { dates: 'mdy' }],
  'region.decimal': ['region', { decimal: '.' }, { decimal: ',' }],
  groups: ['groups', 'person', 'chat'],
  cards: ['cards.main.blocks', ['number', 'date', 'phone', 'told', 'end'], ['number', 'phone', 'date', 'told', 'end']],
  'cards{}.title': 'It is what an editor shows.',
  'cards{}.blocks': ['cards.picture.blocks', ['shown', 'more'], ['more', 'shown']],
  media: ['media.cover.sha256', sha256Of(onePixel), sha256Of(otherPixel)],
  'media{}.kind': ['media.cover.kind', 'photo', 'document'],
  'media{}.sha256': ['media.cover.sha256', sha256Of(onePixel), sha256Of(otherPixel)],
  'media{}.name': ['media.cover.name', 'cover.png', 'other.png'],
  'media{}.bytes': ['media.cover.bytes', undefined, 70],
  'media{}.mime': ['media.cover.mime', undefined, 'image/png'],
  defaults: ['defaults', undefined, { nothingMatched: 'rest' }],
  'defaults.wentWrong': ['defaults', undefined, { wentWrong: 'rest' }],
  'defaults.nothingMatched': ['defaults', undefined, { nothingMatched: 'rest' }],
  'defaults.ended': ['defaults', undefined, { ended: 'rest' }],
  phrases: ['phrases', undefined, { outOfDate: 'rest' }],
  'phrases.outOfDate': ['phrases', undefined, { outOfDate: 'rest' }],
  'phrases.notUnderstood': ['phrases', undefined, { notUnderstood: 'rest' }],
  'phrases.whichOne': ['phrases', undefined, { whichOne: 'rest' }],
  tables: ['tables.more', undefined, { columns: { title: { type: 'text' } } }],
  'tables{}.title': 'It is what "roost table list" shows.',
  'tables{}.columns': ['tables.goods.columns.more', undefined, { type: 'text' }],
  'tables{}.columns{}.type': [`${COLUMN}.type`, 'text', 'link'],
  'tables{}.columns{}.title': [`${COLUMN}.title`, undefined, 'Name'],
  'tables{}.columns{}.required': [`${COLUMN}.required`, undefined, true],
  'tables{}.columns{}.unique': [`${COLUMN}.unique`, undefined, true],
  'tables{}.order': ['tables.goods.order', ['title', 'price', 'mark'], ['mark', 'title', 'price']],
  'tables{}.rows': ['tables.goods.rows', undefined, [{ title: 'Tea' }]],
  layout: 'It is what an editor draws by.',
  'layout{}.x': 'It is what an editor draws by.',
  'layout{}.y': 'It is what an editor draws by.',
};

const props = schemaPaths(flowSchema).filter((at) => !/^(app|blocks|triggers|texts|variables)\b/.test(at));

describe('a prop acts, or is refused or named', () => {
  test('what changes nothing is seen to change nothing', async () => {
    const [one, other] = await Promise.all([scene(), { ...scene(), layout: { x: { x: 1, y: 1 } } }].map(outcome));
    expect(one?.said).toBe(other?.said);
    expect(one?.faults).toEqual(other?.faults);
  });

  test.each(props)('of a document: %s', async (at) => {
    const one = CASES[at];
    expect(one, `say in this test what "${at}" may hold`).toBeDefined();
    if (typeof one !== 'object') return;
    const [where, before, after] = one;
    const [without, given] = await Promise.all([before, after].map((value) => outcome(put(scene(), where, value))));
    expect(without?.said).not.toBe('');
    if (without?.said !== given?.said && given?.said !== '') return;
    const [root = ''] = where.split('.');
    const named = given?.faults.filter(({ path }) => path === where || (given.said === '' && path.startsWith(root)));
    expect(
      named?.length,
      `${where} changes nothing and is not named: ${JSON.stringify(given?.faults)}`,
    ).toBeGreaterThan(0);
  });
});

test('another name of a file that is there already is the one it is sent under', async () => {
  const named = (name: string): object => put(scene(), 'media.cover.name', name);
  const project = await database.db.tx(async (tx) => {
    const made = await importProject(tx, { name: 'Renamed', bundle: { document: named('old.png'), files } });
    await importProject(tx, { name: 'Renamed', into: true, bundle: { document: named('new.png'), files } });
    return made.project;
  });
  expect((await openMedia(database.db, project.id, sha256Of(onePixel)))?.name).toBe('new.png');
});
