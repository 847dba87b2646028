import { join } from 'node:path';
import type { FrameLocator } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { asWritten, chooseDay, chooseLastDay, expectAccessible, expectNoSideways, talk } from './app.ts';
import { words } from './app-words.ts';
import { useHouse } from './house.ts';

// The examples' Mini Apps as a person meets them: the bot's button, the sheet over the chat, the app, and the bot's
// answer to what was sent.
const house = useHouse();

const PHONE = '+7 900 123-45-67';
const numbered = /(№|No\.) \d+/;

/** Back in the chat: the bot's answer, which has every line that it should have; and nothing went wrong on the way. */
async function answerTo(
  visitor: Awaited<ReturnType<typeof talk>>,
  own: { readonly told: string; readonly telling: readonly string[] },
): Promise<string> {
  await visitor.closeApp();
  const told = await visitor.told(own.told);
  for (const line of own.telling) expect(told).toContain(line);
  expect(visitor.troubles).toEqual([]);
  return told;
}

describe.each([
  ['ru', 'light'],
  ['en', 'dark'],
] as const)('in %s, %s', (language, colorScheme) => {
  const say = words[language];
  const visit = (example: string) => talk(house.browser, house.product, { example, language, colorScheme });

  /** Who it is, and that he agrees: asked for by every form. */
  async function introduce(app: FrameLocator): Promise<void> {
    await app.getByRole('textbox', { name: say.nameLabel }).fill(say.name);
    await app.getByRole('textbox', { name: say.phoneLabel }).fill(PHONE);
    await app.getByRole('checkbox', { name: say.consent }).check();
  }

  test('a shop: into the cart, to the order, and its number and lines in the chat', async () => {
    const own = say.shop;
    const visitor = await visit('shop');
    const { page } = visitor;
    const app = await visitor.openApp(own.open, own.heading);
    await expectAccessible(page);
    await expectNoSideways(page);
    await app.getByRole('link', { name: own.mug }).click();
    await app.getByRole('radio', { name: 'M', exact: true }).check();
    await visitor.telegramButton(own.add).click();
    await app.getByRole('button', { name: own.more }).click();
    await visitor.telegramButton(own.filled).click();
    await app.getByRole('heading', { name: own.cart, level: 1 }).waitFor();
    await expectAccessible(page);
    await visitor.telegramButton(own.order).click();

    await introduce(app);
    await app.getByRole('radio', { name: asWritten(own.delivery) }).check();
    await app.getByRole('textbox', { name: own.addressLabel }).fill(own.address);
    await expectAccessible(page);
    await expectNoSideways(page);
    await visitor.telegramButton(own.send).click();
    await app.getByText(own.done).waitFor();
    expect(await answerTo(visitor, own)).toMatch(numbered);
  });

  test('a booking: service, stylist, day and time, and nobody is offered that time again', async () => {
    const own = say.booking;
    const visitor = await visit('booking');
    const { page } = visitor;
    const app = await visitor.openApp(own.open, own.heading);
    const slots = app.locator('[data-slot]');
    const choose = async (from: FrameLocator): Promise<void> => {
      await from.getByRole('radio', { name: own.service }).check();
      await from.getByRole('radio', { name: own.master }).check();
    };
    await choose(app);
    const day = await chooseLastDay(app);
    // In the evening, where clocks of twelve hours and of twenty-four differ.
    const chip = slots.locator('.chip').last();
    const time = (await chip.textContent()) ?? '';
    // As a mouse does it: wherever on the chip it lands.
    await chip.click();
    expect(await slots.getByRole('radio', { name: time }).isChecked()).toBe(true);
    await introduce(app);
    expect(await slots.getByRole('radio', { name: time }).isChecked(), 'writing does not undo it').toBe(true);
    await expectAccessible(page);
    await expectNoSideways(page);
    await visitor.telegramButton(own.send).click();
    await app.getByText(own.done).waitFor();
    const told = await answerTo(visitor, own);
    expect(told).toContain(time);
    expect(told).toMatch(new RegExp(`\\b${Number(day.slice(-2))}\\b`));

    const next = await visit('booking');
    const again = await next.openApp(own.open, own.heading);
    await choose(again);
    await chooseDay(again, day);
    await again.locator('[data-slot] .chip').first().waitFor();
    expect(await again.locator('[data-slot] .chip').allTextContents()).not.toContain(time);
  });

  test('two who want the same time: the second one is told, and chooses another', async () => {
    const own = say.booking;
    const both = [await visit('booking'), await visit('booking')] as const;
    const apps: FrameLocator[] = [];
    let day: string | undefined;
    for (const visitor of both) {
      const app = await visitor.openApp(own.open, own.heading);
      await app.getByRole('radio', { name: own.service }).check();
      await app.getByRole('radio', { name: own.wanted }).check();
      if (day === undefined) day = await chooseLastDay(app);
      else await chooseDay(app, day);
      await app.locator('[data-slot] .chip').last().click();
      await introduce(app);
      apps.push(app);
    }
    const [first, second] = apps as [FrameLocator, FrameLocator];
    await both[0].telegramButton(own.send).click();
    await first.getByText(own.done).waitFor();
    await both[1].telegramButton(own.send).click();
    await second.getByText(own.taken).first().waitFor();
    expect(await second.getByRole('textbox', { name: say.nameLabel }).inputValue()).toBe(say.name);
    await second.locator('[data-slot] .chip').first().click();
    await both[1].telegramButton(own.send).click();
    await second.getByText(own.done).waitFor();
  });

  test('a request: what is missing is said, a picture goes along, and its number comes to the chat', async () => {
    const own = say.site;
    const visitor = await visit('lead-site');
    const { page } = visitor;
    const app = await visitor.openApp(own.open, own.heading);
    await visitor.telegramButton(own.send).click();
    await app.getByText(own.required).first().waitFor();
    await expectAccessible(page);
    await app.getByRole('combobox').selectOption({ label: own.bike });
    await app.getByRole('checkbox', { name: own.job }).check();
    await app.getByRole('textbox', { name: own.story }).fill('!');
    await app.getByLabel(own.photo).setInputFiles(join(import.meta.dirname, '../../examples/lead-site/workshop.jpg'));
    await introduce(app);
    await expectNoSideways(page);
    const upload = page.waitForResponse((response) => response.url().includes('/files?'));
    await visitor.telegramButton(own.send).click();
    expect((await upload).status()).toBe(200);
    await app.getByText(own.done).waitFor();
    expect(await answerTo(visitor, own)).toMatch(numbered);
  });

  test('a quiz: question by question to the result, in the app and in the chat', async () => {
    const own = say.portfolio;
    const visitor = await visit('portfolio');
    const { page } = visitor;
    const app = await visitor.openApp(own.open, own.heading);
    const next = (): Promise<void> => visitor.telegramButton(own.next).click();
    for (const answer of [own.what, own.who, own.time]) {
      await app.getByRole('radio', { name: answer }).check();
      await next();
    }
    await app.getByRole('checkbox', { name: own.mood }).check();
    await next();
    await app.getByRole('radio', { name: '2' }).check();
    await expectAccessible(page);
    await next();
    await app.getByRole('textbox', { name: say.nameLabel }).fill(say.name);
    await next();
    await app.getByRole('textbox', { name: say.phoneLabel }).fill(PHONE);
    await next();
    await app.getByRole('checkbox', { name: say.consent }).check();
    await expectNoSideways(page);
    await visitor.telegramButton(own.send).click();
    await app.getByText(own.done).waitFor();
    await app.getByText(asWritten(own.result)).waitFor();
    await answerTo(visitor, own);
  });
});
