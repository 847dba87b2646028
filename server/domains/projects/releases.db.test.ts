import { afterAll, beforeAll, expect, test } from 'vitest';
import { canonicalJson } from '../../../kernel/canonical.ts';
import type { Db } from '../../../kernel/db.ts';
import { realKit } from '../../../kernel/kit.ts';
import { createLog } from '../../../kernel/log.ts';
import { sql } from '../../../kernel/sql.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { sha256Of } from './files.ts';
import { sampleDocument } from './fixtures.ts';
import {
  createReleases,
  getProject,
  importProject,
  neededUpdates,
  publish,
  type Releases,
  readRelease,
  rollback,
} from './projects.ts';

const kit = realKit(createLog({ level: 'silent' }));
let database: TestDatabase;
let projectId: number;

beforeAll(async () => {
  database = await createTestDatabase();
  await database.db.tx(async (tx) => {
    for (const words of ['one', 'two', 'three', 'four']) {
      const bundle = { document: sampleDocument(words), files: new Map<string, Buffer>() };
      const { project } = await importProject(tx, { name: 'Shop', bundle, into: words !== 'one' });
      projectId = project.id;
      await publish(tx, project.id);
    }
  });
});
afterAll(() => database.close());

/** The database, with its reads counted. */
function counted(): { db: Db; reads: () => number } {
  let reads = 0;
  const db: Db = {
    ...database.db,
    one: (statement) => {
      reads += 1;
      return database.db.one(statement);
    },
  };
  return { db, reads: () => reads };
}

test('a release is read and compiled once, and then given at once', async () => {
  const { db, reads } = counted();
  const releases = createReleases(kit, db);
  expect(releases.peek(projectId, 1)).toBeUndefined();
  const [first, second] = await Promise.all([releases.get(projectId, 1), releases.get(projectId, 1)]);
  expect(first).toBe(second);
  expect(first).toMatchObject({ number: 1, hash: expect.stringMatching(/^[0-9a-f]{64}$/) });
  expect(releases.get(projectId, 1)).toBe(first);
  expect(releases.peek(projectId, 1)).toBe(first);
  expect(reads()).toBe(2);
});

test('projects made from the same template share what was compiled, each under its own number', async () => {
  const bundle = { document: sampleDocument('three'), files: new Map<string, Buffer>() };
  const other = await database.db.tx(async (tx) => {
    const { project } = await importProject(tx, { name: 'Another shop', bundle });
    await publish(tx, project.id);
    return project;
  });
  const { db, reads } = counted();
  const releases = createReleases(kit, db, { releasesMax: 1 });
  const third = await releases.get(projectId, 3);
  expect(reads()).toBe(2);
  const first = await releases.get(other.id, 1);
  expect(reads()).toBe(3);
  expect([third.number, first.number]).toEqual([3, 1]);
  expect(first.hash).toBe(third.hash);
  expect(first.blocks).toBe(third.blocks);
  expect(releases.peek(projectId, 3)).toBeUndefined();
  expect(releases.size()).toEqual({ releases: 1, bytes: JSON.stringify(first.document).length });
});

test('the least recently used go first when there are too many', async () => {
  const { db, reads } = counted();
  const releases = createReleases(kit, db, { releasesMax: 2 });
  for (const number of [1, 2, 1, 3]) await releases.get(projectId, number);
  expect(kept(releases)).toEqual([1, 3]);
  expect(releases.size().releases).toBe(2);
  expect(reads()).toBe(6);
});

test('bytes are bounded too, and the newest is kept even when it is too large', async () => {
  const releases = createReleases(kit, database.db, { bytesMax: 10 });
  for (const number of [1, 2]) await releases.get(projectId, number);
  expect(kept(releases)).toEqual([2]);
  expect(releases.size().bytes).toBeGreaterThan(10);
});

test('a failure is not kept', async () => {
  let away = true;
  const db: Db = {
    ...database.db,
    one: (statement) => (away ? Promise.reject(new Error('away')) : database.db.one(statement)),
  };
  const releases = createReleases(kit, db);
  await expect(releases.get(projectId, 1)).rejects.toThrow('away');
  away = false;
  await expect(releases.get(projectId, 1)).resolves.toMatchObject({ number: 1 });
  await expect(releases.get(projectId, 99)).rejects.toMatchObject({ code: 'RELEASE_NOT_FOUND' });
  await expect(releases.get(projectId + 1_000, 1)).rejects.toMatchObject({ code: 'RELEASE_NOT_FOUND' });
});

/** A release as a version wrote it for which all of this was right. */
async function writtenLongAgo(text: string, hash = sha256Of(text)): Promise<{ id: number; publicId: string }> {
  const bundle = { document: sampleDocument(), files: new Map<string, Buffer>() };
  return database.db.tx(async (tx) => {
    const { project } = await importProject(tx, { name: `Old ${(oldOnes += 1)}`, bundle });
    await publish(tx, project.id);
    await tx.run(sql`
      insert into release (project_id, number, hash, document) values (${project.id}, 2, ${hash}, ${text}::json)`);
    return project;
  });
}
let oldOnes = 0;

const oldDocument = canonicalJson({
  ...sampleDocument('Hello'),
  triggers: { t1: { type: 'command', props: { command: 'Start!' }, to: 'welcome' } },
  app: {
    start: 'home',
    pages: { home: { path: '/', title: 'title', root: 'words' } },
    elements: { words: { type: 'text', props: { text: 'words' } } },
    texts: {
      title: { en: 'The\u202e \u0000shop' },
      words: { en: [{ text: 'Anna', link: 'https://anna@example.com/' }, 'a\u0007b'] },
    },
  },
});

test('a release that breaks a rule which came later is read, run and gone back to as it was published', async () => {
  const { db } = database;
  const project = await writtenLongAgo(oldDocument);
  expect((await createReleases(kit, db).get(project.id, 2)).blocks.size).toBe(1);
  expect(canonicalJson((await readRelease(db, project.id, 2))?.document ?? {})).toBe(oldDocument);
  expect(await db.tx((tx) => rollback(tx, project.id, 2))).toMatchObject({ changed: true });
  expect(await neededUpdates(db, await getProject(db, project.publicId))).toContain('message');
  // The same document does not come in again.
  const bundle = { document: JSON.parse(oldDocument), files: new Map<string, Buffer>() };
  await expect(db.tx((tx) => importProject(tx, { name: project.publicId, bundle, into: true }))).rejects.toMatchObject({
    code: 'DOCUMENT_WRONG',
  });
});

test('what is not what was published, or of no kind that this version knows, is not run', async () => {
  const releases = createReleases(kit, database.db);
  const changed = await writtenLongAgo(oldDocument, sha256Of('something else'));
  await expect(releases.get(changed.id, 2)).rejects.toThrow(/cannot be read: /);
  const unknown = await writtenLongAgo(oldDocument.replace('"type":"message"', '"type":"teleport"'));
  await expect(releases.get(unknown.id, 2)).rejects.toThrow('cannot be read: blocks.hello.type There is no such kind.');
});

function kept(releases: Releases): number[] {
  return [1, 2, 3, 4].filter((number) => releases.peek(projectId, number) !== undefined);
}
