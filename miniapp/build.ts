// Builds the runtime of Mini Apps: .cache/miniapp/ with its files under names that change with what is in them, and
// list.json, which says what they are called.
//
//   node miniapp/build.ts             builds, and says how large it has become
//   node miniapp/build.ts --check     says in a sentence what is over its limit
import { createHash } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { rolldown } from 'rolldown';

const here = import.meta.dirname;

/** The law: what a visitor on a bad network waits for. */
export const RUNTIME_GZIP_BYTES_MAX = 5_120;
export const CSS_GZIP_BYTES_MAX = 3_072;

const CHUNKS = ['calendar', 'zoom', 'map', 'offline', 'press'] as const;

export type BuiltFile = {
  readonly file: string;
  readonly bytes: number;
  readonly gzip: number;
  readonly sha256: string;
};

export type Built = {
  /** Names of files in the folder. */
  readonly runtime: string;
  readonly css: string;
  /** What wide screens need beside it. */
  readonly desk: string;
  /** What stands between the pages and the network. */
  readonly worker: string;
  readonly files: readonly string[];
  readonly chunks: { readonly [name in (typeof CHUNKS)[number]]: string };
  readonly sizes: { readonly [name: string]: BuiltFile };
};

/** Builds into `folder` and answers with what list.json there says. */
export async function buildMiniapp(folder = join(here, '..', '.cache', 'miniapp')): Promise<Built> {
  const codes: { [name: string]: string } = {};
  const named: { [name: string]: string } = {};
  const add = (name: string, code: string, end: string): void => {
    codes[name] = code;
    named[name] = `${name[0]}-${nameOf(code)}.${end}`;
  };
  add('worker', await built(join(here, 'offline', 'worker.ts'), {}), 'js');
  const worker = { WORKER: JSON.stringify(`./${named['worker']}`) };
  for (const chunk of CHUNKS) add(chunk, await built(join(here, 'chunks', `${chunk}.ts`), worker), 'js');
  const places = Object.fromEntries(CHUNKS.map((chunk) => [chunk.toUpperCase(), JSON.stringify(`./${named[chunk]}`)]));
  add('runtime', await built(join(here, 'runtime', 'main.ts'), places), 'js');
  for (const sheet of ['app', 'desk']) add(sheet, small(await readFile(join(here, `${sheet}.css`), 'utf8')), 'css');

  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  for (const [name, code] of Object.entries(codes)) await writeFile(join(folder, named[name] as string), code);
  const list: Built = {
    runtime: named['runtime'] as string,
    css: named['app'] as string,
    desk: named['desk'] as string,
    worker: named['worker'] as string,
    files: Object.values(named),
    chunks: Object.fromEntries(CHUNKS.map((chunk) => [chunk, named[chunk]])) as Built['chunks'],
    sizes: Object.fromEntries(
      Object.entries(codes).map(([name, code]) => [name, measured(named[name] as string, code)]),
    ),
  };
  await writeFile(join(folder, 'list.json'), `${JSON.stringify(list, null, 2)}\n`);
  return list;
}

/**
 * 40 bits of what is in it, the digits as letters that code is full of: the runtime names four files, and is 16 bytes
 * smaller under gzip for it.
 */
const nameOf = (code: string): string =>
  createHash('sha256')
    .update(code)
    .digest('hex')
    .slice(0, 10)
    .replace(/\d/g, (digit) => 'toniralscu'[+digit] as string);

function measured(file: string, code: string): BuiltFile {
  const gzip = gzipSync(code, { level: 9 }).length;
  return { file, bytes: Buffer.byteLength(code), gzip, sha256: createHash('sha256').update(code).digest('base64') };
}

/** One file of one entry, as short as it gets. `define` says where other files stand. */
async function built(input: string, define: { [name: string]: string }): Promise<string> {
  const build = await rolldown({
    input,
    // The other files of the build.
    external: /^\.\/[a-z]-\w+\.js$/,
    platform: 'browser',
    transform: { target: 'es2021', define },
    logLevel: 'warn',
  });
  try {
    const { output } = await build.generate({ format: 'esm', minify: true, comments: false });
    return output[0].code.trim();
  } finally {
    await build.close();
  }
}

/**
 * CSS without what only its writers need. It holds no text in quotes with a brace or a double blank in it; the blank of an
 * empty value stays, for browsers that take an empty one without it for a mistake.
 */
function small(css: string): string {
  return css
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/\s+/g, ' ')
    .replace(/(?<!:) ?([{};,>]) ?/g, '$1')
    .replace(/: (?!;)/g, ':')
    .replace(/(?<=[: ])0\./g, '.')
    .replace(/;}/g, '}')
    .trim();
}

/** What is over its limit, in sentences. */
export function overweight({ sizes }: Built): string[] {
  const limits = { runtime: RUNTIME_GZIP_BYTES_MAX, app: CSS_GZIP_BYTES_MAX };
  return Object.entries(limits).flatMap(([name, max]) => {
    const gzip = sizes[name]?.gzip ?? 0;
    return gzip > max ? [`${name} has ${gzip} bytes under gzip; ${max} are allowed.`] : [];
  });
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } });
  const list = await buildMiniapp();
  const faults = overweight(list);
  if (!values.check)
    for (const [name, { bytes, gzip }] of Object.entries(list.sizes))
      process.stdout.write(`${name.padEnd(10)} ${String(bytes).padStart(6)} bytes ${String(gzip).padStart(6)} gzip\n`);
  for (const fault of faults) process.stderr.write(`${fault}\n`);
  process.exitCode = faults.length > 0 ? 1 : 0;
}
