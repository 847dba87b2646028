import { execFileSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { sql } from '../../../kernel/sql.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { onePixel, sampleDocument, samplePhotoDocument } from './fixtures.ts';
import {
  documentText,
  exportProject,
  importProject,
  openMedia,
  type Project,
  publish,
  readBundle,
  readMedia,
  writeBundle,
} from './projects.ts';

let database: TestDatabase;
let folder: string;
let number = 0;
let name: string;
beforeAll(async () => {
  database = await createTestDatabase();
  folder = await mkdtemp(join(tmpdir(), 'roost-projects-'));
});
beforeEach(() => {
  name = `Shop ${(number += 1)}`;
});
afterAll(async () => {
  await rm(folder, { recursive: true });
  await database.close();
});

const published = (project: Project): ReturnType<typeof publish> => database.db.tx((tx) => publish(tx, project.id));

async function onDisk(document: unknown, files: Record<string, Buffer> = {}): Promise<string> {
  const place = await mkdtemp(join(folder, 'case-'));
  for (const [file, bytes] of Object.entries(files)) await writeFile(join(place, file), bytes);
  await writeFile(join(place, 'project.json'), documentText(document));
  return join(place, 'project.json');
}

test('what was exported can be imported, and gives the same bytes again', async () => {
  const { db } = database;
  const source = await onDisk(samplePhotoDocument(), { 'menu.png': onePixel });
  const first = await db.tx(async (tx) => importProject(tx, { name, bundle: await readBundle(source) }));
  expect(first.faults).toEqual([]);
  const { sha256 } = (
    first.project && ((await exportProject(db, first.project.id)).document as { media: { menu: { sha256: string } } })
  ).media.menu;
  expect(await readMedia(db, first.project.id, sha256)).toMatchObject({
    kind: 'image/png',
    name: 'menu.png',
    bytes: onePixel,
  });
  const out = join(folder, `export-${number}`, 'project.json');
  expect(await writeBundle(out, await exportProject(db, first.project.id))).toEqual({ files: ['menu.png'] });
  const again = await db.tx(async (tx) => importProject(tx, { name: `${name} again`, bundle: await readBundle(out) }));
  const out2 = join(folder, `export-${number}-again`, 'project.json');
  await writeBundle(out2, await exportProject(db, again.project.id));
  expect(await readFile(out2)).toEqual(await readFile(out));
  expect(await readFile(join(out2, '..', 'menu.png'))).toEqual(onePixel);
  expect((await published(again.project)).release.hash).toBe((await published(first.project)).release.hash);
});

test('two files of one name travel under their hashes', async () => {
  const other = Buffer.concat([onePixel, Buffer.from('x')]);
  const hash = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
  const document = {
    ...sampleDocument(),
    media: {
      a: { kind: 'document', name: 'f.bin', sha256: hash(onePixel) },
      b: { kind: 'document', name: 'f.bin', sha256: hash(other) },
    },
  };
  const out = join(folder, `pair-${number}`, 'project.json');
  await writeBundle(out, {
    document,
    files: new Map([
      [hash(onePixel), onePixel],
      [hash(other), other],
    ]),
  });
  const bundle = await readBundle(out);
  expect(bundle.faults).toEqual([]);
  expect([...bundle.files.keys()].sort()).toEqual([hash(onePixel), hash(other)].sort());
});

test('a file that bears the name of the document travels under its hash, and a place that cannot be written says why', async () => {
  const hash = createHash('sha256').update(onePixel).digest('hex');
  const document = { ...sampleDocument(), media: { a: { kind: 'document', name: 'project.json', sha256: hash } } };
  const bundle = { document, files: new Map([[hash, onePixel]]) };
  const out = join(folder, `same-${number}`, 'project.json');
  expect(await writeBundle(out, bundle)).toEqual({ files: [`media/${hash}`] });
  expect((await readBundle(out)).files.get(hash)).toEqual(onePixel);
  await expect(writeBundle(join(out, 'below', 'project.json'), bundle)).rejects.toMatchObject({
    code: 'FILE_UNUSABLE',
    message: expect.stringContaining('a part of its path is a file'),
  });
});

test('every file that is missing, wrong or outside is named with its place', async () => {
  const document = {
    ...sampleDocument(),
    media: {
      gone: { kind: 'photo', name: 'gone.png' },
      out: { kind: 'document', name: '../../etc/passwd' },
      link: { kind: 'document', name: 'link' },
      dir: { kind: 'document', name: 'dir' },
      other: { kind: 'photo', name: 'real.png', sha256: 'a'.repeat(64) },
    },
  };
  const path = await onDisk(document, { 'real.png': onePixel });
  await symlink('/etc/passwd', join(path, '..', 'link'));
  await mkdir(join(path, '..', 'dir'));
  const error = await database.db
    .tx(async (tx) => importProject(tx, { name, bundle: await readBundle(path) }))
    .catch((refusal) => refusal);
  expect(error).toMatchObject({ code: 'DOCUMENT_WRONG' });
  const faults = Object.fromEntries(
    error.facts.faults.map((fault: { path: string; message: string }) => [
      fault.path.split('.').slice(0, 2).join('.'),
      fault.message,
    ]),
  );
  expect(Object.keys(faults).sort()).toEqual(['media.dir', 'media.gone', 'media.link', 'media.other', 'media.out']);
  expect(faults['media.gone']).toContain('is not beside the document');
  expect(faults['media.out']).toContain('leaves the folder');
  expect(faults['media.link']).toContain('leaves the folder');
});

test('a file that is not what the document says is refused', async () => {
  const path = await onDisk(samplePhotoDocument('menu.jpg'), { 'menu.jpg': Buffer.from('<svg onload="alert(1)">') });
  const error = await database.db
    .tx(async (tx) => importProject(tx, { name, bundle: await readBundle(path) }))
    .catch((refusal) => refusal);
  expect(error.facts.faults).toMatchObject([
    { path: 'media.menu', message: expect.stringContaining('does not show as a photo') },
  ]);
});

test('what is no file is not read: a device that never ends, a pipe that holds, nor as a file of the document', async () => {
  const pipe = join(folder, `pipe-${number}`);
  execFileSync('mkfifo', [pipe]);
  for (const path of ['/dev/zero', pipe])
    await expect(readBundle(path), path).rejects.toMatchObject({
      code: 'FILE_UNUSABLE',
      message: expect.stringContaining('is no file but a pipe or a device'),
    });
  const path = await onDisk({ ...sampleDocument(), media: { held: { kind: 'document', name: 'pipe' } } });
  execFileSync('mkfifo', [join(path, '..', 'pipe')]);
  expect((await readBundle(path)).faults).toMatchObject([{ path: 'media.held', message: 'pipe is not a file.' }]);
});

test.runIf(process.platform === 'linux')('a place in which nothing can be made says so', async () => {
  const bundle = { document: sampleDocument(), files: new Map() };
  await expect(writeBundle('/proc/nope/project.json', bundle)).rejects.toMatchObject({
    code: 'FILE_UNUSABLE',
    message: expect.stringContaining('/proc/nope/project.json'),
  });
});

test('a file that cannot be read says why', async () => {
  await expect(readBundle(join(folder, 'nothing.json'))).rejects.toMatchObject({
    code: 'FILE_UNUSABLE',
    message: expect.stringContaining('does not exist'),
  });
  await expect(readBundle(folder)).rejects.toMatchObject({
    code: 'FILE_UNUSABLE',
    message: expect.stringContaining('is a folder'),
  });
  const broken = join(folder, 'broken.json');
  await writeFile(broken, '{"roost": 1,');
  await expect(readBundle(broken)).rejects.toMatchObject({
    code: 'DOCUMENT_WRONG',
    message: expect.stringContaining('not valid JSON'),
  });
  await writeFile(broken, Buffer.from([0x7b, 0xff, 0x7d]));
  await expect(readBundle(broken)).rejects.toMatchObject({ message: expect.stringContaining('not UTF-8') });
  await writeFile(broken, Buffer.alloc(2 * 1024 * 1024 + 1, 0x20));
  await expect(readBundle(broken)).rejects.toMatchObject({ message: expect.stringContaining('larger than 2 MB') });
});

test('a file that is sent is read in parts of a megabyte, and ends early when it is gone meanwhile', async () => {
  const { db } = database;
  const film = randomBytes(2 * 1024 * 1024 + 7);
  const { project } = await db.tx(async (tx) =>
    importProject(tx, { name, bundle: await readBundle(await onDisk(sampleDocument())) }),
  );
  const sha256 = createHash('sha256').update(film).digest('hex');
  await db.run(sql`
    insert into media (project_id, sha256, kind, name, bytes)
    values (${project.id}, ${sha256}, 'video/mp4', 'film.mp4', ${film})`);
  const file = await openMedia(db, project.id, sha256);
  expect([file?.name, file?.size]).toEqual(['film.mp4', film.length]);
  const parts: Uint8Array[] = [];
  for await (const part of file?.open() ?? []) parts.push(part);
  expect(parts.map((part) => part.length)).toEqual([1024 * 1024, 1024 * 1024, 7]);
  expect(film.equals(Buffer.concat(parts))).toBe(true);
  const begun = file?.open()[Symbol.asyncIterator]();
  await begun?.next();
  await db.run(sql`delete from media where project_id = ${project.id} and sha256 = ${sha256}`);
  expect(await begun?.next()).toEqual({ done: true, value: undefined });
  expect(await openMedia(db, project.id, sha256)).toBeUndefined();
});
