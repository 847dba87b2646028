// Which project an address leads to, as a process knows it.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createProject } from '../projects/projects.ts';
import { createApps } from './apps.ts';
import { startTestApp, type TestApp } from './harness.ts';
import { setDomain, setSlug } from './miniapps.ts';

let shop: TestApp;
beforeAll(async () => {
  shop = await startTestApp();
});
afterAll(() => shop.close());

test('a name that went to another project stays with it, whichever change is seen first', async () => {
  const { db, kit } = shop.roost;
  const other = await db.tx((tx) => createProject(tx, { name: 'Other' }));
  const apps = createApps(kit, db, shop.roost.running.bots.directory as never);
  await db.tx(async (tx) => {
    await setSlug(tx, shop.project.id, 'cafe');
    await setDomain(tx, shop.project.id, 'cafe.example', undefined);
  });
  await apps.refresh();
  expect(apps.bySlug('cafe')?.projectId).toBe(shop.project.id);
  // All between two looks: the first project gives the names up and changes once more after the other has them.
  await db.tx(async (tx) => {
    await setSlug(tx, shop.project.id, null);
    await setDomain(tx, shop.project.id, null, undefined);
  });
  await db.tx(async (tx) => {
    await setSlug(tx, other.id, 'cafe');
    await setDomain(tx, other.id, 'cafe.example', undefined);
  });
  await db.tx((tx) => setSlug(tx, shop.project.id, 'bar'));
  await apps.refresh();
  expect(apps.bySlug('cafe')?.projectId).toBe(other.id);
  expect(apps.byDomain('cafe.example')?.projectId).toBe(other.id);
  expect(apps.bySlug('bar')?.projectId).toBe(shop.project.id);
});
