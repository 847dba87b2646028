import { expect, onTestFinished, test } from 'vitest';
import { ok, refusal, startSimulator } from '../harness.ts';

const PIXEL = Buffer.from('R0lGODlhAQABAIAAAMzMzP///yH5BAAAAAAALAAAAAABAAEAAAICRAEAOw==', 'base64');

async function scene() {
  const simulator = await startSimulator({ limits: false });
  onTestFinished(() => simulator.close());
  const bot = simulator.createBot();
  const user = simulator.people.create({ first_name: 'Anna' }).id;
  simulator.people.start({ user, bot: bot.id });
  const params = (blocks: unknown) => ({ chat_id: user, rich_message: { blocks } });
  const send = (blocks: unknown) => ok<Sent>(simulator, bot, 'sendRichMessage', params(blocks));
  const refused = (blocks: unknown) => refusal(simulator, bot, 'sendRichMessage', params(blocks));
  return { simulator, bot, user, send, refused };
}

// biome-ignore lint/suspicious/noExplicitAny: blocks of every shape are looked into
type Sent = { message_id: number; rich_message: { blocks: any[] } };
const paragraph = (text: unknown = 'x') => ({ type: 'paragraph', text });
const items = (...blocks: object[]) => blocks.map((block) => ({ blocks: [block] }));

test('blocks come back as a message has them', async () => {
  const { send } = await scene();
  const mark = { type: 'bold', text: ['a', { type: 'url', text: 'b', url: 'https://example.com' }] };
  const details = { type: 'details', summary: 'More', blocks: [paragraph(mark)], is_open: true };
  const { rich_message } = await send([
    { type: 'heading', text: 'Hi', size: 1 },
    details,
    { type: 'list', items: [{ blocks: [paragraph()], type: '1', value: 3 }, ...items(paragraph())] },
    { type: 'map', location: { latitude: 1, longitude: 2 } },
  ]);
  const [heading, open, list, map] = rich_message.blocks;
  expect([heading, open]).toEqual([{ type: 'heading', text: 'Hi', size: 1 }, details]);
  expect(list.items.map(({ label }: { label: string }) => label)).toEqual(['3.', '•']);
  expect(map).toMatchObject({ zoom: 15, width: 600, height: 400 });
});

test('a file that is uploaded goes by its id the next time', async () => {
  const { simulator, bot, user, send } = await scene();
  const form = new FormData();
  const photo = (media: string) => ({ type: 'photo', photo: { type: 'photo', media } });
  form.append('chat_id', String(user));
  form.append('rich_message', JSON.stringify({ blocks: [photo('attach://one')] }));
  form.append('one', new Blob([PIXEL], { type: 'image/gif' }), 'one.gif');
  const address = `${simulator.address}/bot${bot.token}/sendRichMessage`;
  const { result } = (await (await fetch(address, { method: 'POST', body: form })).json()) as { result: Sent };
  const { file_id } = result.rich_message.blocks[0].photo.at(-1);
  const again = await send([{ type: 'slideshow', blocks: [photo(file_id), photo(file_id)] }]);
  expect(
    again.rich_message.blocks[0].blocks.map((block: Sent['rich_message']['blocks'][0]) => block.photo[0].file_id),
  ).toEqual([file_id, file_id]);
});

test('what is no rich message is refused, and so is one over a limit', async () => {
  const { refused } = await scene();
  const many = (count: number, block: object) => Array(count).fill(block);
  const cell = { text: 'x', align: 'left', valign: 'top' };
  const deep = (count: number): object =>
    count === 1 ? paragraph() : { type: 'details', summary: 'x', blocks: [deep(count - 1)] };
  const cases: readonly (readonly [blocks: unknown, said: string])[] = [
    [[], 'rich message must be non-empty'],
    [[{ type: 'slider' }], 'unsupported block type "slider"'],
    [[paragraph('')], 'Can\'t find field "text"'],
    [[paragraph({ type: 'huge', text: 'x' })], "can't parse RichText"],
    [[{ type: 'heading', text: 'x', size: 7 }], 'heading size'],
    [[{ type: 'photo', photo: { type: 'video', media: 'x' } }], 'type must be "photo"'],
    [[{ type: 'photo', photo: { type: 'photo', media: 'x' } }], 'wrong file identifier'],
    [[{ type: 'map', location: { latitude: 91, longitude: 0 } }], 'wrong location'],
    [[{ type: 'table', cells: [[{ text: 'x' }]] }], 'wrong alignment'],
    [[{ type: 'table', cells: [many(21, cell)] }], 'COLUMNS_TOO_MUCH'],
    [[{ type: 'buttons', buttons: [{ text: 'x' }] }], 'Text buttons are unallowed'],
    [[{ type: 'buttons', buttons: [{ text: 'x', url: 'javascript:x' }] }], 'is invalid'],
    [many(501, { type: 'divider' }), 'BLOCKS_TOO_MUCH'],
    [[{ type: 'list', items: items(...many(250, paragraph())) }], 'BLOCKS_TOO_MUCH'],
    [many(33, paragraph('x'.repeat(1_000))), 'TOO_LONG'],
    [[deep(17)], 'DEPTH_TOO_MUCH'],
  ];
  for (const [blocks, said] of cases)
    expect([said, await refused(blocks)]).toEqual([said, expect.stringContaining(said)]);
});

test('a button in a message is pressed and opens its app', async () => {
  const { simulator, bot, user, send } = await scene();
  const button = (fields: object) => ({ type: 'buttons', buttons: [{ text: 'Go', ...fields }] });
  await send([
    button({ callback_data: 'first' }),
    { type: 'details', summary: 'x', blocks: [button({ callback_data: 'second' })] },
  ]);
  for (const row of [0, 1]) expect(simulator.people.press({ user, bot: bot.id, row }).id).toMatch(/^\d+$/);
  expect(() => simulator.people.press({ user, bot: bot.id, row: 2 })).toThrow('has no such button');
  await send([button({ web_app: { url: 'https://example.com/app' } })]);
  const opened = await simulator.people.openApp({ user, bot: bot.id, by: 'button', row: 0 } as never);
  expect(JSON.stringify(opened)).toContain('https://example.com/app');
});
