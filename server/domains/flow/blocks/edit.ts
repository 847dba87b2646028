// Changes a message that was sent before.

import type { PropsOf } from '../../../../contract/blocks/registry.ts';
import { TELEGRAM_LIMITS } from '../../../../contract/limits.ts';
import { deliver } from '../deliver.ts';
import { isIncoming } from '../event-view.ts';
import { inlineKeyboard } from '../keyboards.ts';
import { type MakeRunner, NEXT_MOVE } from '../runner.ts';
import { partsOf } from '../split.ts';
import type { Markup, MessageTarget, SendParams } from '../step-types.ts';
import type { RichText } from '../texts.ts';
import type { Turn } from '../turn.ts';
import { readOwn } from '../values.ts';

/** A message to change, and whether its words are a caption. */
type Found = { readonly target: MessageTarget; readonly media: boolean; readonly bare?: true | undefined };

/** Finds the message whose button was pressed, or the one with a name. */
export function findMessage(turn: Turn, target: PropsOf<'edit'>['target']): Found | null {
  if (target === 'pressed') {
    const { event } = turn;
    const pressed = isIncoming(event) && event.kind === 'button' && event.messageId !== 0;
    return pressed ? { target: { messageId: event.messageId }, media: event.pressedMedia } : null;
  }
  const ref = readOwn(turn.refs, target.ref);
  return ref ? { target: { key: ref.key }, media: ref.media, bare: ref.bare } : null;
}

export const makeEdit: MakeRunner<'edit'> = (id, { props }, making) => {
  const keyboard = inlineKeyboard(id, props.buttons ?? [], making);
  const preview = props.preview === false ? { link_preview_options: { is_disabled: true } as const } : {};
  return {
    run: (turn) => {
      const found = findMessage(turn, props.target);
      const text = props.text === undefined ? null : turn.text(props.text);
      const markup = keyboard(turn);
      if (found) change(turn, found, text, markup, preview);
      else if (props.otherwise === 'skip' || text === null)
        turn.note(id, 'edit', undefined, 'there is no message to edit');
      else {
        const sent = deliver(turn, { chat: 'here', thread: 0, text, files: [], markup, options: preview });
        if (props.target !== 'pressed' && sent.key !== '') turn.name(props.target.ref, sent);
      }
      return NEXT_MOVE;
    },
  };
};

/** An edit cannot become two messages, so what is too long loses its end. */
function change(
  turn: Turn,
  { target, media, bare }: Found,
  text: RichText | null,
  markup: Markup | undefined,
  preview: Pick<SendParams, 'link_preview_options'>,
): void {
  const reply_markup = markup ?? { inline_keyboard: [] };
  const hasWords = text !== null && text.text !== '';
  if (hasWords && bare) turn.note(turn.block?.id ?? '', 'edit', undefined, 'a sticker or a round video has no words');
  if (!hasWords || bare) {
    turn.emit({ type: 'edit', target, method: 'editMessageReplyMarkup', params: { reply_markup } });
    return;
  }
  const max = media ? TELEGRAM_LIMITS.captionChars : TELEGRAM_LIMITS.textChars;
  const [part = text, ...lost] = partsOf(text, max);
  if (lost.length > 0) turn.note(turn.block?.id ?? '', 'edit', undefined, 'the text was too long and lost its end');
  const entities = part.entities.length > 0 ? part.entities : undefined;
  const params: SendParams = media
    ? { caption: part.text, ...(entities ? { caption_entities: entities } : {}), reply_markup }
    : { text: part.text, ...(entities ? { entities } : {}), reply_markup, ...preview };
  turn.emit({ type: 'edit', target, method: media ? 'editMessageCaption' : 'editMessageText', params });
}
