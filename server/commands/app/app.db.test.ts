import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sql } from '../../../kernel/sql.ts';
import { createSimulator, type Simulator } from '../../../simulator/simulator.ts';
import { shopDocument } from '../../domains/miniapps/fixtures.ts';
import { onePixel, sampleDocument } from '../../domains/projects/fixtures.ts';
import { type CliResult, createTestCli, type TestCli } from '../cli/harness.ts';

let cli: TestCli;
beforeAll(async () => {
  cli = await createTestCli({ env: { PUBLIC_URL: 'https://bots.example' } });
  const path = join(cli.folder, 'shop.json');
  await writeFile(path, JSON.stringify(shopDocument()));
  await writeFile(join(cli.folder, 'cover.png'), onePixel);
});
afterAll(() => cli.close());

test('before anything is published, the list says where pages come from', async () => {
  expect((await cli.run('app', 'list')).out).toContain('No running release has pages.');
});

test('a published project has a site under a name and on a domain, and others cannot take them', async () => {
  await cli.run('project', 'import', join(cli.folder, 'shop.json'), '--name', 'Shop');
  expect((await cli.run('project', 'publish', 'Shop')).code).toBe(0);
  expect((await cli.run('app', 'slug', 'Shop', 'river-shop')).out).toBe(
    'The site stands at https://bots.example/s/river-shop\n',
  );
  expect((await cli.run('app', 'domain', 'Shop', 'Shop.Example.')).code).toBe(0);
  expect((await cli.run('app', 'list')).out).toMatch(
    /Shop +release 1 +https:\/\/shop\.example\/ https:\/\/bots\.example\/s\/river-shop/,
  );
  expect((await cli.run('app', 'show', 'Shop')).out).toContain('Site: https://shop.example/');
  await cli.run('project', 'create', 'Other');
  expect((await cli.run('app', 'slug', 'Other', 'river-shop')).err).toMatch(/^SITE_TAKEN: /);
  expect((await cli.run('app', 'domain', 'Other', 'shop.example')).err).toMatch(/^SITE_TAKEN: /);
  expect((await cli.run('app', 'slug', 'Other', 'River')).err).toMatch(/^SITE_WRONG: A slug has/);
  expect((await cli.run('app', 'domain', 'Other', 'bots.example')).err).toMatch(/^SITE_WRONG: .*installation itself/);
  expect((await cli.run('app', 'slug', 'Other')).err).toMatch(/^USAGE: /);
  expect((await cli.run('app', 'slug', 'Shop', '--none')).out).toContain('has no name below /s/ any more');
  expect(await cli.json('app', 'show', 'Shop')).toMatchObject({
    site: { slug: null, domain: 'shop.example' },
    leads: 0,
  });
});

test('without PUBLIC_URL the address is that of the server that runs, whatever port the command was told', async () => {
  const here = await createTestCli({ env: { PORT: '8420' } });
  try {
    await here.run('project', 'create', 'Shop');
    const slugAt = async (slug: string) => (await here.run('app', 'slug', 'Shop', slug)).out;
    expect(await slugAt('one')).toContain('http://127.0.0.1:8420/s/one');
    await here.database.db.run(sql`
      insert into node (id, roles, host, pid, address, lease_until) values
        (gen_random_uuid(), '{core}', 'h', 1, 'http://127.0.0.1:8502', now() + interval '1 min'),
        (gen_random_uuid(), '{edge}', 'h', 2, 'http://127.0.0.1:8503', now() - interval '1 min'),
        (gen_random_uuid(), '{edge}', 'h', 3, 'http://0.0.0.0:8501', now() + interval '1 min')`);
    expect(await slugAt('two')).toContain('http://127.0.0.1:8501/s/two');
  } finally {
    await here.close();
  }
});

test('every address that works is shown, also where a domain was given beside the name', async () => {
  await cli.run('project', 'import', join(cli.folder, 'shop.json'), '--name', 'Two ways');
  await cli.run('project', 'publish', 'Two ways');
  await cli.run('app', 'slug', 'Two ways', 'two-ways');
  expect((await cli.run('app', 'domain', 'Two ways', 'two.example')).out).toContain(
    'The site stands at https://bots.example/s/two-ways too.\n',
  );
  expect((await cli.run('app', 'show', 'Two ways')).out).toContain(
    'Site: https://two.example/\nSite: https://bots.example/s/two-ways\n',
  );
});

