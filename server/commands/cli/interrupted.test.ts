import { execFileSync } from 'node:child_process';
import { constants } from 'node:fs';
import { mkdir, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { startProgram } from '../fixtures.ts';

/** Opens a pipe for writing as soon as somebody waits to read it, and says nothing in it. */
async function holdReader(pipe: string): Promise<void> {
  for (;;) {
    try {
      const writer = await open(pipe, constants.O_WRONLY | constants.O_NONBLOCK);
      onTestFinished(() => writer.close());
      return;
    } catch (error) {
      if ((error as { code?: string }).code !== 'ENXIO') throw error;
      await pause(10);
    }
  }
}

test('a signal ends a command, also one that waits for a file', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'roost-interrupted-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await mkdir(join(folder, 'data'));
  const pipe = join(folder, 'data', 'installation.id');
  execFileSync('mkfifo', [pipe]);
  const program = startProgram(['status'], { DATA_DIR: join(folder, 'data') });
  onTestFinished(() => void program.child.kill('SIGKILL'));
  await holdReader(pipe);
  program.child.kill('SIGTERM');
  await program.ended;
  // It was heard: a signal that nobody listens to would show here as itself.
  expect(program.child.signalCode).toBe('SIGKILL');
});
