// What is pressed rarely: sharing, the number of the account, another language, the answer about cookies. Fetched inside
// Telegram when its script is here, and elsewhere at the first such press.

import type { Deed } from '../../contract/app/view.ts';
import type { pages, state } from '../blocks/now.ts';
import type { WebApp } from '../runtime/telegram.ts';

/** What the runtime gives. Its build is a stranger, so nothing in here may be renamed by one. */
export type PressParts = {
  readonly deed: Deed;
  /** The words to share, as they were when it was pressed. */
  readonly words: string;
  readonly pages: typeof pages;
  readonly state: typeof state;
  readonly telegram: WebApp | undefined;
  /** Empty on the web. */
  readonly initData: string;
  readonly draw: () => void;
  readonly leave: (address: string) => void;
  readonly kept: (name: string, value: string) => string | undefined;
  readonly keepCart: () => void;
  readonly post: (path: string, value: object) => Promise<unknown>;
};

/** Called at each press; inside Telegram also once before, with nothing to do but to say what its client can. */
export function drawn(parts: PressParts): void {
  const { deed, state, telegram, kept, keepCart, draw } = parts;
  if (!Object.keys(deed)[0]) {
    state.values['page.contact'] = telegram?.isVersionAtLeast('6.9') === true;
    draw();
  }
  if (deed.share) share(parts);
  if (deed.language) void speak(parts, deed.language);
  if (deed.keep) {
    state.values['page.cookies'] = kept('cookies', deed.keep) as string;
    keepCart();
    draw();
  }
  if (deed.fill || deed.contact) askContact(parts);
}

function share({ words: text, pages, state, telegram, leave }: PressParts): void {
  const url = telegram
    ? `https://t.me/${pages.bot}?startapp=page_${state.page}${state.item ? `-${state.item}` : ''}`
    : location.href;
  if (!telegram && (navigator.share as unknown)) navigator.share({ text, url }).catch(Boolean);
  else leave(`https://t.me/share/url?${new URLSearchParams({ url, text })}`);
}

/** The chat goes on in the language that was chosen here; where it cannot be told now, the page changes all the same. */
async function speak({ state, initData, post }: PressParts, locale: string): Promise<void> {
  if (initData) await post('visitors', { locale }).catch(Boolean);
  location.search = `lang=${locale}${state.start ? `&start_param=${encodeURIComponent(state.start)}` : ''}`;
}

/** Telegram's clients know how to since 6.9; an older one throws. Its button is not drawn there (`page.contact`). */
function askContact({ deed, state, telegram, draw }: PressParts): void {
  if (!state.values['page.contact']) return;
  telegram?.requestContact((_given, event) => {
    const phone = event?.responseUnsafe?.contact?.phone_number;
    if (deed.fill && phone) state.values[deed.fill] = phone.replace(/^\+?/, '+');
    draw();
  });
}
