import type { Method } from '../api/call.ts';
import { badRequest } from '../api/refusal.ts';

/** The cloud hands out files up to this size. */
const DOWNLOAD_BYTES_MAX = 20 * 1024 * 1024;

export const getFile: Method = async (call) => {
  const id = call.text('file_id') ?? '';
  const { files } = call.world;
  const isLocal = files.local !== undefined;
  const file = files.byId(id, call.bot.id);
  if (!file) throw badRequest(id === '' ? 'file_id not specified' : 'invalid file_id');
  if (file.bytes.length > DOWNLOAD_BYTES_MAX && !isLocal) throw badRequest('file is too big');
  const path = isLocal ? await files.toDisk(file) : file.path;
  return { file_id: id, file_unique_id: file.uniqueId, file_size: file.bytes.length, file_path: path };
};

export const uploadStickerFile: Method = (call) => {
  const upload = call.uploads?.get('sticker');
  if (!upload) throw badRequest('there is no sticker in the request');
  const file = call.world.files.add('sticker', upload.name, upload.mime, upload.bytes);
  return {
    file_id: call.world.files.idFor(file, call.bot.id),
    file_unique_id: file.uniqueId,
    file_size: file.bytes.length,
  };
};
