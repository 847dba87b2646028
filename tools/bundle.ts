// Builds dist/: the server as a few files of plain JavaScript, for production and benches. The type stripper and
// some thousand module files stay out of memory that way. The bundle stands in the clone, beside migrations/ and the
// runtime of Mini Apps in .cache/, which is built with it: where the server runs, nothing may be there to build with.
//
//   node tools/bundle.ts             builds dist/main.js; run it as node dist/main.js serve
//   node tools/bundle.ts --check     builds into a folder that is removed again, and says whether it starts
import { execFile } from 'node:child_process';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { builtinModules } from 'node:module';
import { dirname, join, relative, sep } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { type Plugin, rolldown } from 'rolldown';
import { runtimeAssets } from '../server/roles/runtime-assets.ts';

const root = dirname(import.meta.dirname);
const ourFolders = ['contract', 'kernel', 'server', 'simulator'].map((name) => join(root, name) + sep);

/** Builds the server into `folder`, one level below the root of the clone. Answers with the file to run. */
export async function bundleServer(folder = join(root, 'dist')): Promise<string> {
  const build = await rolldown({
    input: { main: join(root, 'server', 'main.ts') },
    platform: 'node',
    // An optional part of pg that nobody installs.
    external: ['pg-native', ...builtinModules, /^node:/],
    plugins: [keepPlaces(folder), inAscii],
    logLevel: 'warn',
  });
  try {
    await rm(folder, { recursive: true, force: true });
    await build.write({
      dir: folder,
      format: 'esm',
      entryFileNames: '[name].js',
      chunkFileNames: '[name]-[hash].js',
      sourcemap: false,
      // Comments and blanks would be kept in memory as source text; names stay, so that stacks can be read.
      minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
    });
  } finally {
    await build.close();
  }
  await runtimeAssets();
  return join(folder, 'main.js');
}

/** Files that the code finds by its own place (migrations, pages, examples) are found from the bundle's place too. */
function keepPlaces(folder: string): Plugin {
  return {
    name: 'keep-places',
    transform: {
      filter: { code: /import\.meta\.(dirname|url)/ },
      handler(code, id) {
        if (!ourFolders.some((ours) => id.startsWith(ours))) return null;
        const file = relative(folder, id).split(sep).join('/');
        return code
          .replaceAll('import.meta.dirname', `(import.meta.dirname + ${JSON.stringify(`/${dirname(file)}`)})`)
          .replaceAll('import.meta.url', `new URL(${JSON.stringify(file)}, import.meta.url).href`);
      },
    },
  };
}

/** One sign beyond Latin-1 makes V8 keep a whole file in two bytes a sign: three megabytes more for a bundle of ours. */
const inAscii: Plugin = {
  name: 'in-ascii',
  generateBundle(_options, bundle) {
    for (const chunk of Object.values(bundle))
      if (chunk.type === 'chunk')
        chunk.code = chunk.code.replace(
          /[^\0-\x7f]/g,
          (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
        );
  },
};

async function check(): Promise<void> {
  const folder = await mkdtemp(join(root, 'dist-check-'));
  try {
    const file = await bundleServer(folder);
    await promisify(execFile)(process.execPath, [file, '--help']);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } });
  if (values.check) await check();
  else {
    const file = await bundleServer();
    process.stdout.write(`${relative(root, file)}: ${Math.round((await stat(file)).size / 1024)} KB\n`);
  }
}
