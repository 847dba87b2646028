import { describe, expect, test } from 'vitest';
import { asWritten, expectAccessible, expectNoSideways, talk } from './app.ts';
import { useHouse } from './house.ts';

// A page of an example as a message in the chat: read there, and left by its buttons.
const house = useHouse();

const words = {
  ru: {
    ask: 'Цены',
    heading: 'Цены',
    row: ['Замена камеры', '500 ₽', '20 минут'],
    review: 'Ирина, городской велосипед',
    file: 'winter.txt',
    summary: 'Оплата по счёту',
    inside: 'ИНН',
    button: 'Оставить заявку',
    request: 'Что случилось с велосипедом?',
  },
  en: {
    ask: 'Prices',
    heading: 'Prices',
    row: ['New tube', '₽500', '20 minutes'],
    review: 'Irina, a city bicycle',
    file: 'winter.txt',
    summary: 'Paying by invoice',
    inside: 'Tax no.',
    button: 'Leave a request',
    request: 'What is wrong with the bicycle?',
  },
} as const;

describe.each([
  ['ru', 'light', 390],
  ['en', 'dark', 1280],
] as const)('in %s, %s, %i px wide', (language, colorScheme, width) => {
  test('the prices of the workshop come as a message, and its button opens the request', async () => {
    const say = words[language];
    const viewport = { width, height: 800 };
    const visitor = await talk(house.browser, house.product, {
      example: 'lead-site',
      language,
      colorScheme,
      viewport,
    });
    const { page } = visitor;
    await page.locator('.keys').getByRole('button', { name: say.ask, exact: true }).click();
    const message = page.locator('.bubble .rich');
    await message.getByRole('heading', { name: say.heading, exact: true }).waitFor();
    const cells = await message.getByRole('row').nth(1).getByRole('cell').allTextContents();
    expect(cells.map((cell) => cell.replace(/\s/g, ' '))).toEqual(say.row);
    await message.getByText(say.review).waitFor();
    expect(await message.getByRole('link', { name: say.file }).getAttribute('download')).toBe(say.file);
    const inside = message.locator('pre', { hasText: say.inside });
    expect(await inside.isVisible()).toBe(false);
    await message.getByText(say.summary).click();
    await inside.waitFor();
    await expectAccessible(page);
    await expectNoSideways(page);
    await message.getByRole('button', { name: say.button }).click();
    await page
      .frameLocator('.mini-frame')
      .getByRole('heading', { name: asWritten(say.request), level: 1 })
      .waitFor();
    expect(visitor.troubles).toEqual([]);
  });
});
