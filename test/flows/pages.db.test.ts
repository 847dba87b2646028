import { afterEach, beforeEach, expect, test } from 'vitest';
import { sql } from '../../kernel/sql.ts';
import { connectBot } from '../../server/domains/bots/bots.ts';
import { sha256Of } from '../../server/domains/projects/files.ts';
import { onePixel } from '../../server/domains/projects/fixtures.ts';
import { importProject, publish } from '../../server/domains/projects/projects.ts';
import { type Roost, startRoost, until } from '../support/roost.ts';

// A page of the app as a message: the files of it, a Telegram that does not know such messages, and a person who is gone.
let roost: Roost;
beforeEach(async () => {
  roost = await startRoost();
});
afterEach(() => roost.close());

const words = (text: string) => ({ en: text });
const photo = (media: string) => ({ type: 'image', props: { photo: { media }, alt: 'head' } });

/** A page with two pictures, one of them in a gallery and again at its end, a table and a link. */
const document = {
  roost: 1,
  locales: ['en'],
  defaultLocale: 'en',
  triggers: { start: { type: 'command', props: { command: 'start' }, to: 'prices' } },
  cards: { prices: { blocks: ['page'] }, gone: { blocks: ['tag'] } },
  blocks: {
    page: {
      type: 'page',
      props: { page: 'prices', buttons: [[{ id: 'again', label: 'again', repeats: true }]] },
      exits: { again: 'prices', blocked: 'gone' },
    },
    tag: { type: 'tag', props: { add: ['gone'] } },
  },
  texts: { again: words('Again') },
  media: {
    one: { kind: 'photo', name: 'one.png', sha256: sha256Of(onePixel) },
    two: { kind: 'document', name: 'two.txt', sha256: sha256Of('Tea 100') },
  },
  app: {
    start: 'prices',
    pages: { prices: { path: '/', title: 'head', root: 'root' } },
    elements: {
      root: { type: 'stack', props: {}, children: ['head', 'photo', 'table', 'more', 'file', 'link', 'form'] },
      head: { type: 'heading', props: { text: 'head', level: 1 } },
      photo: photo('one'),
      table: { type: 'table', props: { rows: [['tea', 'cost']] } },
      more: { type: 'details', props: { summary: 'tea' }, children: ['inside'] },
      inside: { type: 'gallery', props: { media: ['one', 'one'], alt: 'head' } },
      file: { type: 'file', props: { media: 'two', title: 'head' } },
      link: { type: 'button', props: { text: 'map', do: { open: 'https://example.com/map' } } },
      form: { type: 'form', props: { form: 'lead' } },
    },
    texts: { head: words('Prices'), tea: words('Tea'), cost: words('€1'), map: words('On the map') },
    forms: { lead: { fields: { name: { type: 'text', label: 'tea' } }, order: ['name'], submit: 'tea', done: 'tea' } },
  },
};

async function start(): Promise<{ bot: number; anna: number; say: () => void }> {
  const files = new Map([onePixel, Buffer.from('Tea 100')].map((bytes) => [sha256Of(bytes), bytes]));
  const project = await roost.db.tx(async (tx) => {
    const imported = await importProject(tx, { name: 'Prices', bundle: { document, files } });
    await publish(tx, imported.project.id, {});
    return imported.project;
  });
  const { id: bot, token } = roost.simulator.createBot();
  await connectBot(roost.running.bots, { project: project.publicId, token, webhookBase: roost.running.address });
  const anna = roost.simulator.people.create().id;
  return { bot, anna, say: () => void roost.simulator.people.text({ user: anna, bot, text: '/start' }) };
}

const sent = (chat: number, method: string, count: number) =>
  until(
    () => roost.calls({ chat, method }).filter((call) => call.accepted),
    (calls) => calls.length >= count,
  );
const paramsOf = (call: { params: string | null } | undefined) => JSON.parse(call?.params ?? '{}');

test('its files are uploaded once, and go by Telegram’s names for them afterwards', async () => {
  const { anna, say } = await start();
  say();
  await sent(anna, 'sendRichMessage', 1);
  const named = await until(
    () => roost.db.many<{ kind: string; file_id: string }>(sql`select kind, file_id from uploaded_file order by kind`),
    (rows) => rows.length === 2,
  );
  say();
  const [, second] = await sent(anna, 'sendRichMessage', 2);
  const again = paramsOf(second).rich_message.blocks;
  expect(again.map(({ type }: { type: string }) => type)).toEqual([
    ...['heading', 'photo', 'table', 'details', 'document', 'buttons', 'buttons'],
  ]);
  const [paper, picture] = named.map(({ file_id }) => file_id);
  expect(named.map(({ kind }) => kind)).toEqual(['document', 'photo']);
  expect(again[1].photo).toEqual({ type: 'photo', media: picture });
  expect(again[3].blocks[0].blocks.map((block: { photo: object }) => block.photo)).toEqual([
    { type: 'photo', media: picture },
    { type: 'photo', media: picture },
  ]);
  expect(again[4].document).toEqual({ type: 'document', media: paper });
});

test('a Bot API server that does not know such messages gets its words and buttons', async () => {
  const { bot, anna, say } = await start();
  roost.simulator.faults.add({
    kind: '5xx',
    status: 404,
    description: 'Not Found: method not found',
    method: 'sendRichMessage',
  });
  say();
  const [call] = await sent(anna, 'sendMessage', 1);
  const { text, reply_markup } = paramsOf(call);
  expect(text).toBe('Prices\n\nTea · €1\n\nTea\n\nPrices');
  expect(reply_markup.inline_keyboard.flat().map((button: { text: string }) => button.text)).toEqual([
    'On the map',
    'Open in the app',
    'Again',
  ]);
  expect(roost.calls({ chat: anna, method: 'sendRichMessage' })).toHaveLength(1);
  // Its button is one of ours and works.
  roost.simulator.people.press({ user: anna, bot, text: 'Again' });
  await sent(anna, 'sendMessage', 2);
});

test('where Telegram refuses something in it, the words are sent', async () => {
  const { anna, say } = await start();
  const description = 'Bad Request: RICH_MESSAGE_INVALID';
  roost.simulator.faults.add({ kind: '403', status: 400, description, method: 'sendRichMessage' } as never);
  say();
  expect(paramsOf((await sent(anna, 'sendMessage', 1))[0]).text).toContain('Tea · €1');
});

test('a person who has blocked the bot leads to the exit for that', async () => {
  const { anna, say } = await start();
  say();
  await sent(anna, 'sendRichMessage', 1);
  const description = 'Forbidden: bot was blocked by the user';
  roost.simulator.faults.add({ kind: '403', description, method: 'sendRichMessage', times: 1 });
  say();
  const tags = () => roost.db.one<{ tags: string[] }>(sql`select tags from contact where contact_id = ${anna}`);
  expect((await until(tags, (row) => row !== undefined && row.tags.length > 0))?.tags).toEqual(['gone']);
  expect(roost.calls({ chat: anna, method: 'sendMessage' })).toEqual([]);
});
