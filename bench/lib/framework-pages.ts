// The page of an app once more, drawn in the browser by a framework: the same document around it, the same view, rows
// and pictures, in the same forms and with the same headers.
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { rolldown } from 'rolldown';
import { bodyOf } from '../../server/domains/miniapps/serving/compressed.ts';
import type { ReadyFile } from '../baseline/plan.ts';
import { type Answer, get } from './http.ts';

export const frameworks = ['preact', 'react'] as const;
export type Framework = (typeof frameworks)[number];

export type FrameworkPages = {
  readonly files: ReadonlyMap<string, ReadyFile>;
  /** What each script takes. */
  readonly gzipBytes: Readonly<Record<Framework, number>>;
};

const source = join(import.meta.dirname, '..', 'baseline', 'page');
/** What Node sets itself. */
const hopHeaders = ['connection', 'keep-alive', 'date', 'content-length', 'transfer-encoding'];

/** Takes a page over from a running server. Each framework's stands under its own name, as /preact. */
export async function frameworkPages(
  port: number,
  path: string,
  headers: Readonly<Record<string, string>>,
): Promise<FrameworkPages> {
  const page = await get(port, path, headers);
  const html = textOf(page);
  const runtime = /<script src="([^"]+)" type="module"/.exec(html)?.[1];
  const data = [...html.matchAll(/<link rel="preload" as="fetch"[^>]* href="([^"]+)"/g)].map(([, href]) => href!);
  if (runtime === undefined || data.length !== 2) throw new Error('The page is not as this bench knows it.');
  const files = new Map<string, ReadyFile>();
  const texts = [html];
  for (const each of data) {
    const answer = await get(port, each, headers);
    texts.push(textOf(answer));
    files.set(each, readyFile(answer));
  }
  for (const picture of new Set(texts.join(' ').match(/\/_\/[\w-]+\/m-[0-9a-f]{64}/g)))
    files.set(picture, readyFile(await get(port, picture, headers)));

  const script = await get(port, runtime, headers);
  const gzipBytes: Record<Framework, number> = { preact: 0, react: 0 };
  for (const framework of frameworks) {
    const code = await bodyOf('text/javascript', await built(framework), 11);
    gzipBytes[framework] = code.gzip?.length ?? 0;
    files.set(`/_/${framework}.js`, { headers: headersOf(script), bytes: code.br ?? code.plain });
    const empty = html
      .replace(
        /<div id="r">.*<\/div><script type="application\/json"/s,
        '<div id="r"></div><script type="application/json"',
      )
      .replaceAll(runtime, `/_/${framework}.js`);
    const body = await bodyOf('text/html', empty);
    files.set(`/${framework}`, { headers: headersOf(page), bytes: body.br ?? body.plain });
  }
  return { files, gzipBytes };
}

/** The answer of a server as somebody else's ready file. */
export const readyFile = (answer: Answer): ReadyFile => ({ headers: headersOf(answer), bytes: answer.bytes });

function headersOf({ headers }: Answer): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !hopHeaders.includes(name)));
}

function textOf({ status, headers, bytes }: Answer): string {
  if (status !== 200 || headers['content-encoding'] !== 'br') throw new Error(`Brotli was expected: status ${status}`);
  return brotliDecompressSync(bytes).toString();
}

async function built(framework: Framework): Promise<string> {
  const build = await rolldown({
    input: join(source, `${framework}.js`),
    platform: 'browser',
    transform: { target: 'es2022', define: { 'process.env.NODE_ENV': '"production"' } },
    logLevel: 'warn',
  });
  try {
    const { output } = await build.generate({ format: 'esm', minify: true, comments: false });
    return output[0].code;
  } finally {
    await build.close();
  }
}
