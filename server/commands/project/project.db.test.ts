import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { onePixel, sampleDocument, samplePhotoDocument } from '../../domains/projects/fixtures.ts';
import { createTestCli, type TestCli } from '../cli/harness.ts';

let cli: TestCli;
beforeAll(async () => {
  cli = await createTestCli();
});
afterAll(() => cli.close());

async function file(name: string, content: unknown): Promise<string> {
  const path = join(cli.folder, name);
  await writeFile(path, Buffer.isBuffer(content) || typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

test('where there is no project, the list says how to make one', async () => {
  const { code, out } = await cli.run('project', 'list');
  expect(code).toBe(0);
  expect(out).toContain('There are no projects yet.');
  expect(out).toContain('roost project import');
  expect(await cli.json('project', 'list')).toEqual({ projects: [] });
});

test('from import to rollback, each command says what it did', async () => {
  const path = await file('tea-house.json', sampleDocument());
  expect((await cli.run('project', 'import', path)).out).toMatch(
    /^Made the project "tea-house" \(prj_\w{20}\) with this draft\./,
  );
  expect((await cli.run('project', 'releases', 'tea-house')).out).toContain('Nothing was published yet.');
  expect((await cli.run('project', 'publish', 'tea-house', '--note', 'Opening')).out).toMatch(
    /^Published release 1 of "tea-house" \([0-9a-f]{12}\)\./,
  );
  expect((await cli.run('project', 'publish', 'tea-house')).out).toContain('Nothing to publish: release 1');
  await file('tea-house.json', sampleDocument('Other words'));
  expect((await cli.run('project', 'import', path, '--into', 'tea-house')).out).toContain(
    'Replaced the draft of "tea-house".',
  );
  expect((await cli.run('project', 'publish', 'tea-house')).out).toContain('Published release 2');
  expect((await cli.run('project', 'rollback', 'tea-house', '--to', '1')).out).toBe(
    '"tea-house" runs release 1 now.\n',
  );
  const { releases, runs } = await cli.json<{ releases: { number: number; note: string | null }[]; runs: number }>(
    'project',
    'releases',
    'tea-house',
  );
  expect([releases.map(({ number, note }) => [number, note]), runs]).toEqual([
    [
      [2, null],
      [1, 'Opening'],
    ],
    1,
  ]);
  expect((await cli.run('project', 'list')).out).toMatch(/tea-house +prj_\w+ +active +release 1/);
});

test('a pause is told, twice is said, and a resume too', async () => {
  await cli.run('project', 'create', 'Quiet place');
  expect((await cli.run('project', 'pause', 'Quiet place')).out).toContain(
    'To go on: roost project resume "Quiet place"',
  );
  expect((await cli.run('project', 'pause', 'Quiet place')).out).toContain('is paused already');
  expect(await cli.json('project', 'resume', 'Quiet place')).toEqual({ changed: true, status: 'active' });
  expect((await cli.run('project', 'resume', 'Quiet place')).out).toContain('is not paused');
});

test('a document with mistakes is refused with every place, in words and in JSON', async () => {
  const path = await file('broken.json', { ...sampleDocument(), locales: 'en', cards: 7 });
  const { code, out, err } = await cli.run('project', 'import', path, '--name', 'Broken');
  expect([code, out]).toEqual([1, '']);
  expect(err).toMatch(/^DOCUMENT_WRONG: The document has 2 mistakes\.\n {2}mistake {2}/);
  expect(err).toContain('locales:');
  expect(err).toContain('cards:');
  const answer = await cli.json<{ ok: boolean; error: { code: string; facts: { faults: { path: string }[] } } }>(
    'project',
    'import',
    path,
    '--name',
    'Broken',
  );
  expect(answer).toMatchObject({ ok: false, error: { code: 'DOCUMENT_WRONG' } });
  expect(answer.error.facts.faults.map(({ path: place }) => place).sort()).toEqual(['cards', 'locales']);
  expect((await cli.run('project', 'list')).out).not.toContain('Broken');
});

test('a draft that cannot be published is imported with a word, and its publish is refused', async () => {
  const document = {
    ...sampleDocument(),
    triggers: { t1: { type: 'command', props: { command: 'start' }, to: 'nowhere' } },
  };
  const path = await file('lost.json', document);
  const imported = await cli.run('project', 'import', path);
  expect(imported.code).toBe(0);
  expect(imported.out).toMatch(/\d+ mistakes? must be mended before it can be published\./);
  const published = await cli.run('project', 'publish', 'lost');
  expect(published.code).toBe(1);
  expect(published.err).toMatch(/^DOCUMENT_WRONG: The draft cannot be published: it has /);
  expect(published.err).toContain('triggers.t1');
});

test('an export comes back as the same project, files included', async () => {
  await file('menu.png', onePixel);
  const path = await file('with-photo.json', samplePhotoDocument());
  await cli.run('project', 'import', path);
  const out = join(cli.folder, 'out', 'copy.json');
  expect((await cli.run('project', 'export', 'with-photo', '--out', out)).out).toBe(
    `Wrote ${out} and 1 file beside it.\n`,
  );
  expect(await readFile(join(cli.folder, 'out', 'menu.png'))).toEqual(onePixel);
  await cli.run('project', 'import', out, '--name', 'Second');
  const second = await cli.run('project', 'export', 'Second');
  expect(second.out).toBe(await readFile(out, 'utf8'));
  expect((await cli.run('project', 'export', 'Second', '--release', '1')).err).toContain(
    'RELEASE_NOT_FOUND: The project has no release 1.',
  );
});

test('what is wrong in a command is said in one line', async () => {
  const refused = async (...argv: string[]): Promise<string> => (await cli.run(...argv)).err.split('\n')[0] ?? '';
  expect(await refused('project', 'publish', 'Nobody')).toBe('PROJECT_NOT_FOUND: There is no project "Nobody".');
  expect(await refused('project', 'create', 'tea-house')).toBe(
    'PROJECT_EXISTS: A project with the name "tea-house" exists.',
  );
  expect(await refused('project', 'create', '/')).toBe(
    'PROJECT_NAME_WRONG: A project name begins with a letter or a digit.',
  );
  expect(await refused('project', 'import', join(cli.folder, 'none.json'))).toMatch(
    /^FILE_UNUSABLE: The file .*none\.json does not exist\.$/,
  );
  expect(await refused('project', 'rollback', 'tea-house', '--to', 'one')).toBe(
    'USAGE: --to is a whole number from 1 to 1,000,000,000, not "one".',
  );
  expect(await refused('project', 'rollback', 'tea-house', '--to', '99')).toBe(
    'RELEASE_NOT_FOUND: The project has no release 99.',
  );
  expect(await refused('project', 'import', 'a.json', '--name', 'A', '--into', 'B')).toContain('not both');
});

test('a name that holds control characters cannot steer the terminal', async () => {
  const path = await file('sly.json', { ...sampleDocument(), '\u001b[2Jx': 1 });
  const { err } = await cli.run('project', 'import', path, '--name', 'Sly');
  expect(err).toContain('DOCUMENT_WRONG');
  expect(err).not.toContain('\u001b');
});

test('rows that changed in a document are told, and applied as asked; what stands in the tables goes out with it', async () => {
  const columns = { title: { type: 'text', required: true }, price: { type: 'money' } };
  const shop = (...rows: object[]) => ({ ...sampleDocument(), tables: { goods: { columns, rows } } });
  const honey = { title: 'Honey', price: 5 };
  const path = await file('rows.json', shop(honey, { title: 'Jam', price: 3 }));
  expect((await cli.run('project', 'import', path, '--name', 'Rows')).out).not.toContain('Table "goods"');
  const again = async (...args: string[]) => (await cli.run('project', 'import', path, '--into', 'Rows', ...args)).out;
  expect(await again()).not.toContain('Table "goods"');
  const rows = async (): Promise<unknown> =>
    (await cli.json<{ document: { tables: { goods: { rows: object[] } } } }>('project', 'export', 'Rows', '--rows'))
      .document.tables.goods.rows;

  await file('rows.json', shop(honey, { title: 'Jam', price: 4 }, { title: 'Tea' }));
  const told = 'Table "goods" had 1 row of the document not in it, 1 row with other values. It stayed as it was.';
  expect(await again()).toContain(`${told} To apply the document: --rows add, or --rows replace`);
  expect(await again('--rows', 'keep')).toContain(`${told}\n`);
  expect(await rows()).toEqual([honey, { title: 'Jam', price: 3 }]);
  expect(await again('--rows', 'add')).toContain('Put in 1 row; the others stayed.');
  expect(await rows()).toEqual([honey, { title: 'Jam', price: 3 }, { title: 'Tea' }]);
  await file('rows.json', shop({ title: 'Jam', price: 4 }, { title: 'Salt' }));
  expect(await again('--rows', 'replace')).toContain(
    'had 1 row of the document not in it, 1 row with other values, 2 rows that the document does not have. It has the rows of the document now.',
  );
  expect(await rows()).toEqual([{ title: 'Jam', price: 4 }, { title: 'Salt' }]);
  const { rows: none } = await cli.json<{ rows: unknown[] }>('project', 'import', path, '--into', 'Rows');
  expect(none).toEqual([]);
  const draft = await cli.json<{ document: { tables: { goods: { rows: object[] } } } }>('project', 'export', 'Rows');
  expect(draft.document.tables.goods.rows).toHaveLength(2);
  for (const wrong of [
    ['--into', 'Rows', '--rows', 'all'],
    ['--name', 'New', '--rows', 'add'],
  ])
    expect((await cli.run('project', 'import', path, ...wrong)).err).toContain('--rows');
});
