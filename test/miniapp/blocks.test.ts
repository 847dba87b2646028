import { expect, test } from 'vitest';
import type { AppCondition } from '../../contract/app/conditions.ts';
import { ELEMENTS } from '../../contract/app/elements.ts';
import { isSafeUrl } from '../../contract/app/texts.ts';
import type { AppView } from '../../contract/app/view.ts';
import {
  address,
  drawPages,
  firstState,
  pageAt,
  pageRow,
  renderPage,
  toHtml,
  wordsFor,
} from '../../miniapp/blocks/blocks.ts';
import { makeView, ROWS } from './fixture.ts';

function html(
  view: AppView,
  page: string,
  change: { item?: number; telegram?: boolean; values?: object } = {},
): string {
  const pages = drawPages(view);
  const state = firstState({ page, item: change.item, telegram: change.telegram ?? false, zone: 'UTC' });
  Object.assign(state.values, change.values);
  return toHtml(renderPage(pages, ROWS, state));
}

const home = (text: AppView['texts'][string], values: object = {}, more: Partial<AppView> = {}): string => {
  const view = makeView('ru', more);
  const elements = { root: { type: 'text', props: { text: 'x' } } } as AppView['elements'];
  const pages = { home: { path: '/', title: 'x', root: 'root' } };
  const whole = html({ ...view, pages, elements, texts: { x: text }, site: undefined, locales: ['ru'] }, 'home', {
    values,
  });
  return whole.replace(/^<main tabindex="-1"><p class="plain">|<\/p><\/main>$/g, '');
};

test('every element of the contract stands on a page of the fixture', () => {
  const used = new Set(Object.values(makeView().elements).map(({ type }) => type));
  expect(Object.keys(ELEMENTS).filter((type) => !used.has(type as never))).toEqual([]);
});

test('a text is escaped, its marks are elements, its link is checked', () => {
  expect(home('<img src=x onerror=alert(1)> & "so"')).toBe('&lt;img src=x onerror=alert(1)&gt; &amp; &quot;so&quot;');
  expect(home(['a', { text: 'b', bold: true, code: true }, 'c'])).toBe('a<code><b>b</b></code>c');
  expect(home([{ text: 'в', link: 'https://example.com/?a=1&b=2' }])).toBe(
    '<a href="https://example.com/?a=1&amp;b=2" target="_blank" rel="noopener">в</a>',
  );
  expect(home([{ text: 'x', link: 'javascript:alert(1)' }])).toBe('<a target="_blank" rel="noopener">x</a>');
});

test('neighbouring texts are one, so that a page read from HTML has the same nodes', () => {
  expect(home(['a', 'b', { text: 'c' }, { from: 'visitor.firstName' }, 'd'], { 'visitor.first_name': 'Анна' })).toBe(
    'abc<span>Анна</span>d',
  );
});

test('a number stays on one line, with its currency', () => {
  expect(home('От 1 450 ₽ до 12 500 000 €, скидка 10 %')).toBe(
    'От 1\u00a0450\u00a0₽ до 12\u00a0500\u00a0000\u00a0€, скидка 10\u00a0%',
  );
  expect(home([{ text: '7 000 ₽', bold: true }, ' в 2026 году'])).toBe('<b>7\u00a0000\u00a0₽</b> в 2026 году');
});

test('values are written as people read them', () => {
  const written = (value: unknown, format: string, more: Partial<AppView> = {}): string =>
    home([{ from: 'form.a.b', format: format as 'money' }], { 'form.a.b': value }, more)
      .replace(/<[^>]+>/g, '')
      .replace(/\s/g, ' ');
  expect(written(1450, 'money')).toBe('1 450 ₽');
  expect(written('10.5', 'money')).toBe('10,50 ₽');
  expect(written(1450, 'money', { locale: 'en' })).toBe('₽1,450');
  expect(written(1450, 'money', { shop: undefined })).toBe('1 450');
  expect(written(1234567.5, 'number')).toBe('1 234 567,5');
  expect(written('много', 'number')).toBe('много');
  expect(written('2026-12-31', 'date')).toBe('31 декабря 2026 г.');
  expect(written('2026-12-31T21:30:00Z', 'dateTime')).toBe('1 января 2027 г. в 00:30');
  expect(written('2026-12-31T21:30:00Z', 'time')).toBe('00:30');
  expect(written('2026-12-31T14:00:00Z', 'time', { locale: 'en' })).toMatch(/^5:00\sPM$/);
  expect(written('2026-12-31T14:00:00Z', 'dateTime', { locale: 'en' })).toMatch(/^December 31, 2026 at 5:00\sPM$/);
  expect(written('завтра', 'date')).toBe('завтра');
  expect(written(true, 'plain')).toBe('✓');
  expect(written(false, 'plain')).toBe('');
});

