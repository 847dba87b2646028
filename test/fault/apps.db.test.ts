import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { audit } from './audit.ts';
import { createChance } from './chance.ts';
import { createCrowd } from './crowd.ts';
import { gather, isFinished, unfinished } from './evidence.ts';
import { type Installation, openInstallation } from './installation.ts';
import { createVisitors, faultsOf, shopBundle, type Visitors } from './visitors.ts';
import { until } from './waiting.ts';

const testMs = 300_000;

let database: TestDatabase;
let installation: Installation;
let visitors: Visitors;
beforeAll(async () => {
  database = await createTestDatabase();
  installation = await openInstallation({ url: database.url });
  await installation.connect(4, { bundle: shopBundle() });
  visitors = createVisitors(installation, createChance(11));
  await installation.serve(['edge', 'core']);
}, testMs);
afterAll(async () => {
  await installation.close();
  await database.close();
});

async function during(work: () => Promise<unknown>): Promise<void> {
  const sending = new AbortController();
  const all = visitors.keepSending(60, sending.signal);
  await work().finally(() => sending.abort());
  await all;
}

async function expectNoFaults(): Promise<void> {
  await until('everything to come to its end', () => unfinished(installation), isFinished);
  expect(await faultsOf(installation.db, installation.bots, visitors.sent)).toEqual([]);
  const evidence = await gather(installation, createCrowd(installation.simulator, [], { chatsABot: 0 }));
  expect(audit(evidence, ['stored', 'asked', 'repeats'])).toEqual([]);
}

/** The codes of those who were refused. */
const refusals = (): Set<unknown> =>
  new Set(visitors.sent.map(({ outcome }) => outcome).filter((outcome) => typeof outcome === 'string'));

describe('a process that takes forms and runs turns with tables is killed, another one beside it', () => {
  test.each([
    ['submit-before-commit', 20],
    ['submit-after-commit', 20],
    ['turn-before-commit', 20],
    ['turn-after-commit', 20],
    ['send-after-call', 20],
  ] as const)(
    '%s',
    async (point, after) => {
      const victim = await installation.serve(['edge', 'core'], { fault: { point, after } });
      await during(() => until('the armed process to die', victim.alive, (alive) => !alive));
      expect((await victim.exit).signal).toBe('SIGKILL');
      await expectNoFaults();
    },
    testMs,
  );

  test(
    'it goes on until goods and times have run out, and all of it adds up',
    async () => {
      await during(() => until('both to run out', refusals, (codes) => codes.size >= 2));
      await expectNoFaults();
      expect(refusals()).toEqual(new Set(['CART_CHANGED', 'SLOT_TAKEN']));
      expect(visitors.sent.filter(({ outcome }) => typeof outcome === 'number').length).toBeGreaterThan(100);
    },
    testMs,
  );
});
