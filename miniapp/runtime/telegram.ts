// Telegram around the page: its buttons, its colours, its storage. Only its own script knows how to reach it, and that
// script is fetched inside Telegram only; the page never waits for it.

import { state } from '../blocks/now.ts';

type Button = { setParams(params: object): void; onClick(pressed: () => void): void; show(): void; hide(): void };

/** What we use of it. */
export type WebApp = {
  readonly initData: string;
  readonly colorScheme: string;
  readonly MainButton: Button;
  readonly SecondaryButton: Button;
  readonly BackButton: Button;
  readonly HapticFeedback: { impactOccurred(kind: string): void; notificationOccurred(kind: string): void };
  readonly CloudStorage: {
    getItem(key: string, then: (error: unknown, value?: string) => void): void;
    setItem(key: string, value: string): void;
  };
  isVersionAtLeast(version: string): boolean;
  ready(): void;
  expand(): void;
  close(): void;
  openLink(url: string): void;
  openTelegramLink(url: string): void;
  enableClosingConfirmation(): void;
  disableClosingConfirmation(): void;
  requestContact(
    then: (given: boolean, event?: { responseUnsafe?: { contact?: { phone_number?: string } } }) => void,
  ): void;
  onEvent(name: string, then: () => void): void;
};

export let telegram: WebApp | undefined;

/** What Telegram has said of the visitor, signed. The address has it before any script. */
export let initData = new URLSearchParams(location.hash.slice(1)).get('tgWebAppData') || '';

/**
 * A part of Telegram's object, where the client knows it: the script has all of them, and what an older client does not
 * know does nothing there, or throws.
 */
export const part = <Name extends keyof WebApp>(version: string, name: Name): WebApp[Name] | undefined =>
  (telegram?.isVersionAtLeast as WebApp['isVersionAtLeast'] | undefined)?.(version) ? telegram?.[name] : undefined;

/** While something is written and not sent, leaving is asked about. */
export function mind(unsent: boolean): void {
  part('6.2', `${unsent ? 'en' : 'dis'}ableClosingConfirmation`)?.();
  window.onbeforeunload = unsent ? (event) => event.preventDefault() : null;
}

/** True inside Telegram; then `ready` is called when its script is here, or cannot be had. */
export function enter(script: string | undefined, ready: () => void): boolean {
  if (!script || !(initData || (window as { TelegramWebviewProxy?: object }).TelegramWebviewProxy)) return false;
  const tag = document.createElement('script');
  tag.src = script;
  tag.onload = tag.onerror = () => {
    telegram = (window as { Telegram?: { WebApp?: WebApp } }).Telegram?.WebApp;
    if (telegram) {
      initData = telegram.initData || initData;
      telegram.ready();
      telegram.expand();
      // One button is all that an older client has below the page.
      state.values['page.buttons'] = part('7.10', 'SecondaryButton') ? '' : 'second';
    } else state.values['page.buttons'] = 'all';
    ready();
  };
  document.head.append(tag);
  return true;
}
