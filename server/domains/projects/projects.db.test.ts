import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { sql } from '../../../kernel/sql.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { sampleDocument } from './fixtures.ts';
import {
  type Bundle,
  createProject,
  exportProject,
  findProject,
  getProject,
  importProject,
  listProjects,
  type Project,
  publish,
  releases,
  rollback,
  setProjectStatus,
} from './projects.ts';

let database: TestDatabase;
let number = 0;
let name: string;
beforeAll(async () => {
  database = await createTestDatabase();
});
beforeEach(() => {
  name = `Shop ${(number += 1)}`;
});
afterAll(() => database.close());

const bundleOf = (document: unknown): Bundle => ({ document, files: new Map() });

async function imported(document: unknown = sampleDocument()): Promise<Project> {
  return (await database.db.tx((tx) => importProject(tx, { name, bundle: bundleOf(document) }))).project;
}

async function draft(project: Project, words: string): Promise<void> {
  await database.db.tx((tx) =>
    importProject(tx, { name: project.publicId, bundle: bundleOf(sampleDocument(words)), into: true }),
  );
}

const published = (project: Project, note?: string): ReturnType<typeof publish> =>
  database.db.tx((tx) => publish(tx, project.id, { note }));

test('a project is found by its name and its id, and a name is taken once', async () => {
  const { db } = database;
  const project = await db.tx((tx) => createProject(tx, { name: `  ${name} ` }));
  expect(project).toMatchObject({ name, status: 'active', releaseNumber: null, draftAt: null });
  expect(await getProject(db, name)).toEqual(project);
  expect(await getProject(db, project.publicId)).toEqual(project);
  await expect(db.tx((tx) => createProject(tx, { name }))).rejects.toMatchObject({ code: 'PROJECT_EXISTS' });
  await expect(db.tx((tx) => createProject(tx, { name: '../x' }))).rejects.toMatchObject({
    code: 'PROJECT_NAME_WRONG',
  });
  expect((await listProjects(db)).map((each) => each.name)).toContain(name);
});

test('a refusal repeats what was asked and tells no other name', async () => {
  await imported();
  const error = await getProject(database.db, `${name}x`).catch((refusal) => refusal);
  expect(error).toMatchObject({ code: 'PROJECT_NOT_FOUND' });
  expect(`${error.message} ${JSON.stringify(error.facts)}`.replaceAll(`${name}x`, '')).not.toContain('Shop');
});

test('an import stores the draft and publishes nothing', async () => {
  const { db } = database;
  const project = await imported();
  expect(project).toMatchObject({ name, releaseNumber: null });
  expect(project.draftAt).toBeInstanceOf(Date);
  expect(await releases(db, project.id)).toEqual([]);
});

test('a document of the wrong shape is refused with a path for every mistake, and nothing is stored', async () => {
  const document = { ...sampleDocument(), locales: [], cards: { welcome: { blocks: 'hello' } }, surprise: 1 };
  const error = await imported(document).catch((refusal) => refusal);
  expect(error).toMatchObject({ code: 'DOCUMENT_WRONG' });
  const paths = error.facts.faults.map((fault: { path: string }) => fault.path);
  expect(paths).toEqual(expect.arrayContaining(['locales', 'cards.welcome.blocks']));
  expect(JSON.stringify(error.facts.faults)).toContain('surprise');
  expect(await findProject(database.db, name)).toBeUndefined();
});

test('a draft that cannot be published is stored and told so, and publishing it is refused', async () => {
  const { db } = database;
  const document = sampleDocument();
  document['triggers'] = { t1: { type: 'command', props: { command: 'start' }, to: 'nowhere' } };
  const { project, faults } = await db.tx((tx) => importProject(tx, { name, bundle: bundleOf(document) }));
  expect(faults.some((fault) => fault.severity === 'stops' && fault.path.startsWith('triggers.t1'))).toBe(true);
  await expect(published(project)).rejects.toMatchObject({ code: 'DOCUMENT_WRONG' });
  expect(await releases(db, project.id)).toEqual([]);
});

test('a release is numbered, hashed, kept as it was, and an unchanged draft makes none', async () => {
  const { db } = database;
  const project = await imported();
  const first = await published(project, '  first ');
  expect(first).toMatchObject({ published: true, release: { number: 1, note: 'first' } });
  expect(first.release.hash).toMatch(/^[0-9a-f]{64}$/);
  expect(await published(project)).toMatchObject({ published: false, release: { number: 1 } });
  await draft(project, 'Good evening');
  const second = await published(project);
  expect(second.release.number).toBe(2);
  expect(second.release.hash).not.toBe(first.release.hash);
  const old = await exportProject(db, project.id, { release: 1 });
  expect(old.document).toMatchObject({ texts: { 'hello.text': { en: 'Hello' } } });
  expect((await releases(db, project.id)).map((release) => release.number)).toEqual([2, 1]);
});

