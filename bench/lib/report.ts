import { type Bar, meets, type Result, rounded } from './bench.ts';
import { machineName } from './machine.ts';

export type Run = {
  readonly name: string;
  readonly about: string;
  readonly server: string;
  /** How busy others kept the machine before. */
  readonly load: number;
  readonly seconds: number;
};

/** The figures as a table for people. */
export function table(run: Run, result: Result): string {
  const lines = Object.entries(result.figures).map(([figure, value]) => {
    const bar = result.bars.find((each) => each.figure === figure);
    const verdict = bar === undefined ? '' : meets(bar, value) ? 'reached' : 'MISSED';
    return `  ${figure.padEnd(34)}${String(rounded(value)).padStart(12)}  ${wanted(bar).padEnd(14)}${verdict}`.trimEnd();
  });
  const { name, about, server, load, seconds } = run;
  const notes = [
    ...(result.notes ?? []),
    `${machineName()}; load ${load} before; server from ${server}; ${seconds.toFixed(0)} s`,
  ];
  return [`${name}: ${about}`, ...lines, ...notes.map((note) => `  ${note}`), ''].join('\n');
}

function wanted(bar: Bar | undefined): string {
  if (bar === undefined) return '';
  if (bar.atLeast === undefined) return `<= ${rounded(bar.atMost ?? Number.NaN)}`;
  return bar.atMost === undefined ? `>= ${bar.atLeast}` : `${bar.atLeast} to ${bar.atMost}`;
}

/** The same for programs, in one line. */
export function json(run: Run, result: Result): string {
  const figures = Object.fromEntries(Object.entries(result.figures).map(([figure, value]) => [figure, rounded(value)]));
  const missed = result.bars.filter((bar) => !meets(bar, result.figures[bar.figure])).map((bar) => bar.figure);
  const { name, server, load } = run;
  const date = new Date().toISOString();
  return `${JSON.stringify({ bench: name, figures, date, machine: machineName(), server, load, missed })}\n`;
}
