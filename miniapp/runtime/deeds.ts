// What pressing does.

import type { Deed, Row } from '../../contract/app/view.ts';
import { attribute } from '../blocks/attributes.ts';
import { pages, standAt, state } from '../blocks/now.ts';
import { say } from '../blocks/values.ts';
import { changeCart, keepCart, kept } from './cart.ts';
import { back, draw, drawCart, go } from './page.ts';
import { step, submit } from './send.ts';
import { telegram } from './telegram.ts';

/** Out of the app. Telegram opens its own addresses itself. */
export function leave(to: string | undefined): void {
  const url = attribute('href', to);
  if (!url) return;
  if (telegram && /^http/.test(url)) telegram[/^https:\/\/t\.me\//.test(url) ? 'openTelegramLink' : 'openLink'](url);
  else location.href = url;
}

function share(text: string): void {
  const url = telegram
    ? `https://t.me/${pages.bot}?startapp=page_${state.page}${state.item ? `-${state.item}` : ''}`
    : location.href;
  if (!telegram && (navigator.share as unknown)) navigator.share({ text, url }).catch(Boolean);
  else leave(`https://t.me/share/url?${new URLSearchParams({ url, text })}`);
}

export function run(deed: Deed, row: Row | undefined): void {
  standAt(row);
  const { cart, fill, keep } = deed;
  if (deed.to) go(say(deed.to) as string);
  if (deed.open) leave(say(deed.open) as string);
  if (deed.share) share(say(deed.share) as string);
  if (deed.submit) void submit(deed.submit).then((after) => after && run(after, row));
  if (deed.language)
    location.search = `lang=${deed.language}${state.start ? `&start_param=${encodeURIComponent(state.start)}` : ''}`;
  if (deed.before) step(deed.before, -1);
  if (deed.back) back();
  if (deed.close) telegram ? telegram.close() : back();
  if (cart) {
    changeCart(cart, row);
    drawCart();
  }
  if (keep) {
    state.values['page.cookies'] = kept('cookies', keep) as string;
    keepCart();
    draw();
  }
  if (fill || deed.contact)
    telegram?.requestContact((_given, event) => {
      const phone = event?.responseUnsafe?.contact?.phone_number;
      if (fill && phone) state.values[fill] = phone.replace(/^\+?/, '+');
      draw();
    });
}
