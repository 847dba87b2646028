import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Form } from '../../contract/app/forms.ts';
import { startBrowser } from '../simulator/browser.ts';
import { makeView } from './fixture.ts';
import { accessible, evaluate, goOffline, live, type Visit, visit } from './visit.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser.close());

// One moment for all, so that midnight may pass.
const nowMs = Date.now();
const inDays = (days: number): string => new Date(nowMs + days * 86_400_000).toISOString().slice(0, 10);

test('every field sends what was filled in, in its own kind', async () => {
  const { page, site, troubles } = await visit(browser, '/ask');
  await page.getByLabel('Как вас зовут').fill('Анна\u202e <b>');
  await page.getByLabel('Поле', { exact: true }).first().fill('две\nстроки');
  await page.getByLabel('Телефон').fill('+7 900 123-45-67');
  await page.getByLabel('Почта').fill('anna@example.com');
  await page.getByLabel('Сколько').fill('3');
  await page.getByLabel('Размер').selectOption('big');
  await page.getByRole('radio', { name: 'Маленький' }).check();
  await page.getByRole('checkbox', { name: 'Маленький' }).check();
  await page.getByRole('checkbox', { name: 'Большой' }).check();
  expect(await page.getByLabel('День').count()).toBe(0);
  await page.getByLabel('Позвоните мне').check();
  await page.getByLabel('День').fill(inDays(2));
  await page.getByLabel('Время').fill('09:30');
  await page.getByLabel('Снимок').setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: Buffer.from('png') });
  await page.getByRole('radiogroup', { name: 'Оценка' }).getByRole('radio', { name: '4' }).check();
  await page.getByRole('radio', { name: 'Пётр' }).check();
  await page.getByLabel('Согласен с правилами').check();
  await page.getByRole('button', { name: 'Отправить' }).click();
  await page.getByText('Спасибо. Ответим сегодня.').waitFor();
  expect(await evaluate(page, 'document.activeElement.className')).toContain('done');
  expect(site.files).toMatchObject([
    { query: '?form=ask&field=picture', type: 'image/png', bytes: Buffer.from('png') },
  ]);
  expect(site.sent).toMatchObject([
    {
      event: {
        form: 'ask',
        locale: 'ru',
        values: {
          name: 'Анна\u202e <b>',
          wish: 'две\nстроки',
          phone: '+7 900 123-45-67',
          email: 'anna@example.com',
          count: '3',
          size: 'big',
          shape: 'small',
          extras: ['small', 'big'],
          call: true,
          day: inDays(2),
          time: '09:30',
          picture: 'file_0000000000000000000000',
          stars: 4,
          guide: 9,
          consent: true,
          fixed: 'page',
        },
      },
    },
  ]);
  expect(site.sent[0]?.event.cart).toBeUndefined();
  expect(troubles).toEqual([]);
});

test('what is missing or wrong is said under its field, and the first such field has the focus', async () => {
  const { page, site } = await visit(browser, '/ask');
  await page.getByLabel('Почта').fill('anna');
  await page.getByLabel('Телефон').fill('звоните');
  await page.getByLabel('Сколько').fill('много');
  await page.getByLabel('Позвоните мне').check();
  await page.getByLabel('День').fill(inDays(-2));
  await page.getByRole('button', { name: 'Отправить' }).click();
  expect(await page.locator('.error:not(:empty)').allTextContents()).toEqual([
    'Заполните это поле',
    'Напишите номер цифрами: +7 900 123-45-67',
    'Напишите почту целиком: anna@mail.ru',
    'Напишите число: не меньше 1, не больше 9',
    'Выберите другой день',
    'Без согласия отправить нельзя',
  ]);
  const name = page.getByLabel('Как вас зовут');
  expect(await evaluate(page, 'document.activeElement.name')).toBe('form.ask.name');
  expect(await name.getAttribute('aria-invalid')).toBe('true');
  expect(await page.locator(`[id="${await name.getAttribute('aria-describedby')}"]`).textContent()).toBe(
    'Заполните это поле',
  );
  await accessible(page);
  expect(site.sent).toEqual([]);
  await name.fill('А');
  expect(await name.getAttribute('aria-invalid')).toBeNull();
});

test('what must be chosen is marked, says so in words of its own, and is told to be wrong as a group', async () => {
  const view = makeView();
  const ask = view.forms?.['ask'] as Form;
  const must = ['size', 'shape', 'extras', 'call', 'stars', 'guide'];
  const fields = Object.fromEntries(
    Object.entries(ask.fields).map(([id, field]) => [id, must.includes(id) ? { ...field, required: true } : field]),
  ) as Form['fields'];
  const { page, troubles } = await visit(browser, '/ask', {
    view: { ...view, forms: { ...view.forms, ask: { ...ask, fields } } },
  });
  expect(await page.locator('.field:has(i)').count()).toBe(must.length + 2);
  expect(await page.locator('.field', { hasText: 'Согласен с правилами' }).locator('i').textContent()).toBe(' *');
  await page.getByRole('button', { name: 'Отправить' }).click();
  const said = page.locator('.error:not(:empty)');
  expect(await said.allTextContents()).toEqual([
    'Заполните это поле',
    'Выберите один из вариантов',
    'Выберите один из вариантов',
    'Выберите хотя бы один вариант',
    'Поставьте здесь галочку',
    'Выберите один из вариантов',
    'Выберите один из вариантов',
    'Без согласия отправить нельзя',
  ]);
  expect(await page.locator('[role=radiogroup][aria-invalid=true]').count()).toBe(3);
  expect(await page.locator('[name="form.ask.extras"][aria-invalid=true]').count()).toBe(2);
  await accessible(page);
  await page.getByRole('radio', { name: 'Пётр' }).check();
  expect(await page.locator('[role=radiogroup][aria-invalid=true]').count()).toBe(2);
  expect(troubles).toEqual([]);
});

