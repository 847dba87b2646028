// `npm run judge`: real updates of many projects, which lie beside the clone where they may be read but not copied,
// go through a whole installation. Another folder of the same shape can be named: `npm run judge -- FOLDER`.
import { existsSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { readCorpus } from './judge/corpus.ts';
import { openHouse } from './judge/house.ts';
import { compareMethods } from './judge/methods.ts';
import { conclude, type Finding, tryFile } from './judge/trial.ts';

const root = join(import.meta.dirname, '..');
const corpus = resolve(process.argv[2] ?? join(root, '..', 'shared', 'corpus'));
const apiFile = join(corpus, 'bot-api-10.3.json');

if (existsSync(corpus)) await judge();
else console.log(`There is no corpus at ${relative(root, corpus)}, so there is nothing to judge by.`);

async function judge(): Promise<void> {
  const startedMs = performance.now();
  const findings = await tryUpdates();
  const methods = existsSync(apiFile) ? compareMethods(apiFile) : [];
  printTable(findings);
  if (methods.length > 0) console.log(`\n${methods.length} methods compared with ${relative(root, apiFile)}`);
  const complaints = [
    ...findings.flatMap(({ file, sample, faults }) => faults.map((fault) => `${file} ${sample}: ${fault}`)),
    ...methods.flatMap(({ method, faults }) => faults.map((fault) => `${method}: ${fault}`)),
  ];
  if (complaints.length > 0) console.log(`\n${complaints.join('\n')}`);
  const verdicts = [...findings, ...methods];
  const failed = verdicts.filter(({ faults }) => faults.length > 0).length;
  console.log(`\nTook ${Math.round((performance.now() - startedMs) / 1000)} s.`);
  console.log(`${verdicts.length - failed} passed, ${failed} failed`);
  process.exitCode = failed === 0 && verdicts.length > 0 ? 0 : 1;
}

async function tryUpdates(): Promise<Finding[]> {
  const log: string[] = [];
  const house = await openHouse((line) => void log.push(line));
  try {
    const posted = [];
    for (const file of readCorpus(corpus)) posted.push(...(await tryFile(house, file)));
    const findings = await conclude(house.db, posted);
    const { calls } = house.simulator.counters();
    console.log(`The bots answered with ${calls.by_method.sendMessage ?? 0} messages.`);
    const troubles = log.filter((line) => /"level":"error"/.test(line));
    if (troubles.length > 0) console.log(`The log says:\n${troubles.slice(0, 5).join('')}`);
    return findings;
  } finally {
    await house.close();
  }
}

function printTable(findings: readonly Finding[]): void {
  const files = [...new Set(findings.map(({ file }) => file))];
  const rows = files.map((file) => {
    const own = findings.filter((finding) => finding.file === file);
    const count = (fate: Finding['fate']): number => own.filter((finding) => finding.fate === fate).length;
    const failed = own.filter(({ faults }) => faults.length > 0).length;
    return [file, own.length, count('done'), count('ignored'), count('kept'), own.length - failed, failed];
  });
  const head = ['file', 'bodies', 'done', 'ignored', 'kept', 'passed', 'failed'];
  const width = Math.max(...rows.map(([file]) => String(file).length), 4);
  for (const row of [head, ...rows])
    console.log(row.map((cell, at) => (at === 0 ? String(cell).padEnd(width) : String(cell).padStart(9))).join(''));
}