test('conditions compare as people do', () => {
  const shown = (showIf: AppCondition, values: object = {}, telegram = false): boolean => {
    const view = makeView();
    const elements = { root: { type: 'text', props: { text: 'goods' }, showIf } } as unknown as AppView['elements'];
    const pages = { home: { path: '/', title: 'goods', root: 'root' } };
    return html({ ...view, pages, elements }, 'home', { values, telegram }).includes('Хлеб и булочки');
  };
  const field = 'form.ask.count';
  const held = { [field]: '10' };
  expect(shown({ field, is: 10 }, held)).toBe(true);
  expect(shown({ field, is: '1' }, held)).toBe(false);
  expect(shown({ field, not: 10 }, held)).toBe(false);
  expect(shown({ field, over: 9 }, held)).toBe(true);
  expect(shown({ field, under: 9 }, held)).toBe(false);
  expect(shown({ field, under: 9 })).toBe(false);
  expect(shown({ field, contains: '1' }, held)).toBe(true);
  expect(shown({ field, set: true }, held)).toBe(true);
  expect(shown({ field, empty: true }, held)).toBe(false);
  expect(shown({ field, empty: true })).toBe(true);
  expect(shown({ field: 'form.ask.call', is: false }, { 'form.ask.call': false })).toBe(true);
  expect(shown({ field: 'form.ask.call', set: true }, { 'form.ask.call': false })).toBe(false);
  expect(shown({ field: 'form.ask.extras', contains: 'small' }, { 'form.ask.extras': ['big', 'small'] })).toBe(true);
  expect(shown({ field: 'form.ask.extras', contains: 'mall' }, { 'form.ask.extras': ['big', 'small'] })).toBe(false);
  expect(shown({ where: 'telegram' }, {}, true)).toBe(true);
  expect(shown({ where: 'web' }, {}, true)).toBe(false);
  expect(
    shown(
      {
        all: [
          { field, set: true },
          {
            any: [
              { field, is: 3 },
              { field, is: 10 },
            ],
          },
        ],
      },
      held,
    ),
  ).toBe(true);
});

test('what an object inherits is no value', () => {
  for (const path of [
    'row.constructor',
    'row.toString',
    'form.constructor.name',
    'visitor.constructor',
    'cart.toString',
    'page.hasOwnProperty',
  ])
    expect(home([{ from: path }])).toBe('<span></span>');
  const view = makeView();
  expect(
    toHtml(
      renderPage(
        drawPages({ ...view, elements: {} }),
        ROWS,
        firstState({ page: 'constructor', telegram: false, zone: 'UTC' }),
      ),
    ),
  ).toContain('<main');
});

const hostile = [
  'javascript:alert(1)',
  ' javascript:alert(1)',
  'java\u0000script:alert(1)',
  'JAVASCRIPT:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:x',
  'https://good.example\u0000.evil',
  'https://user@evil.example',
  'https://evil.example\u202e',
  'https:\\\\evil.example',
  'https://a b',
  '//evil.example',
  '/\\evil.example',
  'file:///etc/passwd',
  'mailto:?subject=x',
  'tel:+7900;ext=1',
];

test('no address that the contract refuses stands in a page, wherever it comes from', () => {
  for (const address of hostile) {
    expect(isSafeUrl(address)).toBe(false);
    const view = makeView();
    const elements = {
      a: { type: 'button', props: { text: 'press', do: { open: address } } },
      b: { type: 'button', props: { text: 'press', do: { openFrom: { from: 'visitor.link' } } } },
      c: { type: 'image', props: { photo: { from: 'visitor.link' }, alt: 'photo' } },
      root: { type: 'stack', props: {}, children: ['a', 'b', 'c'] },
    } as unknown as AppView['elements'];
    const pages = { home: { path: '/', title: 'goods', root: 'root' } };
    const whole = html({ ...view, pages, elements, site: undefined, locales: ['ru'] }, 'home', {
      values: { 'visitor.link': address },
    });
    expect(whole).not.toMatch(/ (href|src)=/);
  }
});

