import { expect, test } from 'vitest';
import { runFullDisk } from './disk.ts';

test('the disk of the database is full for a while: nothing is lost, nothing ends, all goes on by itself', async (context) => {
  const result = await runFullDisk();
  if (result === undefined) return context.skip('only root can mount a disk');
  expect(result).toMatchObject({ violations: [], stuck: undefined, ended: 0 });
}, 600_000);
