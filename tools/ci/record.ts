// A reporter of Vitest that writes a line of JSON for each event of a run, at once, so that a run that dies in the middle
// has still said what it did. The file is named by TEST_RECORD.
import { appendFileSync } from 'node:fs';
import { relative } from 'node:path';
import type { Reporter, SerializedError, TestModule, TestSpecification } from 'vitest/node';
import type { RecordLine } from './verdict.ts';

const root = process.cwd();
const nameOf = (path: string): string => relative(root, path);

function write(line: RecordLine): void {
  const file = process.env['TEST_RECORD'];
  if (file === undefined) throw new Error('TEST_RECORD does not name the file to write.');
  appendFileSync(file, `${JSON.stringify(line)}\n`);
}

/** Vitest makes one for each run. */
export default class Recorder implements Reporter {
  onTestRunStart(specifications: readonly TestSpecification[]): void {
    write({ kind: 'begun', files: specifications.map((each) => nameOf(each.moduleId)) });
  }

  onTestModuleEnd(module: TestModule): void {
    const states = [...module.children.allTests()].map((test) => test.result().state);
    const count = (state: string): number => states.filter((each) => each === state).length;
    write({
      kind: 'file',
      file: nameOf(module.moduleId),
      // A file that could not be loaded, or whose hook failed, has failed without a failed test.
      ok: module.state() === 'passed' || module.state() === 'skipped',
      passed: count('passed'),
      failed: count('failed'),
    });
  }

  onTestRunEnd(_modules: readonly TestModule[], errors: readonly SerializedError[]): void {
    for (const error of errors) {
      const path: unknown = error['VITEST_TEST_PATH'];
      write({ kind: 'stray', ...(typeof path === 'string' ? { file: nameOf(path) } : {}), message: error.message });
    }
    write({ kind: 'ended' });
  }
}
