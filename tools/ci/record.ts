// A reporter of Vitest that writes a line of JSON for each event of a run, at once, so that a run that dies in the middle
// has still said what it did. The file is named by TEST_RECORD.
import { appendFileSync } from 'node:fs';
import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import type { TestError } from 'vitest';
import type { Reporter, SerializedError, TestModule, TestSpecification } from 'vitest/node';
import type { RecordLine } from './verdict.ts';

const root = process.cwd();
const nameOf = (path: string): string => relative(root, path);

const reasonCharsMax = 500;

/** What an error says, and where in the project it was thrown. */
function reasonOf({ message, stacks }: TestError | SerializedError): string {
  const place = stacks?.find((frame) => frame.file.startsWith(root));
  const where = place ? ` (${nameOf(place.file)}:${place.line})` : '';
  return `${stripVTControlCharacters(message).replaceAll(/\s+/g, ' ').slice(0, reasonCharsMax)}${where}`;
}

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
    const tests = [...module.children.allTests()];
    const states = tests.map((test) => test.result().state);
    const count = (state: string): number => states.filter((each) => each === state).length;
    write({
      kind: 'file',
      file: nameOf(module.moduleId),
      // A file that could not be loaded, or whose hook failed, has failed without a failed test.
      ok: module.state() === 'passed' || module.state() === 'skipped',
      passed: count('passed'),
      failed: count('failed'),
      why: [
        ...module.errors().map(reasonOf),
        ...tests.flatMap((test) => (test.result().errors ?? []).map((error) => `${test.fullName}: ${reasonOf(error)}`)),
      ],
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