test('what the server finds wrong is said in its words', async () => {
  const { page, site } = await visit(browser, '/ask');
  const facts = { fields: { phone: 'Такого номера нет.' } };
  site.answers.push({ ok: false, error: { code: 'FORM_INVALID', message: 'Проверьте поля.', facts } });
  await page.getByLabel('Как вас зовут').fill('Анна');
  await page.getByLabel('Согласен с правилами').check();
  await page.getByRole('button', { name: 'Отправить' }).click();
  await page.getByText('Такого номера нет.').waitFor();
  expect(await page.getByRole('alert').textContent()).toBe('Проверьте поля.');
  expect(await evaluate(page, 'document.activeElement.name')).toBe('form.ask.phone');
  await page.getByRole('button', { name: 'Отправить' }).click();
  await page.getByText('Спасибо. Ответим сегодня.').waitFor();
});

/** Takes the form of a page to the moment where the server has it and the visitor does not know. */
async function loseAnswer({ page, site }: Visit): Promise<void> {
  await page.getByLabel('Как вас зовут').fill('Анна');
  await page.getByLabel('Согласен с правилами').check();
  let cut = true;
  await page.route('**/events', async (route) => {
    if (!cut) return route.continue();
    cut = false;
    await route.fetch();
    await route.abort();
  });
  await page.getByRole('button', { name: 'Отправить' }).click();
  await page.getByText('Нет связи.').waitFor();
  expect(await page.getByLabel('Как вас зовут').inputValue()).toBe('Анна');
  expect(site.sent[0]?.event.key).toMatch(/^[\w.-]{8,64}$/);
}

test('an attempt whose answer was lost is made again under the same key, with everything that was typed', async () => {
  const visited = await visit(browser, '/ask');
  const { page, site } = visited;
  await loseAnswer(visited);
  await page.getByRole('button', { name: 'Отправить' }).click();
  await page.getByText('Спасибо. Ответим сегодня.').waitFor();
  expect(site.sent.length).toBe(2);
  expect(site.sent[1]?.event).toEqual(site.sent[0]?.event);
});

test('what was changed after an answer was lost is another send, and changed back it is the first one again', async () => {
  const visited = await visit(browser, '/ask');
  const { page, site } = visited;
  await loseAnswer(visited);
  const refused = { ok: false, error: { code: 'TOO_MANY_REQUESTS', message: 'Подождите минуту.' } } as const;
  site.answers.push(refused, refused);
  for (const name of ['Анна Ёлкина', 'Анна']) {
    await page.getByLabel('Как вас зовут').fill(name);
    await page.getByRole('button', { name: 'Отправить' }).click();
    await page.getByText('Подождите минуту.').waitFor();
  }
  await page.getByRole('button', { name: 'Отправить' }).click();
  await page.getByText('Спасибо. Ответим сегодня.').waitFor();
  const [lost, changed, ...back] = site.sent.map(({ event }) => event);
  expect(changed?.values['name']).toBe('Анна Ёлкина');
  expect(changed?.key).not.toBe(lost?.key);
  expect(back).toEqual([lost, lost]);
});

test('what has been received and is written once more is another send', async () => {
  const { page, site } = await visit(browser, '/ask');
  for (let time = 1; time <= 2; time += 1) {
    await page.getByLabel('Как вас зовут').fill('Анна');
    await page.getByLabel('Согласен с правилами').check();
    await page.getByRole('button', { name: 'Отправить' }).click();
    await page.getByText('Спасибо. Ответим сегодня.').waitFor();
    await page.getByRole('navigation', { name: 'Меню' }).getByRole('link').first().click();
    await page.goBack();
  }
  expect(site.sent.length).toBe(2);
  expect(site.sent[1]?.event.key).not.toBe(site.sent[0]?.event.key);
});

