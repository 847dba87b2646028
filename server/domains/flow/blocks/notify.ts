// Tells other chats something, in their language and not in the person's.

import { deliver } from '../deliver.ts';
import { failMove, type MakeRunner, NEXT_MOVE } from '../runner.ts';
import type { Turn } from '../turn.ts';
import { asNumber } from '../values.ts';

type Place = { readonly chat: number; readonly thread: number };

export const makeNotify: MakeRunner<'notify'> = (id, { props }, making) => {
  const places = props.to.map((to) =>
    'chat' in to ? () => ({ chat: to.chat, thread: to.thread ?? 0 }) : placeIn(to.var),
  );
  const locale = props.locale ?? making.defaultLocale;
  return {
    run: (turn) => {
      const found = places.map((find) => find(turn)).filter((place) => place !== null);
      if (found.length === 0) return failMove('there is no chat to notify');
      const text = turn.text(props.text, locale);
      for (const { chat, thread } of found) {
        deliver(turn, {
          chat,
          thread,
          text,
          files: [],
          markup: undefined,
          options: props.silent ? { disable_notification: true } : {},
        });
      }
      turn.note(id, 'notify', undefined, `${found.length} of ${places.length} chats`);
      return NEXT_MOVE;
    },
  };
};

function placeIn(name: string): (turn: Turn) => Place | null {
  return (turn) => {
    const chat = asNumber(turn.read(name));
    return Number.isSafeInteger(chat) && chat !== 0 ? { chat, thread: 0 } : null;
  };
}