test('whoever names the site of a project without pages is told that nothing is shown there', async () => {
  const address = 'https://bots.example/s/bare';
  await cli.run('project', 'create', 'Bare');
  const unpublished = [
    'Nothing of "Bare" is published yet, so there are no pages and every address answers 404.',
    'Publish it: roost project publish Bare',
    '',
  ].join('\n');
  const slug = await cli.run('app', 'slug', 'Bare', 'bare');
  expect([slug.code, slug.out]).toEqual([0, `The site will stand at ${address}\n${unpublished}`]);
  expect((await cli.run('app', 'show', 'Bare')).out).toContain(unpublished);
  await writeFile(join(cli.folder, 'bare.json'), JSON.stringify(sampleDocument()));
  await cli.run('project', 'import', join(cli.folder, 'bare.json'), '--into', 'Bare');
  await cli.run('project', 'publish', 'Bare');
  const noPages = 'Release 1 of "Bare" has no pages, so every address answers 404.';
  expect((await cli.run('app', 'show', 'Bare')).out).toContain(noPages);
  expect((await cli.run('app', 'slug', 'Bare', 'bare')).out).toContain(noPages);
  expect((await cli.run('app', 'domain', 'Bare', 'bare.example')).out).toContain(`${address} too.\n${noPages}`);
  expect((await cli.run('app', 'show', 'Shop')).out).not.toContain('404');
});

describe('without PUBLIC_URL', () => {
  const hint =
    /^PUBLIC_URL is not set, so Telegram cannot open the app(.*), and buttons that lead to it are left out\.$/m;
  let telegram: Simulator;
  let home: TestCli;
  beforeAll(async () => {
    telegram = createSimulator();
    await telegram.listen();
    home = await createTestCli({ env: { TELEGRAM_API_ROOT: telegram.address, PORT: '8555' } });
  });
  afterAll(async () => {
    await home.close();
    await telegram.close();
  });
  const connect = (project: string, ...more: string[]): Promise<CliResult> =>
    home.run('bot', 'connect', '--project', project, '--token', telegram.createBot().token, ...more);

  test('whoever imports, publishes or connects a project with pages is told that Telegram opens none', async () => {
    const file = join(cli.folder, 'shop.json');
    const imported = await home.run('project', 'import', file, '--name', 'Shop');
    const published = await home.run('project', 'publish', 'Shop');
    for (const { out } of [imported, published]) {
      expect(hint.exec(out)?.[1]).toBe('');
      expect(out).toContain('Set PUBLIC_URL to the https address of this server, and start it again.');
    }
    // What was only imported cannot be looked at yet.
    expect([imported, published].map(({ out }) => out.includes('roost app show Shop'))).toEqual([false, true]);
    expect(hint.exec((await connect('Shop')).out)?.[1]).toMatch(/^ of @\w+$/);
    expect(hint.exec((await home.run('project', 'publish', 'Shop')).out)?.[1]).toMatch(/^ of @\w+$/);
    expect(await home.json('project', 'publish', 'Shop')).toMatchObject({
      hints: [expect.stringMatching(hint), expect.anything(), expect.anything()],
    });
  });

  test('nobody is told so of a bot with an address of its own, or of a project without pages', async () => {
    const own = ['--webhook-base', 'http://127.0.0.1:8666'];
    await home.run('project', 'import', join(cli.folder, 'shop.json'), '--name', 'Own');
    await home.run('project', 'publish', 'Own');
    expect((await connect('Own', ...own)).out).not.toMatch(hint);
    expect((await home.run('project', 'publish', 'Own')).out).not.toMatch(hint);
    await writeFile(join(home.folder, 'plain.json'), JSON.stringify(sampleDocument()));
    for (const { code, out } of [
      await home.run('project', 'import', join(home.folder, 'plain.json')),
      await home.run('project', 'publish', 'plain'),
      await connect('plain'),
    ])
      expect([code, out]).toEqual([0, expect.not.stringMatching(hint)]);
    // The app stands where the bot is reached, a site where this machine is.
    await home.run('app', 'slug', 'Own', 'own');
    const { out } = await home.run('app', 'show', 'Own');
    expect(out).toMatch(/^Mini App of @\w+: http:\/\/127\.0\.0\.1:8666\/a\/app_\w{20}$/m);
    expect(out).toContain('Site: http://127.0.0.1:8555/s/own\n');
    expect(out).toContain('Addresses at http://127.0.0.1:8555 open on this machine only, while the server runs.');
  });
});