test('a form that was received is empty when it is opened again, and its file goes with nothing else', async () => {
  const { page, site } = await visit(browser, '/ask');
  const fill = async (): Promise<void> => {
    await page.getByLabel('Как вас зовут').fill('Анна');
    await page.getByLabel('Согласен с правилами').check();
  };
  await fill();
  await page.getByLabel('Снимок').setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: Buffer.from('png') });
  await page.getByRole('button', { name: 'Отправить' }).click();
  await page.getByText('Спасибо. Ответим сегодня.').waitFor();
  await page.getByRole('navigation', { name: 'Меню' }).getByRole('link').first().click();
  await page.goBack();
  expect(await page.getByLabel('Как вас зовут').inputValue()).toBe('');
  expect(await page.getByLabel('Согласен с правилами').isChecked()).toBe(false);
  await fill();
  await page.getByRole('button', { name: 'Отправить' }).click();
  await page.getByText('Спасибо. Ответим сегодня.').waitFor();
  expect(site.sent.map(({ event }) => event.values['picture'])).toEqual(['file_0000000000000000000000', undefined]);
});

test('a form that waits for a network and is changed meanwhile leaves when its button is pressed, and not before', async () => {
  const { page, site } = await visit(browser, '/ask');
  await page.getByLabel('Как вас зовут').fill('Анна');
  await page.getByLabel('Согласен с правилами').check();
  await goOffline(page);
  await page.getByRole('button', { name: 'Отправить' }).click();
  await page.getByText('Нет связи.').waitFor();
  await page.getByLabel('Как вас зовут').fill('Анна Ёлк');
  expect(await page.getByText('Нет связи.').count()).toBe(0);
  await evaluate(page, `void (window.heard = new Promise((resolve) => window.addEventListener('online', resolve)))`);
  await page.context().setOffline(false);
  await evaluate(page, 'window.heard.then(() => {})');
  await page.getByLabel('Как вас зовут').fill('Анна Ёлкина');
  await page.getByRole('button', { name: 'Отправить' }).click();
  await page.getByText('Спасибо. Ответим сегодня.').waitFor();
  expect(site.sent.map(({ event }) => event.values['name'])).toEqual(['Анна Ёлкина']);
});

test('two presses are one send', async () => {
  const { page, site } = await visit(browser, '/ask');
  await page.getByLabel('Как вас зовут').fill('Анна');
  await page.getByLabel('Согласен с правилами').check();
  await evaluate(page, `document.forms[0].requestSubmit(), document.forms[0].requestSubmit()`);
  await page.getByText('Спасибо. Ответим сегодня.').waitFor();
  expect(site.sent.length).toBe(1);
});

test('what was typed before the script came is not lost', async () => {
  let release = (): void => {};
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  const { page, site } = await visit(browser, '/goods');
  await page.route(/\/_\/r-/, async (route) => {
    await gate;
    await route.continue();
  });
  await page.goto(`${site.address}/ask`, { waitUntil: 'commit' });
  await page.getByLabel('Как вас зовут').fill('Анна');
  await page.getByLabel('Позвоните мне').check();
  release();
  await live(page);
  await page.getByLabel('День').waitFor();
  expect(await page.getByLabel('Как вас зовут').inputValue()).toBe('Анна');
});

test('a form that is filled in by robots says so to the server only', async () => {
  const { page, site } = await visit(browser, '/ask');
  await page.getByLabel('Как вас зовут').fill('Анна');
  await page.getByLabel('Согласен с правилами').check();
  await evaluate(
    page,
    `{ const trap = document.querySelector('.trap'); trap.value = 'http://spam';
    trap.dispatchEvent(new Event('input', { bubbles: true })); }`,
  );
  await page.getByRole('button', { name: 'Отправить' }).click();
  await page.getByText('Спасибо. Ответим сегодня.').waitFor();
  expect(site.sent[0]?.event.trap).toBe('http://spam');
});

test('a quiz asks one question a time, by keyboard alone, and tells what came of it', async () => {
  const { page, site } = await visit(browser, '/quiz');
  expect(await page.locator('.field').count()).toBe(1);
  await page.getByRole('button', { name: 'Дальше' }).click();
  await page.getByText('Выберите один из вариантов').waitFor();
  await page.keyboard.press('Space');
  await page.getByText('1 / 3').waitFor();
  await page.keyboard.press('Enter');
  await page.getByLabel('Корка важна?').waitFor();
  await page.keyboard.press('Enter');
  await page.getByLabel('Как вас зовут').fill('Анна');
  await page.getByRole('button', { name: 'Назад' }).click();
  await page.getByRole('button', { name: 'Назад' }).click();
  await page.getByRole('radio', { name: 'Сладкий' }).check();
  await page.getByText('1 / 2').waitFor();
  await page.getByRole('button', { name: 'Дальше' }).click();
  expect(await page.getByLabel('Как вас зовут').inputValue()).toBe('Анна');
  await page.keyboard.press('Enter');
  await page.getByText('Вам подойдёт пшеничный.').waitFor();
  expect(site.sent[0]?.event.values).toEqual({ taste: 'sweet', name: 'Анна' });
});

test('the English shop speaks English to its last error', async () => {
  const { page } = await visit(browser, '/ask', { view: makeView('en') });
  await page.getByRole('button', { name: 'Send' }).click();
  expect(await page.locator('.error:not(:empty)').allTextContents()).toEqual([
    'Fill in this field',
    'It cannot be sent without your consent',
  ]);
});
