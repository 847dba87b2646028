// The runtime's built files: read at start, sent under names that change with their content.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { Refusal } from '../../../../kernel/errors.ts';
import { type Body, bodyOf } from './compressed.ts';

export type Assets = {
  /** Path below the installation, as `/_/r-abc.js`. */
  readonly runtime: string;
  /** Stands in every page. */
  readonly css: string;
  /** Path of what wide screens need beside it. */
  readonly desk: string;
  byName(name: string): Body | undefined;
  /** Name of the one file that may stand between pages and the network. */
  readonly worker: string;
};

const listSchema = z.object({
  runtime: z.string(),
  css: z.string(),
  desk: z.string(),
  worker: z.string(),
  files: z.array(z.string().regex(/^[\w.-]+$/)),
});

const types: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
};

/** Reads the files of a build. Throws Refusal APP_RUNTIME_MISSING: without them no page can be served. */
export async function readAssets(folder: string): Promise<Assets> {
  try {
    const list = listSchema.parse(JSON.parse(await readFile(join(folder, 'list.json'), 'utf8')));
    const bodies = new Map<string, Body>();
    for (const name of list.files) {
      const type = types[name.split('.').pop() ?? ''];
      if (type === undefined) continue;
      bodies.set(name, await bodyOf(type, await readFile(join(folder, name)), 11));
    }
    const css = await readFile(join(folder, list.css), 'utf8');
    const [runtime, desk] = [list.runtime, list.desk].map((name) => `/_/${name}`) as [string, string];
    return { runtime, css, desk, worker: list.worker, byName: (name) => bodies.get(name) };
  } catch (error) {
    throw new Refusal(
      'APP_RUNTIME_MISSING',
      `The runtime of Mini Apps cannot be read from ${folder}: ${(error as Error).message.split('\n')[0]}. Build it: node miniapp/build.ts`,
    );
  }
}