test('the order of keys in a document does not make another release', async () => {
  const project = await imported();
  const { release } = await published(project);
  const turned = Object.fromEntries(Object.entries(sampleDocument()).reverse());
  await database.db.tx((tx) => importProject(tx, { name, bundle: bundleOf(turned), into: true }));
  expect(await published(project)).toMatchObject({ published: false, release: { hash: release.hash } });
});

test('a publish and a rollback change rev and what the bots listen to, in one transaction', async () => {
  const { db } = database;
  const project = await imported();
  await db.run(sql`insert into integration (public_id, project_id, bot_id, username, token_sealed, secret_hash)
    values (${`int_${number}`}, ${project.id}, ${1000 + number}, 'shop_bot', '\\x00', '\\x00')`);
  const listens = async (): Promise<string[] | undefined> =>
    (
      await db.one<{ kinds: string[] }>(
        sql`select allowed_updates as kinds from integration where project_id = ${project.id}`,
      )
    )?.kinds;
  await published(project);
  expect(await listens()).toEqual(expect.arrayContaining(['message']));
  const document = sampleDocument();
  document['triggers'] = {
    ...(document['triggers'] as object),
    t2: { type: 'member', props: { changes: ['joined'] }, to: 'welcome' },
  };
  await db.tx((tx) => importProject(tx, { name, bundle: bundleOf(document), into: true }));
  await published(project);
  expect(await listens()).toEqual(expect.arrayContaining(['chat_member']));
  await expect(
    db.tx(async (tx) => {
      await rollback(tx, project.id, 1);
      throw new Error('undone');
    }),
  ).rejects.toThrow('undone');
  expect(await listens()).toEqual(expect.arrayContaining(['chat_member']));
  expect(await db.tx((tx) => rollback(tx, project.id, 1))).toMatchObject({ changed: true, release: { number: 1 } });
  expect(await listens()).not.toContain('chat_member');
});

test('a rollback points at an older release, twice is once, and an unknown one is refused', async () => {
  const { db } = database;
  const project = await imported();
  await published(project);
  await draft(project, 'Two');
  await published(project);
  expect((await db.tx((tx) => rollback(tx, project.id, 1))).changed).toBe(true);
  expect((await db.tx((tx) => rollback(tx, project.id, 1))).changed).toBe(false);
  expect(await getProject(db, name)).toMatchObject({ releaseNumber: 1 });
  await expect(db.tx((tx) => rollback(tx, project.id, 7))).rejects.toMatchObject({ code: 'RELEASE_NOT_FOUND' });
  expect((await published(project)).release.number, 'the draft is published again under a new number').toBe(3);
});

test('many publishes at once give one release, and one that comes between drafts two numbers', async () => {
  const { db } = database;
  const project = await imported();
  const results = await Promise.all(Array.from({ length: 6 }, () => published(project)));
  expect(results.filter((result) => result.published)).toHaveLength(1);
  expect(results.every((result) => result.release.number === 1)).toBe(true);
  const change = (words: string): Promise<number> =>
    db.tx(async (tx) => {
      await importProject(tx, { name, bundle: bundleOf(sampleDocument(words)), into: true });
      return (await publish(tx, project.id)).release.number;
    });
  expect((await Promise.all([change('A'), change('B')])).sort()).toEqual([2, 3]);
});

test('a pause is told once and raises rev', async () => {
  const { db } = database;
  const project = await imported();
  expect(await db.tx((tx) => setProjectStatus(tx, project.id, 'paused'))).toEqual({ changed: true });
  expect(await db.tx((tx) => setProjectStatus(tx, project.id, 'paused'))).toEqual({ changed: false });
  const paused = await getProject(db, name);
  expect(paused.status).toBe('paused');
  expect(paused.rev).toBeGreaterThan(project.rev);
});

test('tables come with the document: their rows once, their mistakes told, their unique columns with the release', async () => {
  const { db } = database;
  const rows = [{ title: 'Honey' }, { title: 'Jam' }];
  const withTable = (unique: boolean, given: object[] = rows): object => ({
    ...sampleDocument(),
    tables: { goods: { columns: { title: { type: 'text', unique } }, rows: given } },
  });
  const wrong = await db.tx((tx) =>
    importProject(tx, { name, bundle: bundleOf(withTable(false, [{ name: 'Honey' }])) }),
  );
  expect(wrong.faults).toMatchObject([{ path: 'tables.goods.rows.0.name', severity: 'stops' }]);
  const into = (document: object) =>
    db.tx((tx) => importProject(tx, { name: wrong.project.publicId, bundle: bundleOf(document), into: true }));
  await into(withTable(false));
  await into(withTable(false));
  await published(wrong.project);
  const count = async () =>
    (
      await db.one<{ count: number }>(
        sql`select count(*)::int as count from record where project_id = ${wrong.project.id}`,
      )
    )?.count;
  expect(await count()).toBe(2);
  await db.run(sql`update record set values = '{"title":"Jam"}' where project_id = ${wrong.project.id}`);
  await into(withTable(true));
  await expect(published(wrong.project)).rejects.toMatchObject({
    code: 'DOCUMENT_WRONG',
    facts: { faults: [{ path: 'tables.goods.columns.title.unique' }] },
  });
});
