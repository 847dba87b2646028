import { AxeBuilder } from '@axe-core/playwright';
import type { BrowserContextOptions, Locator, Page } from 'playwright-core';
import { describe, expect, onTestFinished, test } from 'vitest';
import { demos } from '../../server/commands/demo.ts';
import { openPage, seen } from '../simulator/browser.ts';
import { useHouse } from './house.ts';

// The product as a newcomer meets it: `npm start`, the printed address, a browser. Every text goes page -> simulator ->
// webhook -> inbox -> turn -> outbox -> Bot API -> page.
const house = useHouse();

const control = async <Answer>(path: string, body: object): Promise<Answer> => {
  const answer = await fetch(`${house.product.address}control${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${house.product.key}` },
    body: JSON.stringify(body),
  });
  return (await answer.json()) as Answer;
};

/** The demo bot of the support menu, with whoever opens the page. */
const SUPPORT_CHAT = `${demos[0]?.botId}:`;

/** Opens the page as somebody new, so that no test sees another one's conversation. */
async function openAs(
  person: { first_name: string; language_code: string },
  options: BrowserContextOptions = {},
): Promise<{ page: Page; troubles: string[] }> {
  const { id } = await control<{ id: number }>('/users', person);
  const watched = await openPage(
    house.browser,
    `${house.product.address}?user=${id}&chat=${SUPPORT_CHAT}#key=${house.product.key}`,
    options,
  );
  onTestFinished(() => watched.close());
  return watched;
}

const bubble = (page: Page, text: string | RegExp): Locator => page.locator('.bubble', { hasText: text });
const key = (page: Page, name: string): Locator => page.locator('.keys').getByRole('button', { name });

/** Everything that was said, without the times. */
const said = (page: Page): Promise<string[]> => page.locator('.bubble .text').allInnerTexts();

async function expectAccessible(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
  expect(serious.map(({ id, nodes }) => [id, nodes.map((node) => node.html)])).toEqual([]);
}

const fitsSideways = (page: Page): Promise<boolean> =>
  page.evaluate('document.documentElement.scrollWidth <= document.documentElement.clientWidth');

test('the printed address lists the demo bots, and two presses begin a chat', async () => {
  const watched = await openPage(house.browser, `${house.product.address}#key=${house.product.key}`, {
    locale: 'en-GB',
    viewport: { width: 1280, height: 800 },
  });
  onTestFinished(() => watched.close());
  const { page, troubles } = watched;
  for (const { name } of demos) await page.locator('.chats').getByRole('button', { name }).waitFor();
  await page.locator('.chats').getByRole('button', { name: 'Roost demo' }).click();
  await page.getByRole('heading', { name: 'Roost demo' }).waitFor();
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await bubble(page, 'Hello, Alex!').waitFor();
  await key(page, 'Delivery').waitFor();
  expect(troubles).toEqual([]);
});

const words = {
  ru: {
    person: { first_name: 'Анастасия-Мария', language_code: 'ru' },
    locale: 'ru-RU',
    start: 'Начать',
    hello: 'Анастасия-Мария, здравствуйте!',
    delivery: 'Доставка',
    courier: 'Курьер позвонит',
    back: 'Назад',
    gift: 'Подарок',
    toast: 'Подарок ваш!',
    question: 'можно ли оплатить картой?',
    field: 'Ваш вопрос',
    send: 'Отправить',
    answer: 'Оплата',
    lost: 'Связь потеряна',
  },
  en: {
    person: { first_name: 'Alexander', language_code: 'en' },
    locale: 'en-GB',
    start: 'Start',
    hello: 'Hello, Alexander!',
    delivery: 'Delivery',
    courier: 'courier',
    back: 'Back',
    gift: 'Gift',
    toast: 'The gift is yours!',
    question: 'may I pay by card?',
    field: 'Your question',
    send: 'Send',
    answer: 'Payment',
    lost: 'Connection lost',
  },
} as const;

describe.each([
  ['ru', 'light', 360],
  ['en', 'dark', 360],
  ['ru', 'dark', 1280],
  ['en', 'light', 1280],
] as const)('in %s, %s, %i px wide', (language, colorScheme, width) => {
  const say = words[language];

  test('a person starts, presses buttons, asks, and is answered', async () => {
    const options = { locale: say.locale, colorScheme, viewport: { width, height: 740 } };
    const { page, troubles } = await openAs(say.person, options);
    await page.getByRole('button', { name: say.start, exact: true }).waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: say.start, exact: true }).click();
    await bubble(page, say.hello).waitFor();

    // An edit of the message that was pressed, and back.
    await key(page, say.delivery).click();
    await bubble(page, say.courier).waitFor();
    await key(page, say.back).click();
    await bubble(page, say.courier).waitFor({ state: 'detached' });

    // A press with an answer of its own.
    await key(page, say.gift).click();
    await seen(page, say.toast);

    await page.getByRole('textbox').fill(say.question);
    await page.getByRole('button', { name: say.send, exact: true }).click();
    await bubble(page, say.question).waitFor();
    await bubble(page, say.answer).waitFor();

    expect(await fitsSideways(page)).toBe(true);
    // Every press is acknowledged.
    await page.locator('.key[aria-busy]').first().waitFor({ state: 'detached' });
    await expectAccessible(page);
    expect(troubles).toEqual([]);
  });
});

