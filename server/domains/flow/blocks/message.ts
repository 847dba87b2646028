// Says something, with files and buttons.

import type { MediaRef } from '../../../../contract/blocks/message.ts';
import type { PropsOf } from '../../../../contract/blocks/registry.ts';
import type { Value } from '../../../../contract/variables.ts';
import { type Delivery, deliver, replyTo, type Sending } from '../deliver.ts';
import { inlineKeyboard, type Keyboard, replyKeyboard } from '../keyboards.ts';
import { type MakeRunner, type Making, NEXT_MOVE } from '../runner.ts';
import type { Turn } from '../turn.ts';
import { readOwn } from '../values.ts';

export const makeMessage: MakeRunner<'message'> = (id, { props }, making) => {
  const keyboard = keyboardOf(id, props, making);
  const files = (props.media ?? []).map((ref) => fileOf(ref, making));
  const options: Delivery['options'] = {
    ...(props.silent ? { disable_notification: true } : {}),
    ...(props.protect ? { protect_content: true } : {}),
    ...(props.preview === false ? { link_preview_options: { is_disabled: true } } : {}),
  };
  const ambiguous = props.keyboard === 'reply';
  return {
    run: (turn) => {
      if (props.typing) turn.emit({ type: 'typing' });
      const sent = deliver(turn, {
        chat: 'here',
        thread: 0,
        text: props.text === undefined ? NO_TEXT : turn.text(props.text),
        files: files.map((find) => find(turn)).filter((file) => file !== null),
        markup: keyboard(turn),
        options: props.reply ? { ...options, ...replyTo(turn) } : options,
      });
      if (props.ref !== undefined && sent.key !== '') turn.name(props.ref, sent);
      if (ambiguous && turn.release.sharedLabels.has(id)) turn.keyboard = id;
      return NEXT_MOVE;
    },
  };
};

const NO_TEXT = { text: '', entities: [] };

function keyboardOf(id: string, props: PropsOf<'message'>, making: Making): Keyboard {
  if (props.keyboard === 'remove') return () => ({ remove_keyboard: true });
  if (!props.buttons || props.buttons.length === 0) return () => undefined;
  return props.keyboard === 'reply'
    ? replyKeyboard(props.buttons, props.placeholder, making)
    : inlineKeyboard(id, props.buttons, making);
}

function fileOf(ref: MediaRef, making: Making): (turn: Turn) => Sending | null {
  if (typeof ref === 'string') {
    const kind = readOwn(making.media, ref)?.kind;
    if (kind !== undefined) return () => ({ kind, file: { media: ref } });
    return (turn) => {
      turn.note(turn.block?.id ?? '', 'file', undefined, `there is no file "${ref}"`);
      return null;
    };
  }
  return (turn) => heldFile(turn, ref.var);
}

/** A file that somebody sent to this bot before. */
function heldFile(turn: Turn, name: string): Sending | null {
  const held = turn.read(name);
  if (typeof held === 'object' && !Array.isArray(held)) {
    const { kind, fileId } = held as { readonly [member: string]: Value };
    if (typeof kind === 'string' && typeof fileId === 'string' && fileId !== '') return { kind, file: fileId };
  }
  turn.note(turn.block?.id ?? '', 'file', undefined, `"${name}" holds no file`);
  return null;
}
