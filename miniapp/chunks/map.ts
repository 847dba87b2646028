// A place, and in which map to open it: everybody has one of their own.

import { dressed, onLinks } from './links.ts';

const MAPS: readonly (readonly [name: string, address: (latitude: string, longitude: string) => string])[] = [
  ['Google Maps', (latitude, longitude) => `https://www.google.com/maps/search/?api=1&query=${latitude},${longitude}`],
  ['Яндекс Карты', (latitude, longitude) => `https://yandex.ru/maps/?pt=${longitude},${latitude}&z=16&l=map`],
  ['2ГИС', (latitude, longitude) => `https://2gis.ru/geo/${longitude},${latitude}`],
  [
    'Apple Maps',
    (latitude, longitude) => `https://maps.apple.com/?ll=${latitude},${longitude}&q=${latitude},${longitude}`,
  ],
  [
    'OpenStreetMap',
    (latitude, longitude) =>
      `https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=16/${latitude}/${longitude}`,
  ],
];

/** Called after each drawing of a page with such a link. */
export const drawn = onLinks('[data-map]', make);

type Outside = {
  Telegram?: { WebApp?: { isVersionAtLeast?(version: string): boolean; openLink?(url: string): void } };
};

const dialogLook = 'width:400px;max-width:calc(100vw - 32px);margin:auto;background:var(--bg);color:inherit';

function make(link: HTMLElement, close: string) {
  const [latitude = '', longitude = ''] = (link.dataset['map'] ?? '').split(',');
  const dialog = dressed(document.createElement('dialog'), dialogLook);
  dialog.className = 'card';
  const title = document.createElement('h2');
  title.textContent = link.querySelector('b')?.textContent ?? '';
  dialog.setAttribute('aria-label', title.textContent);
  const rows = dressed(document.createElement('div'), 'padding:8px 0');
  rows.className = 'rows';
  for (const [name, address] of MAPS)
    rows.append(
      Object.assign(document.createElement('a'), {
        href: address(latitude, longitude),
        target: '_blank',
        rel: 'noopener',
        textContent: name,
      }),
    );
  const button = dressed(document.createElement('button'), 'width:100%');
  button.className = 'quiet';
  button.textContent = close;
  dialog.append(title, rows, button);
  dialog.onclick = (event) => {
    const { target } = event;
    const app = (window as Outside).Telegram?.WebApp;
    if (target instanceof HTMLAnchorElement && app?.openLink && app.isVersionAtLeast?.('6.1')) {
      event.preventDefault();
      app.openLink(target.href);
    }
    if (target !== title && target !== rows) dialog.close();
  };
  return { dialog };
}
