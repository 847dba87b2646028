// A place, and in which map to open it: everybody has one of their own.

import { onLinks } from './links.ts';

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
export const drawn = onLinks('[data-map]', open);

type Outside = { Telegram?: { WebApp?: { openLink?(url: string): void } } };

function open(link: HTMLElement, close: string): void {
  const [latitude = '', longitude = ''] = (link.dataset['map'] ?? '').split(',');
  const dialog = document.createElement('dialog');
  const title = document.createElement('h2');
  title.textContent = link.querySelector('b')?.textContent ?? '';
  const rows = document.createElement('div');
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
  const button = document.createElement('button');
  button.textContent = close;
  dialog.append(title, rows, button);
  document.body.append(dialog);
  dialog.onclose = () => dialog.remove();
  dialog.onclick = (event) => {
    const { target } = event;
    const app = (window as Outside).Telegram?.WebApp;
    if (target instanceof HTMLAnchorElement && app?.openLink) {
      event.preventDefault();
      app.openLink(target.href);
    }
    if (target !== title && target !== rows) dialog.close();
  };
  dialog.showModal();
}
