import { avatar, el } from './dom.js';
import { dialog } from './notice.js';
import { titleOf } from './side.js';
import { word } from './words.js';

/** Buttons of a question; the answer is the id of the one pressed, undefined where it was left. */
function ask(title, text, buttons) {
  return new Promise((resolve) => {
    let pressed;
    const choose = (id) => () => {
      pressed = id;
      box.close();
    };
    const box = dialog(
      title,
      ...(text ? [el('p', { text })] : []),
      el(
        'div',
        { class: 'dialog-buttons mini-choices' },
        ...buttons.map(({ id, text: label, look = '' }) =>
          el('button', { type: 'button', class: `button ${look}`, text: label, onclick: choose(id) }),
        ),
      ),
    );
    box.addEventListener('close', () => resolve(pressed));
  });
}

async function agreed(title, text, yes, no) {
  const answer = await ask(word(title), word(text), [
    { id: 'no', text: word(no) },
    { id: 'yes', text: word(yes), look: 'main-button' },
  ]);
  return answer === 'yes';
}

export const askContact = () => agreed('contactTitle', 'contactText', 'share', 'cancel');
export const askWriting = () => agreed('writeTitle', 'writeText', 'allow', 'cancel');
export const askClosing = () => agreed('closeTitle', 'closeText', 'close', 'stay');

const LABELS = { ok: 'ok', close: 'close', cancel: 'cancel' };

/** A popup of the app; the answer is what `popup_closed` carries. */
export async function askPopup(name, { title, message, buttons = [] }) {
  const choices = buttons.map(({ id = '', type, text }) => ({
    id,
    text: LABELS[type] ? word(LABELS[type]) : String(text ?? ''),
    look: type === 'destructive' ? 'danger-button' : type === 'ok' || type === 'default' ? 'main-button' : '',
  }));
  const id = await ask(title || name, String(message ?? ''), choices);
  return id === undefined ? {} : { button_id: id };
}

/** Chooses a chat for a text to be sent to; undefined where the person thinks better of it. */
export function askChat(chats, text) {
  return new Promise((resolve) => {
    let chosen;
    const rows = chats.map((chat) =>
      el(
        'button',
        {
          type: 'button',
          class: 'row',
          onclick: () => {
            chosen = chat;
            box.close();
          },
        },
        avatar(titleOf(chat), chat.bot ?? chat.chat?.id),
        el('span', { class: 'row-text' }, el('strong', { text: titleOf(chat) })),
      ),
    );
    const box = dialog(word('shareTitle'), el('p', { class: 'muted', text }), el('div', { class: 'people' }, ...rows));
    box.addEventListener('close', () => resolve(chosen));
  });
}