test('the keyboard alone is enough', async () => {
  const { page, troubles } = await openAs(words.en.person, { locale: 'en-GB', viewport: { width: 1280, height: 800 } });
  const focused = (): Promise<string> =>
    page.evaluate(`(() => {
      const at = document.activeElement;
      return at === document.body ? '' : (at.getAttribute('aria-label') ?? at.textContent);
    })()`);
  /** Presses Tab until this has the focus; every stop on the way must show that it has it. */
  const tabTo = async (name: string, key = 'Tab'): Promise<void> => {
    for (let steps = 0; steps < 60; steps += 1) {
      if ((await focused()).includes(name)) return;
      await page.keyboard.press(key);
      // Past the last one the focus is the browser's own for a moment.
      const seen = `document.activeElement === document.body || document.activeElement.matches(':focus-visible')`;
      expect(await page.evaluate(seen)).toBe(true);
    }
    throw new Error(`"${name}" cannot be reached with ${key}.`);
  };
  await page.getByRole('button', { name: 'Start', exact: true }).waitFor();
  await tabTo('Start');
  await page.keyboard.press('Enter');
  await key(page, 'Delivery').waitFor();
  await tabTo('Message');
  await page.keyboard.type('a refund, please');
  await page.keyboard.press('Enter');
  await bubble(page, 'a refund, please').waitFor();
  await bubble(page, 'Returns').last().waitFor();
  await tabTo('A gift', 'Shift+Tab');
  await page.keyboard.press('Space');
  await seen(page, 'The gift is yours!');
  expect(troubles).toEqual([]);
});

test('nothing that people or bots say becomes HTML', async () => {
  const bad = `<img src=x onerror="document.title='broken'"><script>document.title='broken'</script>`;
  const { page, troubles } = await openAs({ first_name: bad, language_code: 'ru' });
  await page.getByRole('button', { name: 'Начать' }).click();
  // The bot greets by name: what a person calls himself comes back through the whole product.
  await bubble(page, 'здравствуйте!').waitFor();
  expect(await bubble(page, 'здравствуйте!').locator('strong').first().textContent()).toBe(bad);
  await page.getByRole('textbox').fill(`${bad}&lt;b&gt; {{contact.name}}`);
  await page.getByRole('button', { name: 'Отправить', exact: true }).click();
  await bubble(page, 'На это я ответить не умею').waitFor();
  expect(await page.locator('main img, main script, main [onerror]').count()).toBe(0);
  expect(await said(page)).toContain(`${bad}&lt;b&gt; {{contact.name}}`);
  expect(await page.title()).toBe('Roost · Симулятор');
  expect(troubles).toEqual([]);
});

test('a reload keeps the conversation, and it goes on', async () => {
  const { page } = await openAs(words.ru.person);
  await page.getByRole('button', { name: 'Начать' }).click();
  await key(page, 'Подарок').click();
  await bubble(page, 'улуна').waitFor();
  const before = await said(page);
  await page.reload();
  await bubble(page, 'улуна').waitFor();
  expect(await said(page)).toEqual(before);
  await key(page, 'Назад').click();
  await bubble(page, 'Что вас интересует?').waitFor();
});

test('when the server stops the page says so, and when it is back the conversation goes on', async () => {
  const { page } = await openAs(words.ru.person);
  await page.getByRole('button', { name: 'Начать' }).click();
  await bubble(page, words.ru.hello).waitFor();
  await key(page, 'Доставка').waitFor();
  // By its end it is shown anew, by a page that has read everything again.
  await page.locator('.chat').evaluate((chat) => chat.classList.add('before'));
  await house.product.stop();
  await page.getByRole('status').filter({ hasText: words.ru.lost }).waitFor();
  expect(await bubble(page, words.ru.hello).count(), 'what was said can still be read').toBe(1);
  await expectAccessible(page);
  await house.product.start();
  await page.getByRole('status').filter({ hasText: words.ru.lost }).waitFor({ state: 'hidden' });
  await page.locator('.chat:not(.before) .bubble', { hasText: words.ru.hello }).waitFor();
  await key(page, 'Доставка').click();
  await bubble(page, words.ru.courier).waitFor();
  await page.getByRole('textbox').fill('можно ли оплатить картой?');
  await page.keyboard.press('Enter');
  await bubble(page, 'Оплата').waitFor();
});