test('addresses that the contract allows are links', () => {
  for (const address of [
    'https://example.com',
    'http://a.b/c?d#e',
    'mailto:a@b.c',
    'tel:+79001234567',
    'tg://resolve?domain=a',
  ]) {
    expect(isSafeUrl(address)).toBe(true);
    expect(home([{ text: 'x', link: address }])).toContain(' href="');
  }
});

test('addresses and pages belong together', () => {
  const view = makeView();
  expect(address(view, 'home')).toBe('/');
  expect(address({ ...view, base: '/a/xyz' }, 'home')).toBe('/a/xyz');
  expect(address({ ...view, base: '/a/xyz', locale: 'en' }, 'item', 12)).toBe('/a/xyz/item/12?lang=en');
  expect(pageAt({ ...view, base: '/a/xyz' }, '/a/xyz')).toEqual({ page: 'home', item: undefined });
  expect(pageAt({ ...view, base: '/a/xyz' }, '/a/xyz/')).toEqual({ page: 'home', item: undefined });
  expect(pageAt(view, '/item/12?lang=en')).toEqual({ page: 'item', item: 12 });
  expect(pageAt(view, '/5')).toEqual({ page: 'home', item: 5 });
  expect(pageAt(view, '/nowhere')).toBeUndefined();
  expect(pageAt(view, '/item/constructor')).toBeUndefined();
});

test('a product has its page, and a product that is gone says so', () => {
  const pages = drawPages(makeView());
  expect(pageRow(pages, ROWS, firstState({ page: 'item', item: 2, telegram: false, zone: 'UTC' }))?.['title']).toBe(
    'Багет',
  );
  expect(pageRow(pages, ROWS, firstState({ page: 'item', item: 99, telegram: false, zone: 'UTC' }))).toBeUndefined();
  expect(html(makeView(), 'item', { item: 99 })).toContain('Такого товара больше нет.');
  expect(html(makeView(), 'item', { item: 3 })).toContain('Плюшка &lt;b&gt;московская&lt;/b&gt;');
});

test('a form can be read without a script, and pressing its button then tells nobody what was typed', () => {
  const whole = html(makeView(), 'ask');
  expect(whole).toContain('<form class="stack gap-m" id="form.ask" method="dialog"');
  expect(whole).toContain('<label for="form.ask.name">');
  expect(whole).not.toContain('form.ask.source');
});

test('an unknown tag is a bug, an unknown attribute is left out', () => {
  expect(() => toHtml([{ t: 'script', a: {}, c: ['x'] }])).toThrow('no element');
  expect(() => toHtml([{ t: 'p onclick', a: {}, c: [] }])).toThrow('no element');
  expect(toHtml([{ t: 'p', a: { onclick: 'x', style: 'y', srcdoc: 'z', id: 'i' }, c: [] }])).toBe('<p id="i"></p>');
});

test('phones write down the names that are drawn, so an attribute that no page has is drawn nowhere', () => {
  const view = makeView();
  const media = { bread: { src: '/m/bread', onerror: 'x', srcdoc: 'y' } } as AppView['media'];
  const drawn = JSON.stringify(drawPages({ ...view, media }));
  expect(drawn).toContain('/m/bread');
  expect(drawn).not.toMatch(/onerror|srcdoc/);
});

test('a manifest that holds itself ends', () => {
  const view = makeView();
  const elements = { root: { type: 'stack', props: {}, children: ['root'] } } as unknown as AppView['elements'];
  const pages = { home: { path: '/', title: 'goods', root: 'root' } };
  expect(html({ ...view, pages, elements }, 'home').length).toBeLessThan(3_000);
});

test('languages without words of their own have the English ones', () => {
  expect(wordsFor('ru').add).toBe('В корзину');
  expect(wordsFor('de').add).toBe('Add to cart');
  expect(Object.values(wordsFor('ru')).every((word) => word.length > 1)).toBe(true);
});