test('what visitors have sent is listed, and comes out as JSON and as a table that runs nothing', async () => {
  expect((await cli.run('lead', 'list', 'Shop')).out).toContain('Nobody has sent anything yet.');
  const { db } = cli.database;
  await db.run(sql`
    insert into app_visitor (project_id, visitor_id, profile)
    select id, 'tg:77', '{"id":"77","firstName":"Анна","lastName":"","username":"anna","languageCode":"ru","photoUrl":""}' from project where name = 'Shop'`);
  await db.run(sql`
    insert into lead (project_id, number, key, app, release_number, form, kind, visitor_id, fields, words, total, currency, locale)
    select id, n, 'k' || n, 'app_x', 1, case when n = 1 then 'lead' else 'order' end, case when n = 1 then 'lead' else 'order' end, 'tg:77',
      '{"name":"=1+1"}', '{"name":"=1+1"}', case when n = 2 then 29 end, case when n = 2 then 'EUR' end, 'ru'
    from project, generate_series(1, 2) as n where name = 'Shop'`);
  await db.run(sql`
    insert into order_line (lead_id, line, row_id, title, variant, count, price, stock_table, stock_column)
    select id, 1, 1, 'Tea', 'M', 2, 4, 'goods', 'stock' from lead where number = 2`);
  const list = (await cli.run('lead', 'list', 'Shop')).out;
  expect(list).toMatch(/2 +\S.* ago +order +Анна @anna +\d+ +29 EUR +Tea \(M\) × 2/);
  expect((await cli.run('lead', 'list', 'Shop', '--form', 'lead')).out).toContain('1 thing in all');
  expect((await cli.run('lead', 'list', 'Shop', '--form', 'visit')).out).toBe(
    'Nobody has sent anything by the form "visit" yet.\n',
  );
  const unknown = '"Shop" has no form "nosuch". It has lead, order, visit.\n';
  expect((await cli.run('lead', 'list', 'Shop', '--form', 'nosuch')).out).toBe(unknown);
  const empty = join(cli.folder, 'empty.json');
  expect((await cli.run('lead', 'export', 'Shop', '--form', 'nosuch', '--out', empty)).out).toBe(
    `Wrote 0 things into ${empty}.\n${unknown}`,
  );
  expect(await cli.json('lead', 'export', 'Shop')).toMatchObject({
    leads: [{ number: 1 }, { number: 2, lines: [{ title: 'Tea', variant: 'M', count: 2, price: 4 }] }],
  });
  const out = join(cli.folder, 'leads.csv');
  expect((await cli.run('lead', 'export', 'Shop', '--csv', '--out', out)).out).toBe(`Wrote 2 things into ${out}.\n`);
  for (const [path, why] of [
    [join(cli.folder, 'no', 'x'), 'there is no such folder'],
    [cli.folder, 'it is a folder'],
  ] as const)
    expect((await cli.run('lead', 'export', 'Shop', '--out', path)).err).toBe(
      `FILE_UNUSABLE: ${path} cannot be written: ${why}.\n`,
    );
  const csv = await readFile(out, 'utf8');
  expect(csv).toMatch(/^\ufeffnumber,sent,form,visitor,telegram,order,total,currency,start,cancelled,name\r\n/);
  expect(csv).toContain("'=1+1");
  expect(csv).toMatch(/2,[^,]+,order,Анна @anna,\d+,Tea \(M\) × 2,29,EUR,,,/);
});

test('what was sent can be cancelled by its number, and the list says so', async () => {
  const stock = async (): Promise<string | undefined> =>
    (await cli.run('table', 'export', 'Shop', 'goods')).out.split('\r\n').find((line) => line.startsWith('1,'));
  const before = await stock();
  expect((await cli.run('lead', 'cancel', 'Shop', '2')).out).toBe(
    'Cancelled number 2. Back in stock: 2 pieces. The visitor was not told.\n',
  );
  expect(await stock()).not.toBe(before);
  expect((await cli.run('lead', 'cancel', 'Shop', '2')).out).toContain('was cancelled before');
  expect((await cli.run('lead', 'list', 'Shop')).out).toMatch(/2 +\S.* 29 EUR +cancelled +Tea \(M\) × 2/);
  expect((await cli.run('lead', 'export', 'Shop', '--csv')).out).toMatch(/29,EUR,,\d{4}-\d\d-\d\dT[^,]+,/);
  expect((await cli.run('lead', 'cancel', 'Shop', '99')).err).toMatch(
    /^LEAD_NOT_FOUND: "Shop" has nothing with the number 99. See: roost lead list Shop/,
  );
  expect((await cli.run('lead', 'cancel', 'Shop', 'two')).err).toMatch(/^USAGE: /);
});
