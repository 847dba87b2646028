// How a script writes what a bot has sent.

import { richWords } from '../manifest/manifest.ts';
import type { Markup, SendParams } from './step-types.ts';

/** A message as a script writes it: `<photo> Caption  [Button] [Button]`. */
export function writeMessage(params: SendParams): string {
  const files = (['photo', 'video', 'document', 'audio', 'animation', 'voice', 'video_note', 'sticker'] as const)
    .filter((field) => params[field] !== undefined)
    .map((field) => `<${field}>`);
  const album = params.media?.map((item) => `<${item.type}>`) ?? [];
  const caption = params.media?.find((item) => item.caption !== undefined)?.caption;
  const page = params.rich_message && richWords(params.rich_message.blocks, SHOWN).join('\n');
  const words = params.text ?? params.caption ?? caption ?? page ?? '';
  return [[...files, ...album, words].filter((part) => part !== '').join(' '), ...writeButtons(params.reply_markup)]
    .filter((part) => part !== '')
    .join('  ');
}

/** A page line by line, its own buttons where they stand. */
const SHOWN = {
  file: (type: string) => `<${type}>`,
  buttons: (labels: readonly string[]) => labels.map((label) => `[${label}]`).join(' '),
};

function writeButtons(markup: Markup | undefined): string[] {
  if (!markup || 'remove_keyboard' in markup || 'force_reply' in markup) return [];
  const rows: readonly (readonly { readonly text: string }[])[] =
    'inline_keyboard' in markup ? markup.inline_keyboard : markup.keyboard;
  return rows.length === 0
    ? []
    : [
        rows
          .flat()
          .map((button) => `[${button.text}]`)
          .join(' '),
      ];
}
