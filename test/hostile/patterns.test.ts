import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { errorText, redact } from '../../kernel/redact.ts';
import { attacksOn, ENDS, type FoundPattern, mayGrow, patternsIn, textOf } from './patterns.ts';

// Whoever writes to a bot, a page or the simulator chooses the text: a pattern that looks at the rest from each of its
// signs holds up everybody. Time is measured here, and nowhere else: the best of several runs, against ratios that only
// something worse than a line reaches.

const root = join(import.meta.dirname, '..', '..');

/** These read files of our own alone, and browsers run what lies on the simulator's page. */
const ownFilesOnly = /^(miniapp\/build\.ts|simulator\/app-script\.ts|simulator\/page\/)/;
const notProduct = /\.test\.ts$|\/(harness|fixtures|scripted)\.ts$|\.generated\.ts$/;

function productFiles(): string[] {
  const listed = execFileSync(
    'git',
    ['ls-files', '-co', '--exclude-standard', 'kernel', 'server', 'contract', 'simulator', 'miniapp'],
    {
      cwd: root,
      encoding: 'utf8',
    },
  );
  return listed
    .split('\n')
    .filter((file) => /\.(ts|js)$/.test(file) && !ownFilesOnly.test(file) && !notProduct.test(file));
}

const run = ({ source, flags }: FoundPattern, text: string): number => {
  const pattern = new RegExp(source, flags);
  const begun = performance.now();
  text.replace(pattern, '');
  return performance.now() - begun;
};

/** Nothing that grows with its text takes so long, however busy the machine is. */
const hopelessMs = 700;

function bestOf(runs: number, once: () => number): number {
  let best = once();
  for (let at = 1; at < runs && best > 0.1 && best < hopelessMs; at += 1) best = Math.min(best, once());
  return best;
}

/** From this on a time is a time; a square of the longest text takes over a second. */
const noticedMs = 4;

/** How many times as long eight times the text takes; 1 for what cannot be noticed. A line is 8, a square 64. */
function growth(once: (chars: number) => number): number {
  // The first sizes are for what doubles with each sign: it would never come back from a longer one.
  for (const chars of [25, 600]) if (bestOf(3, () => once(chars)) > 40) return Number.POSITIVE_INFINITY;
  const short = bestOf(5, () => once(4_000));
  if (short > hopelessMs) return Number.POSITIVE_INFINITY;
  const long = bestOf(5, () => once(32_000));
  return long < noticedMs ? 1 : long / Math.max(short, noticedMs / 64);
}

/** Twice the worst that a line measures, and half of the least that a square does. */
const growthMax = 24;

function worstAttack(pattern: FoundPattern): string | undefined {
  for (const attack of attacksOn(pattern)) {
    for (const end of ENDS) {
      const at = (chars: number): number => run(pattern, textOf(attack, chars, end));
      // Most are far from slow: one look at each, and the whole measure for what is left.
      if (at(22) < 1 && (at(1_500) < 0.4 || at(1_500) < 0.4)) continue;
      if (growth(at) > growthMax) return JSON.stringify(attack);
    }
  }
  return undefined;
}

test('every pattern of the product takes a time that grows with its text, and no faster', () => {
  const patterns = productFiles().flatMap((file) => patternsIn(root, file));
  expect(patterns.length).toBeGreaterThan(200);
  const seen = new Map(patterns.map((pattern) => [`/${pattern.source}/${pattern.flags}`, pattern]));
  const slow = [...seen].flatMap(([shown, pattern]) => {
    const attack = mayGrow(pattern) ? worstAttack(pattern) : undefined;
    return attack === undefined ? [] : [`${pattern.at} ${shown} on ${attack}`];
  });
  expect(slow).toEqual([]);
});

test.each([
  ['a square', '\\d{6,}:', 'g'],
  ['what doubles', '^(a+)+$', ''],
  ['two runs that meet', '^a*a*$', ''],
  ['a wide end', '^x\\s*(.*)$', ''],
  ['words with a sign between', '(?:[\\w-]+\\.)+com', ''],
])('this very test sees %s', (_what, source, flags) => {
  expect(worstAttack({ at: 'here', source, flags })).toBeDefined();
});

const runs = [
  '1',
  'a',
  '1:',
  ':',
  'a://',
  '://',
  '://a:',
  '/',
  '%3A',
  '1%3A',
  'secret',
  'secret=',
  'secret_token="',
  'password: ',
  '\\"',
  ' ',
  '@',
];

test.each(runs)('cleaning and cutting a text made of %j grows with it', (pump) => {
  const timed = (work: (text: string) => unknown) => (chars: number) => {
    const text = pump.repeat(Math.ceil(chars / pump.length));
    const begun = performance.now();
    work(text);
    return performance.now() - begun;
  };
  expect(growth(timed(redact))).toBeLessThan(growthMax);
  expect(growth(timed((text) => errorText(new Error(text))))).toBeLessThan(growthMax);
});
