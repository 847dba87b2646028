import { expect, test } from 'vitest';
import { createTestDatabase } from '../support/database.ts';
import { runGate } from './gate.ts';
import { keepLogs } from './logs.ts';

const seed = 1;
const seconds = 20;

/** The short form of `npm run chaos`. */
test(`three processes, two of them receivers, under kills and freezes of seed ${seed}: nothing is violated`, async () => {
  const database = await createTestDatabase();
  const result = await runGate({ seed, seconds, ground: { url: database.url } });
  try {
    const { violations, stuck, figures } = result;
    if (violations.length > 0 || stuck !== undefined) await keepLogs(result.installation);
    expect({ violations, stuck }).toEqual({ violations: [], stuck: undefined });
    expect(figures['texts']).toBeGreaterThan(200);
  } finally {
    await result.installation.close();
    await database.close();
  }
}, 600_000);
