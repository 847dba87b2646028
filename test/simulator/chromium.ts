import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import chromium from '@sparticuz/chromium';

/**
 * The path of the package's browser, unpacked into a folder of its own that appears when all of it is there. The package
 * itself unpacks file by file where everybody looks: of two test files that begin at once on a new machine, the second
 * would start half a browser (ETXTBSY).
 */
export async function unpackedBrowser(
  parent = join(import.meta.dirname, '..', '..', '.cache'),
  unpack: (folder: string) => Promise<unknown> = unpackInto,
): Promise<string> {
  const manifest = await readFile(new URL('../package.json', import.meta.resolve('@sparticuz/chromium')), 'utf8');
  const { version } = JSON.parse(manifest) as { version: string };
  const whole = join(parent, `browser-${version}`);
  const program = join(whole, 'chromium');
  if (existsSync(program)) return program;
  await mkdir(parent, { recursive: true });
  const own = await mkdtemp(join(parent, 'unpacking-'));
  try {
    await unpack(own);
    await rename(own, whole);
  } catch (error) {
    await rm(own, { recursive: true, force: true });
    // Somebody else was as quick.
    if (!existsSync(program)) throw error;
  }
  return program;
}

/** The package goes by the folder for temporary files, and by that of the moment at which it is called. */
function unpackInto(folder: string): Promise<string> {
  const before = process.env['TMPDIR'];
  process.env['TMPDIR'] = folder;
  try {
    return chromium.executablePath();
  } finally {
    if (before === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = before;
  }
}
