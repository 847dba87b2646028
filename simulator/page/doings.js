import { complain, toast } from './notice.js';
import { word } from './words.js';

/** What can be done to messages of a chat; every mistake is told, none is thrown. */
export function doingsOf(screen) {
  return {
    act: (name, action) => screen.act(name, action).catch(complain),
    press: (message, button) =>
      screen.act('press', { message_id: message.message_id, data: button.callback_data }).catch((error) => {
        complain(error);
        throw error;
      }),
    pay: (message) => screen.act('startPayment', { message_id: message.message_id }).catch(complain),
    app: (message, at) => screen.openApp({ by: 'button', message_id: message.message_id, ...at }),
    command: (text) => screen.act('text', { text }).catch(complain),
    reply: (message) => screen.composer.setMode({ kind: 'reply', message }),
    edit: (message) => screen.composer.setMode({ kind: 'edit', message }),
    erase: (message) => screen.act('erase', { message_id: message.message_id }).catch(complain),
    copy: (text) =>
      navigator.clipboard.writeText(text).then(
        () => toast(word('copied')),
        () => toast(text),
      ),
    jump: (id) => screen.jump(id),
  };
}
