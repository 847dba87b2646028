// Sends a page of the app as a rich message.

import { type RichTarget, richPage } from '../../manifest/manifest.ts';
import { appTarget, inlineKeyboard } from '../keyboards.ts';
import { type MakeRunner, NEXT_MOVE } from '../runner.ts';
import type { Turn } from '../turn.ts';

export const makePage: MakeRunner<'page'> = (id, { props }, making) => {
  const keyboard = inlineKeyboard(id, props.buttons ?? [], making);
  return {
    run: (turn) => {
      const open = (page: string): RichTarget | undefined => appTarget(turn, { page }) ?? undefined;
      const rich_message = richPage(turn.release.document, props.page, turn.locale, { bot: turn.botUsername, open });
      if (rich_message === undefined) note(turn, id);
      else {
        const reply_markup = keyboard(turn);
        turn.emit({
          type: 'send',
          chat: 'here',
          thread: 0,
          method: 'sendRichMessage',
          params: {
            rich_message,
            ...(reply_markup ? { reply_markup } : {}),
            ...(props.silent ? { disable_notification: true } : {}),
            ...(props.protect ? { protect_content: true } : {}),
          },
        });
      }
      return NEXT_MOVE;
    },
  };
};

const note = (turn: Turn, id: string): void =>
  turn.note(id, 'page', undefined, 'nothing of the page can be in a message, and nothing opens it');
