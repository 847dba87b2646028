// Which language a person is answered in.

import { isIncoming } from './event-view.ts';
import type { Turn } from './turn.ts';

/** Who reads the app in another language has chosen it; a visitor of the site, who has no chat, for this once alone. */
export function listenTo(turn: Turn): void {
  const said = (isIncoming(turn.event) && turn.event.app?.locale) || turn.locale;
  if (said === turn.locale) return;
  if (!turn.view.isChatless) turn.chooseLocale(said);
  else if (turn.release.locales.includes(said)) turn.locale = said;
}

/** The language chosen in the flow, else Telegram's where the flow speaks it (`pt-br` finds `pt-BR` and `pt`), else the default. */
export function pickLocale(
  release: { readonly locales: readonly string[]; readonly defaultLocale: string },
  chosen: string | null,
  telegram: string,
): string {
  if (chosen !== null && release.locales.includes(chosen)) return chosen;
  const wanted = telegram.toLowerCase();
  const language = wanted.split('-')[0] ?? '';
  if (language === '') return release.defaultLocale;
  return (
    release.locales.find((locale) => locale.toLowerCase() === wanted) ??
    release.locales.find((locale) => locale === language) ??
    release.locales.find((locale) => locale.startsWith(`${language}-`)) ??
    release.defaultLocale
  );
}
