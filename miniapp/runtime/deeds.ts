// What pressing does.

import type { Deed, Row } from '../../contract/app/view.ts';
import { attribute } from '../blocks/attributes.ts';
import { pages, standAt, state } from '../blocks/now.ts';
import { say } from '../blocks/values.ts';
import type { PressParts } from '../chunks/press.ts';
import { changeCart, keepCart, kept } from './cart.ts';
import { type Chunk, fetchChunk } from './chunks.ts';
import { back, draw, drawCart, go } from './page.ts';
import { post, step, submit } from './send.ts';
import { initData, part, telegram } from './telegram.ts';

declare const PRESS: string;

/** Out of the app. Telegram opens its own addresses itself. */
export function leave(to: string | undefined): void {
  const url = attribute('href', to);
  const open =
    url && /^http/.test(url) && part('6.1', /^https:\/\/t\.me\//.test(url) ? 'openTelegramLink' : 'openLink');
  if (open) open(url);
  else if (url) location.href = url;
}

let rare: Chunk<PressParts> | undefined;

/** What its chunk does; inside Telegram that is here when somebody presses. */
export function press(deed: Deed): void {
  const words = say(deed.share) as string;
  const use = (chunk: Chunk<PressParts>): void =>
    (rare = chunk).drawn({ deed, words, pages, state, telegram, initData, draw, leave, kept, keepCart, post });
  rare ? use(rare) : fetchChunk(PRESS, use);
}

/** A deed is one thing. */
export function run(deed: Deed, row: Row | undefined): void {
  standAt(row);
  if (deed.to) go(say(deed.to) as string);
  else if (deed.open) leave(say(deed.open) as string);
  else if (deed.submit) void submit(deed.submit).then((after) => after && run(after, row));
  else if (deed.before) step(deed.before, -1);
  else if (deed.close && telegram) telegram.close();
  else if (deed.close || deed.back) back();
  else if (deed.cart) {
    changeCart(deed.cart, row);
    drawCart();
  } else press(deed);
}
