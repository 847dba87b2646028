import { el, icon } from './dom.js';
import { toast } from './notice.js';
import { word } from './words.js';

const SAFE = /^(https?|tg):/i;
/** A press that nobody answers stops waiting after this. */
const PRESS_MS = 15_000;

function linkButton(button, address, iconName) {
  const href = /^[a-z][a-z0-9+.-]*:/i.test(address) ? address : `https://${address}`;
  if (!SAFE.test(href)) return el('button', { type: 'button', class: 'key', disabled: true, text: button.text });
  return el(
    'a',
    { class: `key ${button.style ?? ''}`, href, target: '_blank', rel: 'noopener noreferrer nofollow', title: href },
    el('span', { text: button.text }),
    icon(iconName),
  );
}

function pressButton(button, press) {
  const node = el('button', { type: 'button', class: `key ${button.style ?? ''}` }, el('span', { text: button.text }));
  node.addEventListener('click', () => {
    node.setAttribute('aria-busy', 'true');
    setTimeout(() => node.removeAttribute('aria-busy'), PRESS_MS);
    press(button).catch(() => node.removeAttribute('aria-busy'));
  });
  return node;
}

function appButton(button, onclick) {
  return el(
    'button',
    { type: 'button', class: `key ${button.style ?? ''}`, onclick },
    el('span', { text: button.text }),
    icon('app'),
  );
}

async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    toast(word('copied'));
  } catch {
    toast(text);
  }
}

/** `at` is where the button stands: two may bear the same words. */
export function inlineButton(button, doings, at) {
  if (button.url) return linkButton(button, button.url, 'link');
  if (button.web_app) return appButton(button, () => doings.app(at));
  if (button.login_url) return linkButton(button, button.login_url.url, 'link');
  if (button.copy_text) {
    const copy = () => copyText(button.copy_text.text);
    return el(
      'button',
      { type: 'button', class: `key ${button.style ?? ''}`, onclick: copy },
      el('span', { text: button.text }),
      icon('copy'),
    );
  }
  if (button.pay) return pressButton(button, doings.pay);
  if (button.callback_data !== undefined) return pressButton(button, doings.press);
  return el('button', { type: 'button', class: 'key', disabled: true, text: button.text });
}

/** The buttons under a message. */
export function inlineKeyboard(markup, doings) {
  const rows = markup.inline_keyboard.map((row, at) =>
    el('div', { class: 'key-row' }, ...row.map((button, column) => inlineButton(button, doings, { row: at, column }))),
  );
  return el('div', { class: 'keys' }, ...rows);
}

/** The keyboard under the input field. */
export function replyKeyboard(markup, onKey) {
  const rows = (markup.keyboard ?? []).map((row) =>
    el(
      'div',
      { class: 'key-row' },
      ...row.map((key) =>
        key.web_app
          ? appButton(key, () => onKey(key))
          : el('button', {
              type: 'button',
              class: `key ${key.style ?? ''}`,
              text: key.text,
              onclick: () => onKey(key),
            }),
      ),
    ),
  );
  return el('div', { class: 'reply-keys', role: 'group', 'aria-label': word('keys') }, ...rows);
}
