// Takes the pictures of the README anew: `node test/e2e/picture.ts`. It looks best where the machine has the fonts Inter
// and Noto Color Emoji (apt-get install fonts-inter fonts-noto-color-emoji).
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, FrameLocator, Page } from 'playwright-core';
import { demos } from '../../server/commands/demo.ts';
import { openPage, startBrowser } from '../simulator/browser.ts';
import { type Product, startProduct } from './product.ts';

const folder = join(import.meta.dirname, '..', '..', 'docs', 'pictures');
const viewport = { width: 360, height: 706 };
const font = 'html, body { font-family: Inter, system-ui, sans-serif !important }';

type Screen = { demo: string; locale: string; colorScheme: 'light' | 'dark'; talk(page: Page): Promise<void> };

const saying = (page: Page, text: string): Promise<void> => page.locator('.bubble', { hasText: text }).last().waitFor();
const press = (page: Page, name: string): Promise<void> =>
  page.locator('.keys, .reply-keys').getByRole('button', { name }).last().click();

async function write(page: Page, text: string): Promise<void> {
  await page.getByRole('textbox').fill(text);
  await page.keyboard.press('Enter');
  await saying(page, text);
}

const chat: readonly Screen[] = [
  {
    demo: 'support-menu',
    locale: 'en-GB',
    colorScheme: 'light',
    async talk(page) {
      await page.getByRole('button', { name: 'Start', exact: true }).click();
      await page.locator('.keys').getByRole('button', { name: 'Delivery' }).waitFor();
    },
  },
  {
    demo: 'support-menu',
    locale: 'ru-RU',
    colorScheme: 'dark',
    async talk(page) {
      await page.getByRole('button', { name: 'Начать' }).click();
      await page.locator('.keys').getByRole('button', { name: 'Доставка' }).waitFor();
      await press(page, 'Написать нам');
      await saying(page, 'Напишите ваш вопрос');
      await write(page, 'Есть ли у вас белый чай из Фуцзяни?');
      await saying(page, 'По какому номеру');
      await write(page, '+7 900 123-45-67');
      await saying(page, 'Ответим');
    },
  },
];

/** Opens the app from the bot's button, and waits for the first heading of its page. */
async function openApp(page: Page, start: string, button: string, heading: string): Promise<FrameLocator> {
  await page.getByRole('button', { name: start, exact: true }).click();
  await press(page, button);
  const app = page.frameLocator('.mini-frame');
  await app.getByRole('heading', { name: heading, level: 1 }).waitFor();
  return app;
}

const apps: readonly Screen[] = [
  {
    demo: 'shop',
    locale: 'en-GB',
    colorScheme: 'light',
    async talk(page) {
      const app = await openApp(page, 'Start', 'Open the shop', 'Stoneware for every day');
      await app.getByRole('button', { name: 'Add to cart' }).first().click();
      await app.getByRole('button', { name: 'Add one more' }).first().waitFor();
    },
  },
  {
    demo: 'booking',
    locale: 'ru-RU',
    colorScheme: 'dark',
    async talk(page) {
      const app = await openApp(page, 'Начать', 'Записаться', 'Запись');
      await app.getByRole('radio', { name: /^Укладка/ }).check();
      await app.getByRole('radio', { name: /^Марина Зеленоградская/ }).check();
      const slots = app.locator('[data-slot]');
      await slots.locator('[data-day]:enabled').first().click();
      await slots.locator('.chip').nth(1).click();
      await slots.evaluate((calendar: { scrollIntoView(): void }) => calendar.scrollIntoView());
    },
  },
];

async function shoot(browser: Browser, { address, key }: Product, { demo, talk, ...looks }: Screen): Promise<string> {
  const { page, close } = await openPage(
    browser,
    `${address}?chat=${demos.find(({ example }) => example === demo)?.botId}:#key=${key}`,
    {
      ...looks,
      viewport,
      deviceScaleFactor: 2,
      bypassCSP: true,
    },
  );
  await page.addStyleTag({ content: font });
  await talk(page);
  for (const frame of page.frames()) await frame.addStyleTag({ content: font });
  // The focus and the pointer are of the moment, and not of the picture.
  await page.mouse.move(0, 0);
  await page.evaluate('document.activeElement.blur()');
  const shot = await page.screenshot({ animations: 'disabled' });
  await close();
  return `data:image/png;base64,${shot.toString('base64')}`;
}

/** Side by side, each as on a phone. */
async function compose(browser: Browser, shots: readonly string[]): Promise<Buffer> {
  const size = { width: shots.length * (viewport.width + 40) + 40, height: viewport.height + 80 };
  const page = await browser.newPage({ viewport: size, deviceScaleFactor: 1.4 });
  const frames = shots.map((shot) => `<img src="${shot}" width="${viewport.width}" height="${viewport.height}">`);
  await page.setContent(`<style>
    body { margin: 0; padding: 40px; display: flex; gap: 40px; background: #e9eeed }
    img { border-radius: 20px; border: 1px solid #c9d2d0; box-sizing: border-box }
  </style>${frames.join('')}`);
  return page.screenshot();
}

const product = await startProduct();
const browser = await startBrowser();
try {
  for (const [name, screens] of Object.entries({ chat, apps })) {
    const shots: string[] = [];
    for (const screen of screens) shots.push(await shoot(browser, product, screen));
    const picture = await compose(browser, shots);
    const target = join(folder, `${name}.png`);
    await writeFile(target, picture);
    console.log(`${target}: ${Math.round(picture.length / 1024)} KB`);
  }
} finally {
  await browser.close();
  await product.close();
}
