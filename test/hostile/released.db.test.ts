import { afterAll, beforeAll, expect, test } from 'vitest';
import { canonicalJson } from '../../kernel/canonical.ts';
import { sql } from '../../kernel/sql.ts';
import { startTestApp, type TestApp } from '../../server/domains/miniapps/harness.ts';
import { sha256Of } from '../../server/domains/projects/files.ts';
import { onePixel } from '../../server/domains/projects/fixtures.ts';
import { until } from '../support/roost.ts';
import { HOSTILE_ADDRESSES } from './addresses.ts';
import { goodDocument, type Loose } from './manifests.ts';

let shop: TestApp;
beforeAll(async () => {
  shop = await startTestApp();
});
afterAll(() => shop.close());

/** Makes this the running release, as a version wrote it that had none of today's rules. */
async function writtenLongAgo(document: object): Promise<void> {
  const text = canonicalJson(document);
  const { id } = shop.project;
  await shop.roost.db.run(sql`insert into release (project_id, number, hash, document)
    values (${id}, 2, ${sha256Of(text)}, ${text}::json)`);
  await shop.roost.db.run(sql`update project set release_number = 2, rev = nextval('change_rev') where id = ${id}`);
}

/** A document that no import takes: every hostile address wherever one is drawn, and words that turn the line around. */
function hostileDocument(): Loose {
  const whole = goodDocument();
  const { app } = whole;
  whole.media.cover.sha256 = sha256Of(onePixel);
  app.texts['home.title'].en = 'The \u202e\u0007<b>shop</b>';
  app.texts.words.en = HOSTILE_ADDRESSES.map((link, index) => ({ text: `word ${index}. `, link }));
  app.elements.links.props.items = HOSTILE_ADDRESSES.map((open) => ({ text: 'send', do: { open } }));
  app.elements.press.props.do.open = 'javascript:alert(1)';
  app.elements.photo.props.do.open = 'javascript:alert(1)';
  app.site.privacy = 'javascript:alert(1)';
  return whole;
}

test('a release from before a rule is shown, and nothing of it becomes an address or an element', async () => {
  await writtenLongAgo(hostileDocument());
  const html = await until(
    async () => (await shop.get(`/a/${shop.app}?lang=en`)).text(),
    (found) => found.includes('/v-a-2-'),
  );
  expect(html).toContain('word 0. ');
  expect(html).toContain('&lt;b&gt;shop&lt;/b&gt;');
  const addresses = [...html.matchAll(/ (?:href|src|poster|action)="([^"]*)"/g)].map(([, address]) => address);
  expect(addresses.length).toBeGreaterThan(5);
  const foreign = addresses.filter((address) => /script|data:\w|blob:|evil|\p{Cf}|^\/\//u.test(address ?? ''));
  expect(foreign).toEqual([]);
});
