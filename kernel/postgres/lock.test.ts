import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { expect, onTestFinished, test } from 'vitest';
import { lockFolder } from './lock.ts';

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'roost-lock-'));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return path;
}

test('one holds the folder, and another gets it only afterwards', async () => {
  const path = await folder();
  const first = lockFolder(path);
  expect(lockFolder(path)).toBeUndefined();
  first?.release();
  const next = lockFolder(path);
  expect(next).toBeDefined();
  next?.release();
});

/** Has come as far as a reader, like one that has just begun to lock, and gives way a moment after it has said so. */
const halfWay = `
  const { parentPort, workerData } = require('node:worker_threads');
  const { DatabaseSync } = require('node:sqlite');
  const file = new DatabaseSync(workerData);
  file.exec('begin');
  file.prepare('select count(*) from sqlite_master').get();
  parentPort.postMessage('half way');
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
  file.exec('rollback');
  file.close();
`;

test('one that begins in the same moment and does not get it stands in nobody’s way', async () => {
  const path = await folder();
  // There is something to read: an empty file is not locked by its readers.
  lockFolder(path)?.release();
  const other = new Worker(halfWay, { eval: true, workerData: join(path, 'roost.lock') });
  onTestFinished(async () => void (await other.terminate()));
  await once(other, 'message');
  const lock = lockFolder(path);
  expect(lock).toBeDefined();
  lock?.release();
});
