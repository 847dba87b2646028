import * as answers from '../methods/answers.ts';
import * as chats from '../methods/chats.ts';
import * as contents from '../methods/contents.ts';
import * as copies from '../methods/copy.ts';
import { deleteMessage, deleteMessages } from '../methods/delete.ts';
import * as edits from '../methods/edit.ts';
import { getFile, uploadStickerFile } from '../methods/files.ts';
import { sendMedia, sendMediaGroup, sendPaidMedia } from '../methods/media.ts';
import * as payments from '../methods/payments.ts';
import { plausible } from '../methods/plausible.ts';
import * as profile from '../methods/profile.ts';
import { sendRichMessage } from '../methods/rich.ts';
import { sendChatAction, sendMessage } from '../methods/send.ts';
import * as topics from '../methods/topics.ts';
import { close, deleteWebhook, getMe, getUpdates, getWebhookInfo, logOut } from '../methods/updates.ts';
import type { Method } from './call.ts';
import type { MethodSpec } from './method-table.ts';
import { methodSpecs } from './method-table.ts';

/** A method as it can be called. */
export type Entry = { spec: MethodSpec; run: Method };

/** A module's functions that are named as methods are. */
function methodsOf(module: Readonly<Record<string, unknown>>): Record<string, Method> {
  const methods: Record<string, Method> = {};
  for (const [name, method] of Object.entries(module)) {
    if (methodSpecs.has(name.toLowerCase()) && typeof method === 'function') methods[name] = method as Method;
  }
  return methods;
}

/** Methods with answers of their own. Whatever is not here answers plausibly by the shape of its result. */
const METHODS: Readonly<Record<string, Method>> = {
  getMe,
  getUpdates,
  deleteWebhook,
  getWebhookInfo,
  close,
  logOut,
  sendMessage,
  sendRichMessage,
  sendChatAction,
  sendPhoto: sendMedia('photo'),
  sendVideo: sendMedia('video'),
  sendAnimation: sendMedia('animation'),
  sendAudio: sendMedia('audio'),
  sendDocument: sendMedia('document'),
  sendVoice: sendMedia('voice'),
  sendVideoNote: sendMedia('video_note'),
  sendSticker: sendMedia('sticker'),
  sendLivePhoto: sendMedia('live_photo'),
  sendMediaGroup,
  sendPaidMedia,
  deleteMessage,
  deleteMessages,
  getFile,
  uploadStickerFile,
  ...methodsOf(answers),
  ...methodsOf(chats),
  ...methodsOf(contents),
  ...methodsOf(copies),
  ...methodsOf(edits),
  ...methodsOf(payments),
  ...methodsOf(profile),
  ...methodsOf(topics),
  setMyName: profile.myName.set,
  getMyName: profile.myName.get,
  setMyDescription: profile.myDescription.set,
  getMyDescription: profile.myDescription.get,
  setMyShortDescription: profile.myShortDescription.set,
  getMyShortDescription: profile.myShortDescription.get,
};

/** All methods by their name in lower case; `more` are those that need parts of the simulator. */
export function createRegistry(more: Readonly<Record<string, Method>>): ReadonlyMap<string, Entry> {
  const registry = new Map<string, Entry>();
  for (const [name, spec] of methodSpecs) {
    const run = more[spec.name] ?? METHODS[spec.name] ?? plausible(spec);
    registry.set(name, { spec, run });
  }
  return registry;
}
