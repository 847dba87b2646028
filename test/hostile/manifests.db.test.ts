import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Fault } from '../../contract/flow.ts';
import { Refusal } from '../../kernel/errors.ts';
import { sql } from '../../kernel/sql.ts';
import { startTestApp, type TestApp } from '../../server/domains/miniapps/harness.ts';
import { sha256Of } from '../../server/domains/projects/files.ts';
import { onePixel } from '../../server/domains/projects/fixtures.ts';
import { importProject, publish } from '../../server/domains/projects/projects.ts';
import { hostileIds, hostileMarks, hostileNumbers, hostileSizes } from './manifest-values.ts';
import { goodDocument, type HostileManifest, hostileAddresses, hostileNames, type Loose } from './manifests.ts';

let shop: TestApp;
beforeAll(async () => {
  shop = await startTestApp(goodDocument());
});
afterAll(() => shop.close());

/** Stores it as the draft and publishes it, as the two commands do. */
async function release(document: Loose): Promise<void> {
  for (const media of Object.values(document.media) as Loose[]) media.sha256 ??= sha256Of(onePixel);
  const bundle = { document, files: new Map([[sha256Of(onePixel), onePixel]]) };
  const { db } = shop.roost;
  await db.tx((tx) => importProject(tx, { name: shop.project.publicId, bundle, into: true }));
  await db.tx((tx) => publish(tx, shop.project.id));
}

async function faultsOf(document: Loose): Promise<readonly Fault[]> {
  try {
    await release(document);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    expect(error.code).toBe('DOCUMENT_WRONG');
    return error.facts['faults'] as Fault[];
  }
  return [];
}

const running = () =>
  shop.roost.db.one<{ n: number; release: number }>(
    sql`select (select count(*)::int from release) as n, release_number as release from project where id = ${shop.project.id}`,
  );

const groups: readonly [name: string, cases: readonly HostileManifest[]][] = [
  ['addresses', hostileAddresses],
  ['names that objects inherit', hostileNames],
  ['sizes and trees', hostileSizes],
  ['marks', hostileMarks],
  ['ids', hostileIds],
  ['numbers', hostileNumbers],
];

describe.each(groups)('hostile %s', (_group, cases) => {
  test('are refused with a place and a sentence, and never run', async () => {
    const before = await running();
    const accepted: string[] = [];
    for (const { name, path, hostile } of cases) {
      const faults = await faultsOf(hostile());
      if (faults.length === 0) accepted.push(name);
      for (const fault of faults) {
        expect(fault.message, name).toMatch(/^.{8,}[^\s]$/su);
        expect(fault.message.length, name).toBeLessThan(1_000);
      }
      const isTold = faults.some((one) => one.path !== '' && (path.startsWith(one.path) || one.path.startsWith(path)));
      if (faults.length > 0 && !isTold) accepted.push(`${name}: told at ${faults.map((one) => one.path).join()}`);
    }
    expect(accepted).toEqual([]);
    expect(await running()).toEqual(before);
  });

  test('are not refused for their shape alone', async () => {
    const refused: string[] = [];
    for (const { name, harmless } of new Map(cases.map((one) => [one.path, one])).values()) {
      const faults = await faultsOf(harmless());
      if (faults.length > 0) refused.push(`${name}: ${JSON.stringify(faults.slice(0, 2))}`);
    }
    expect(refused).toEqual([]);
  });
});

test('the corpus is large', () => {
  const names = groups.flatMap(([, cases]) => cases.map(({ name }) => name));
  expect(names.length).toBeGreaterThan(300);
});
