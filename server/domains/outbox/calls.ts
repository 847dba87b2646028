import type { Db } from '../../../kernel/db.ts';
import type { BotAddress, CallOptions, Outcome, Telegram, Upload } from '../telegram/telegram.ts';
import { fileKey, fileOf, filesOf, hasFiles, type StoredFile } from './files.ts';
import { loneLineBase } from './message.ts';
import * as statements from './sql.ts';

/**
 * Puts together what a call says: the stored parameters, with the chat added where they do not name one, and the
 * number of the message that an edit means. Done as text: parsing and printing would cost more than the call.
 */
export function callBody(params: string, add: { chatId: number; messageId?: number }): string {
  const head: string[] = [];
  if (add.chatId !== 0 && add.chatId < loneLineBase && !params.startsWith('{"chat_id"'))
    head.push(`"chat_id":${add.chatId}`);
  if (add.messageId !== undefined) head.push(`"message_id":${add.messageId}`);
  if (head.length === 0) return params;
  return params === '{}' ? `{${head.join(',')}}` : `{${head.join(',')},${params.slice(1)}`;
}

/** A question about a chat that has another id now, asked about that one. */
export const askedAgain = (params: string, chatId: number): string =>
  JSON.stringify({ ...(JSON.parse(params) as object), chat_id: chatId });

export type Call = { readonly integrationId: number; readonly method: string; readonly body: string };

export type CallDeps = {
  db: Db;
  telegram: Telegram;
  /** A file of the bot's project by its content, read part by part while it goes out; undefined when it is gone. */
  openFile(
    integrationId: number,
    sha256: string,
  ): Promise<{ name: string; size: number; open(): AsyncIterable<Uint8Array> } | undefined>;
};

/** What a call may upload, and where it says what it has found of its files. */
export type Flight = {
  carries(key: string): boolean;
  named(keys: readonly string[]): void;
  nameless(keys: readonly string[]): void;
  unnamed(keys: readonly string[]): void;
};

type File = StoredFile['$file'];

/** Makes a call, which is the method of a message or a simpler one. Files go by the name that Telegram gave them, or are uploaded once for each bot. */
export async function makeCall(
  deps: CallDeps,
  bot: BotAddress,
  { integrationId, method, body }: Call,
  { flight, ...options }: CallOptions & { flight: Flight },
): Promise<Outcome> {
  if (!hasFiles(body)) return deps.telegram.callText(bot, method, body, options);
  const names = await namesOf(deps.db, integrationId, filesOf(body));
  flight.named([...names.keys()]);
  const missing = filesOf(body).filter((key) => !names.has(key));
  if (!missing.every((key) => flight.carries(key))) {
    flight.unnamed(missing);
    return { kind: 'unreached', reason: 'Telegram has no name for its file any more.' };
  }
  const found = await findFiles(deps, integrationId, { body, names });
  if (found.uploads.length === 0) return deps.telegram.callText(bot, method, JSON.stringify(found.params), options);
  const outcome = await deps.telegram.callWithFiles(bot, method, found.params, found.uploads, options);
  // The message is sent whatever becomes of this; without it the file is only uploaded again next time.
  if (outcome.kind === 'ok') {
    await rememberFiles(deps.db, integrationId, { result: outcome.result, wanted: found.wanted, flight }).catch(
      () => {},
    );
  }
  return outcome;
}

/** The names that Telegram gave to files of a bot, by their keys; one it does not know has none. */
async function namesOf(db: Db, integrationId: number, keys: readonly string[]): Promise<Map<string, string>> {
  const names = new Map<string, string>();
  for (const key of keys) {
    const known = await statements.findUploads(db, { integrationId, ...fileOf(key) });
    if (known) names.set(key, known.file_id);
  }
  return names;
}

/** Replaces every `$file` by a file id or by an upload. */
async function findFiles(
  { openFile }: CallDeps,
  integrationId: number,
  { body, names }: { body: string; names: ReadonlyMap<string, string> },
): Promise<{ params: Record<string, unknown>; uploads: Upload[]; wanted: File[] }> {
  const uploads: Upload[] = [];
  const wanted: File[] = [];
  const replace = async (value: unknown): Promise<unknown> => {
    if (Array.isArray(value)) return Promise.all(value.map(replace));
    if (typeof value !== 'object' || value === null) return value;
    const file = (value as Partial<StoredFile>).$file;
    if (!file) {
      const entries = await Promise.all(
        Object.entries(value).map(async ([name, inner]) => [name, await replace(inner)] as const),
      );
      return Object.fromEntries(entries);
    }
    wanted.push(file);
    const name = names.get(fileKey(file));
    if (name !== undefined) return name;
    const media = await openFile(integrationId, file.sha256);
    if (!media) return '';
    const part = `file${uploads.length}`;
    uploads.push({ name: part, fileName: media.name, content: media });
    return `attach://${part}`;
  };
  const params = (await replace(JSON.parse(body))) as Record<string, unknown>;
  return { params, uploads, wanted };
}

/** Keeps Telegram's names of files just uploaded, so that the next send is a few bytes. */
async function rememberFiles(
  db: Db,
  integrationId: number,
  { result, wanted, flight }: { result: unknown; wanted: readonly File[]; flight: Flight },
): Promise<void> {
  const names = fileNames(result, wanted);
  for (const [index, file] of wanted.entries()) {
    const fileId = names[index];
    if (fileId) await statements.insertUpload(db, { integrationId, ...file, fileId });
    if (fileId) flight.named([fileKey(file)]);
    else if (flight.carries(fileKey(file))) flight.nameless([fileKey(file)]);
  }
}

/** What Telegram calls each of the files that were wanted, in their order. */
function fileNames(result: unknown, wanted: readonly File[]): (string | undefined)[] {
  const blocks = (result as { rich_message?: { blocks?: unknown } } | null)?.rich_message?.blocks;
  if (blocks !== undefined) {
    const found = blockFiles(blocks);
    // A list of another length is not the one that was sent: better upload again than name the wrong file.
    return found.length === wanted.length ? found : [];
  }
  const messages = Array.isArray(result) ? result : [result];
  return wanted.map(({ kind }, index) => fileIdOf(messages[Math.min(index, messages.length - 1)], kind));
}

const BLOCK_FILES = ['photo', 'video', 'animation', 'audio', 'voice_note', 'document'];

/** The files of a rich message as they stand in it. */
function blockFiles(blocks: unknown): (string | undefined)[] {
  return (Array.isArray(blocks) ? blocks : []).flatMap((block: { [field: string]: unknown }) => {
    const kind = BLOCK_FILES.find((one) => block[one] !== undefined);
    return kind === undefined ? blockFiles(block['blocks']) : [fileIdOf(block, kind)];
  });
}

function fileIdOf(message: unknown, kind: string): string | undefined {
  const held = (message as Record<string, unknown> | null)?.[kind];
  const file = Array.isArray(held) ? held.at(-1) : held;
  const id = (file as { file_id?: unknown } | undefined)?.file_id;
  return typeof id === 'string' ? id : undefined;
}
