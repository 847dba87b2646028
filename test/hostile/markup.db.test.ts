import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '../../kernel/sql.ts';
import { startTestApp, type TestApp } from '../../server/domains/miniapps/harness.ts';
import { startBrowser } from '../simulator/browser.ts';
import { until } from '../support/roost.ts';
import { goodDocument, type Loose } from './manifests.ts';

/** Words that a project may have, and that a page must show as words. */
const MARKUP = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "' onmouseover='alert(1)",
  '</style><script>alert(1)</script>',
  '</title><meta http-equiv=refresh content=0>',
  '</script><script>alert(1)</script>',
  '--><svg onload=alert(1)>',
  '<!--',
  '<![CDATA[<b>]]>',
  '&lt;b&gt; &amp;quot; &#60;b&#62;',
  '{{alert(1)}} <%= 1 %>',
  'javascript:alert(1)',
  '</textarea></select></option><b>',
  '\u2028</script>',
];

let shop: TestApp;
let browser: Browser;
let page: Page;
beforeAll(async () => {
  shop = await startTestApp(filled('words'));
  browser = await startBrowser();
  page = await browser.newPage();
});
afterAll(async () => {
  await browser.close();
  await shop.close();
});

/** The good document, and these words wherever words may stand: texts, spans, rows, options, values. */
function filled(words: string): Loose {
  const whole = goodDocument();
  const { app } = whole;
  for (const key of Object.keys(app.texts)) app.texts[key] = { ru: words, en: [words, { text: words, bold: true }] };
  app.texts.words.en.push({ text: words, link: 'https://example.com/' });
  // Rows are put in once, with the first document: they have every one of these.
  whole.tables.goods.rows = MARKUP.map((title) => ({
    title,
    price: 1,
    stock: 1,
    sizes: `${title.replace(/;/g, '')};M`,
  }));
  whole.tables.masters.rows = MARKUP.map((name) => ({ name }));
  app.forms.lead.fields.from = { type: 'hidden', value: words };
  app.site.description = 'home.title';
  return whole;
}

type Parsed = { readonly skeleton: string[]; readonly text: string };

/** What a browser makes of a page: its elements with the names of their attributes, and its words. */
async function parsed(path: string): Promise<Parsed> {
  const html = await (await shop.get(path)).text();
  return page.evaluate((source) => {
    const document = new (globalThis as Loose).DOMParser().parseFromString(source, 'text/html');
    const all = [...document.querySelectorAll('*')] as Loose[];
    return {
      skeleton: all.map((one) => `${one.tagName} ${one.getAttributeNames().join(' ')}`),
      text: `${document.title}\n${document.body.textContent}`,
    };
  }, html);
}

/** The pages, as soon as they are those of this release. */
async function pagesOf(words: string): Promise<Parsed[]> {
  await shop.publish(filled(words));
  const { n } = (await shop.roost.db.one<{ n: number }>(
    sql`select release_number as n from project where id = ${shop.project.id}`,
  )) ?? { n: 0 };
  await until(
    async () => (await shop.get(`/a/${shop.app}`)).text(),
    (html) => html.includes(`/v-a-${n}-`),
  );
  const pages: Parsed[] = [];
  for (const path of ['', '/cart', '/visit'])
    for (const lang of ['ru', 'en']) pages.push(await parsed(`/a/${shop.app}${path}?lang=${lang}`));
  return pages;
}

test('words that look like markup are shown as words: no element and no attribute comes of them', async () => {
  const plain = await pagesOf('words');
  for (const words of MARKUP) {
    expect(plain[0]?.text, words).toContain(words);
    expect(plain[4]?.text, words).toContain(words);
  }
  for (const words of MARKUP) {
    const pages = await pagesOf(words);
    pages.forEach(({ skeleton, text }, index) => {
      expect(skeleton, words).toEqual(plain[index]?.skeleton);
      expect(text, words).toContain(words);
    });
  }
});
