// Files on their way in.
import { createReadStream } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { sep } from 'node:path';
import type { Readable } from 'node:stream';
import { readAnswer, withoutToken } from './answers.ts';
import { reasonOf } from './exchange.ts';
import type { BotAddress, Failure } from './outcome.ts';
import type { Root } from './roots.ts';

type Downloaded = { readonly kind: 'ok'; readonly size: number | undefined; readonly body: Readable } | Failure;

const errorBytesMax = 64 * 1024;

/** Opens a file by the `file_path` of getFile: relative from the cloud, absolute from a Local Bot API server. */
export async function download(
  root: Root,
  bot: BotAddress,
  filePath: string,
  options: { stalledMsMax: number; localFilesFolder: string | undefined },
): Promise<Downloaded> {
  if (filePath.startsWith('/')) return openLocal(filePath, options.localFilesFolder);
  const path = filePath.split('/').map(encodeURIComponent).join('/');
  try {
    const answer = await root.pools.long.request({
      path: `${root.prefix}/file/bot${bot.token}/${path}`,
      method: 'GET',
      headersTimeout: options.stalledMsMax,
      bodyTimeout: options.stalledMsMax,
    });
    if (answer.statusCode !== 200) return await refusal(answer, bot.token);
    const length = Number(answer.headers['content-length']);
    return { kind: 'ok', size: Number.isSafeInteger(length) ? length : undefined, body: answer.body };
  } catch (error) {
    // Reading changes nothing at Telegram's side, so every failure may be tried again.
    return { kind: 'unreached', reason: withoutToken(reasonOf(error as Error), bot.token) };
  }
}

async function refusal(
  answer: { statusCode: number; headers: Record<string, string | string[] | undefined>; body: Readable },
  token: string,
): Promise<Failure> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of answer.body) {
    bytes += (piece as Buffer).length;
    if (bytes > errorBytesMax) break;
    pieces.push(piece as Buffer);
  }
  const retryAfter = answer.headers['retry-after'];
  const outcome = readAnswer(
    {
      kind: 'answer',
      status: answer.statusCode,
      retryAfter: retryAfter === undefined ? undefined : String(retryAfter),
      body: Buffer.concat(pieces),
    },
    token,
  );
  return outcome.kind === 'ok' ? { kind: 'doubtful', reason: `Status ${answer.statusCode}.` } : outcome;
}

/** `file_path` is what a server says, and an integration may name its own server: only the operator's folder is opened. */
async function openLocal(filePath: string, folder: string | undefined): Promise<Downloaded> {
  if (folder === undefined)
    return {
      kind: 'refused',
      code: 400,
      description: 'The file lies on the Bot API server, and no folder is shared with it.',
    };
  try {
    const [inside, path] = await Promise.all([realpath(folder), realpath(filePath)]);
    if (!path.startsWith(inside.endsWith(sep) ? inside : inside + sep))
      return {
        kind: 'refused',
        code: 400,
        description: 'The file lies outside of the folder shared with the Bot API server.',
      };
    const { size } = await stat(path);
    return { kind: 'ok', size, body: createReadStream(path) };
  } catch (error) {
    return {
      kind: 'refused',
      code: 400,
      description: `The file of the Bot API server cannot be read (${(error as NodeJS.ErrnoException).code}).`,
    };
  }
}
