// Pictures, recordings and films of a project. Small ones are kept in memory; large ones leave in parts, so that neither a
// film nor a crowd of slow readers is held whole.
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '../../../kernel/errors.ts';
import { networkOf } from '../../../kernel/tally.ts';
import { readMedia, readMediaPart } from '../projects/projects.ts';
import type { AppEntry } from './apps.ts';
import type { MiniappsDeps } from './deps.ts';
import { mediaHeaders } from './serving/headers.ts';
import { rangeOf } from './serving/range.ts';
import type { AppRelease } from './serving/releases.ts';
import { createRoom } from './visitors/limits.ts';

/** What browsers may show in a page; anything else is saved. */
const SHOWN = /^(image\/(jpeg|png|webp|gif)|video\/(mp4|webm|quicktime)|audio\/(mpeg|mp4|ogg|flac|wav))$/;

/** What is read and held of one file at once. Players ask for the rest themselves when a part is shorter than they wished. */
const partBytesMax = 1024 * 1024;
/** Held for all who read what is not kept in memory, and for those of one network. */
const heldBytesMax = 32 * partBytesMax;
const networkHeldBytesMax = 8 * partBytesMax;
/** A part that was not taken in this time is let go, and its reader with it. */
const partMsMax = 120_000;

type Sent = (app: AppEntry, sha256: string, request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

/** Answers with a file of the running release, whole or one part of it. Throws Refusal NOT_FOUND, BUSY. */
export function mediaRoute(deps: MiniappsDeps): Sent {
  const room = createRoom(heldBytesMax, networkHeldBytesMax);

  /** Holds room until the answer is gone, however it ends. */
  function hold(request: FastifyRequest, reply: FastifyReply, bytes: number): void {
    const leave = room.take(networkOf(request.ip), Math.min(bytes, partBytesMax));
    if (leave === undefined) {
      reply.headers({ 'retry-after': String(1 + Math.floor(deps.kit.random() * 4)), 'cache-control': 'no-store' });
      throw new Refusal('BUSY');
    }
    for (const end of ['finish', 'close']) reply.raw.once(end, leave);
  }

  async function* partsOf(
    projectId: number,
    sha256: string,
    size: number,
    reply: FastifyReply,
  ): AsyncGenerator<Buffer> {
    for (let from = 0; from < size; from += partBytesMax) {
      const length = Math.min(partBytesMax, size - from);
      const part = await readMediaPart(deps.reads, projectId, sha256, { from, length });
      if (part === undefined) throw new Refusal('NOT_FOUND');
      const slow = setTimeout(() => reply.raw.destroy(), partMsMax);
      try {
        yield part;
      } finally {
        clearTimeout(slow);
      }
    }
  }

  async function smallFile(app: AppEntry, sha256: string): Promise<Buffer> {
    const picture = await deps.pictures.get(`${app.projectId} ${sha256}`, async () => {
      const found = await readMedia(deps.reads, app.projectId, sha256);
      if (found === undefined) throw new Refusal('NOT_FOUND');
      return { bytes: found.bytes.length + 300, kind: found.kind, content: found.bytes };
    });
    return picture.content;
  }

  return async (app, sha256, request, reply) => {
    const release = await deps.content.releaseOf(app);
    const file = release?.files.get(sha256);
    if (file === undefined) throw new Refusal('NOT_FOUND');
    const etag = `"${sha256.slice(0, 22)}"`;
    reply.headers(mediaHeaders).header('etag', etag);
    if (request.headers['if-none-match']?.includes(etag)) return reply.code(304).send();
    reply.header('content-type', SHOWN.test(file.kind) ? file.kind : 'application/octet-stream');
    if (!SHOWN.test(file.kind)) reply.header('content-disposition', attachment(release, sha256));
    const isSame = request.headers['if-range'] === undefined || request.headers['if-range'] === etag;
    const range = rangeOf(isSame ? request.headers.range : undefined, file.size);
    if (range === 'none') return reply.code(416).header('content-range', `bytes */${file.size}`).send();
    const kept = deps.pictures.peek(`${app.projectId} ${sha256}`)?.content;
    if (range !== undefined) {
      const length = Math.min(range.to - range.from + 1, partBytesMax);
      const { from } = range;
      if (kept === undefined) hold(request, reply, length);
      const part =
        kept?.subarray(from, from + length) ??
        (await readMediaPart(deps.reads, app.projectId, sha256, { from, length }));
      if (part === undefined) throw new Refusal('NOT_FOUND');
      const slow = setTimeout(() => reply.raw.destroy(), partMsMax);
      reply.raw.once('close', () => clearTimeout(slow));
      return reply
        .code(206)
        .header('content-range', `bytes ${from}-${from + length - 1}/${file.size}`)
        .send(part);
    }
    if (kept !== undefined) return reply.send(kept);
    if (request.method === 'HEAD') return reply.header('content-length', file.size).send(Readable.from([]));
    hold(request, reply, file.size);
    if (file.size <= partBytesMax) return reply.send(await smallFile(app, sha256));
    return reply
      .header('content-length', file.size)
      .send(Readable.from(partsOf(app.projectId, sha256, file.size, reply)));
  };
}

/** To be saved, under the name that the file has in the project. */
function attachment(release: AppRelease | undefined, sha256: string): string {
  const media = Object.values(release?.document.media ?? {}).find((one) => one.sha256 === sha256);
  const name = media?.name.split('/').at(-1)?.toWellFormed() ?? '';
  // What a name may hold in a header is what a URL may, but for three signs more.
  const safe = encodeURIComponent(name).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
  return safe === '' ? 'attachment' : `attachment; filename*=UTF-8''${safe}`;
}
