// Takes a page over from the server and makes it live.

import type { AppPages, AppRows, AppStart } from '../../contract/app/view.ts';
import { begin, row, state, type Value } from '../blocks/now.ts';
import { firstState } from '../blocks/places.ts';
import type { OfflineParts } from '../chunks/offline.ts';
import { fetchCart, kept } from './cart.ts';
import { fetchChunk } from './chunks.ts';
import { leave, press, run } from './deeds.ts';
import { back, buttons, draw, files, pageButton, root, show } from './page.ts';
import type { Live } from './patch.ts';
import { keys } from './send.ts';
import { enter, initData, mind, part, telegram } from './telegram.ts';

declare const OFFLINE: string;

const start: AppStart = JSON.parse((document.getElementById('v') as HTMLElement).textContent as string);

if (start.address) history.replaceState(null, '', start.address + location.hash);

/** What a field holds, into the state. */
function take(field: HTMLInputElement): void {
  const { name, type, value, checked, files: chosen } = field;
  const { values } = state;
  // Of a choice of several the value is a list.
  if (type === 'checkbox')
    values[name] = field.hasAttribute('value')
      ? Array.from(root.querySelectorAll(`[name="${name}"]:checked`), (one) => (one as Live).value)
      : checked;
  else if (type !== 'radio' || checked) values[name] = value;
  if (type === 'file') {
    files[name] = chosen?.[0];
    values[name] = chosen?.[0]?.name || '';
  }
}

/** The one listener of the page. */
function on(event: Event): void {
  const { type, target } = event;
  if (type === 'input') {
    const field = target as HTMLInputElement;
    take(field);
    state.values[`!${field.name}`] = '';
    if (field.form) {
      state.values[`!${field.form.id.slice(5)}`] = '';
      mind(true);
    }
    return draw();
  }
  if (type === 'submit') {
    event.preventDefault();
    return run({ submit: (target as HTMLFormElement).id.slice(5) }, row);
  }
  const { ctrlKey, metaKey } = event as MouseEvent;
  const pressed = (event.composedPath() as (Live & HTMLAnchorElement)[]).find((node) => node.do || node.target);
  if (!pressed || ctrlKey || metaKey) return;
  if (pressed.do) {
    event.preventDefault();
    run(...pressed.do);
  } else if (part('6.1', 'openLink') && /^http/.test(pressed.href)) {
    event.preventDefault();
    leave(pressed.href);
  }
}

/** What Telegram says of the visitor; only the server believes nothing of it. */
function greet(): void {
  const user = JSON.parse(new URLSearchParams(initData).get('user') as string) as { [name: string]: Value };
  for (const name in user) state.values[`visitor.${name}`] = user[name] as Value;
}

function live([ofPages, ofRows]: readonly [AppPages, AppRows]): void {
  const inside = enter(start.telegram, () => {
    if (telegram) {
      press({});
      telegram.onEvent('themeChanged', draw);
      part('6.1', 'BackButton')?.onClick(back);
      for (const at of buttons())
        telegram[at].onClick(() => {
          const button = pageButton(at);
          if (button) run(button.do, row);
        });
    }
    greet();
    fetchCart();
  });
  // Of a link Telegram tells it; a button of the bot, and a link to the site, have it in the address.
  const said = new URLSearchParams(initData + location.search.replace('?', '&')).get('start_param');
  begin(ofPages, ofRows, firstState({ ...start, telegram: inside, start: said || undefined }));
  if (!inside) state.values['page.cookies'] = kept('cookies') || 'ask';
  greet();
  // What was typed before the script came is taken over too.
  for (const field of root.querySelectorAll('[name]')) take(field as HTMLInputElement);
  fetchCart();
  for (const type of ['click', 'input', 'submit']) root.addEventListener(type, on);
  window.onpopstate = () => show(location.pathname);
  fetchChunk<OfflineParts>(OFFLINE, (chunk) =>
    chunk.drawn({ pages: ofPages, rows: ofRows, state, keys, draw, send: (id) => run({ submit: id }, row) }),
  );
}

/** Both are immutable, so asking again costs nothing but a bad network's patience. */
function load(): void {
  Promise.all([start.view, start.rows].map(async (url) => (await fetch(url)).json())).then(
    live as unknown as (both: unknown[]) => void,
    () => setTimeout(load, 3_000),
  );
}

load();
