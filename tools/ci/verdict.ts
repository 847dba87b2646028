// What a run of the tests came to, from the lines that `record.ts` wrote. Pure.

export type RecordLine =
  | { readonly kind: 'begun'; readonly files: readonly string[] }
  | {
      readonly kind: 'file';
      readonly file: string;
      readonly ok: boolean;
      readonly passed: number;
      readonly failed: number;
      /** What each failure said, and where. */
      readonly why: readonly string[];
    }
  /** An error outside of every test: a rejection nobody handled, a worker that died. */
  | { readonly kind: 'stray'; readonly file?: string; readonly message: string }
  | { readonly kind: 'ended' };

export type Verdict = {
  /** Tests that passed and failed, counted over the files that are not suspect. */
  readonly passed: number;
  /** Files to run once more, with what they failed: failed, never reported, or the origin of a stray error. */
  readonly suspects: readonly { readonly file: string; readonly failed: number; readonly why: readonly string[] }[];
  /** Why no second run of single files can make this run good; undefined where it can. */
  readonly broken: string | undefined;
};

/** Judges a run by its lines and the exit code of its process (124 and 137 where time ran out). */
export function judgeRun(lines: readonly RecordLine[], exitCode: number): Verdict {
  const files = lines.filter((line) => line.kind === 'file');
  const expected = lines.flatMap((line) => (line.kind === 'begun' ? line.files : []));
  if (expected.length === 0) return { passed: 0, suspects: [], broken: 'the run began no test file' };

  const strays = lines.filter((line) => line.kind === 'stray');
  const suspect = new Set([
    ...files.filter((each) => !each.ok || each.failed > 0).map((each) => each.file),
    ...strays.flatMap((each) => each.file ?? []),
    ...expected.filter((name) => !files.some((each) => each.file === name)),
  ]);
  const suspectOf = (file: string): Verdict['suspects'][number] => {
    const told = files.find((each) => each.file === file);
    const stray = strays.filter((each) => each.file === file).map((each) => each.message);
    return { file, failed: told?.failed ?? 0, why: [...(told?.why ?? ['it never ended']), ...stray] };
  };
  const nameless = strays.find((each) => each.file === undefined);
  return {
    passed: sum(files.filter((each) => !suspect.has(each.file)).map((each) => each.passed)),
    suspects: [...suspect].sort().map(suspectOf),
    broken:
      nameless !== undefined && suspect.size === 0
        ? nameless.message
        : exitCode !== 0 && suspect.size === 0
          ? `every file passed, but the run ended with ${exitCode}`
          : undefined,
  };
}

/** Judges the second run of one file by itself: it has to pass whole. */
export function judgeAgain(
  file: string,
  lines: readonly RecordLine[],
  exitCode: number,
): { ok: boolean; passed: number } {
  const told = lines.find((line) => line.kind === 'file' && line.file === file);
  if (told?.kind !== 'file') return { ok: false, passed: 0 };
  return { ok: exitCode === 0 && told.ok && told.failed === 0 && told.passed > 0, passed: told.passed };
}

/** The lines of a record; one that a kill has cut is left out. */
export function parseRecord(text: string): RecordLine[] {
  return text.split('\n').flatMap((line) => {
    if (line === '') return [];
    try {
      return [JSON.parse(line) as RecordLine];
    } catch {
      return [];
    }
  });
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);
