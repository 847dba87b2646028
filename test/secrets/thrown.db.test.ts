import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectBot, disconnectBot, moveWebhook, rotateSecret, rotateToken } from '../../server/domains/bots/bots.ts';
import { createTelegram } from '../../server/domains/telegram/telegram.ts';
import { parrot } from '../support/documents.ts';
import { type Roost, startRoost } from '../support/roost.ts';
import { type EchoFront, openEchoFront, type Trouble } from './echo.ts';
import { createNeedles, shown } from './needles.ts';

// What is thrown or handed back to a caller, with everything that hangs on it: message, stack, causes, fields.
let front: EchoFront;
let roost: Roost;
let bot: { id: number; token: string; publicId: string };
const needles = createNeedles();

const troubles: readonly Trouble[] = [
  '400',
  '401',
  '403',
  '404',
  '409',
  '429',
  '500',
  'html',
  'garbage',
  'redirect',
  'reset',
];

beforeAll(async () => {
  front = await openEchoFront();
  roost = await startRoost({ env: { TELEGRAM_API_ROOT: front.address } });
  front.target = roost.simulator.address;
  bot = await roost.bot(parrot);
});
afterAll(async () => {
  await roost?.close();
  await front?.close();
});

/** Everything that this call ended with, as text. */
async function endOf(work: () => Promise<unknown>): Promise<string> {
  try {
    return `returned ${shown(await work())}`;
  } catch (error) {
    return `threw ${shown(error)}`;
  }
}

function searched(ends: readonly string[]): string[] {
  for (const each of roost.simulator.world.bots.values()) needles.add('token', each.token);
  for (const secret of front.secrets) needles.add('webhook secret', secret);
  return ends.flatMap((end) => needles.findIn(end).map((needle) => `${needle} in: ${end.slice(0, 300)}`));
}

test.each(troubles)('the client of Telegram hands back no secret: %s', async (trouble) => {
  const telegram = createTelegram(roost.kit);
  const address = { token: bot.token, apiRoot: front.address };
  const secret_token = 'a-webhook-secret-that-nobody-may-see-1234567';
  needles.add('webhook secret', secret_token);
  front.fail(bot.id, 'setWebhook', trouble);
  const ends = [
    await endOf(() => telegram.call(address, 'setWebhook', { url: 'https://x.example', secret_token })),
    await endOf(() => telegram.callText({ ...address, apiRoot: 'http://127.0.0.1:1' }, 'getMe', '{}')),
    await endOf(() => telegram.callText({ ...address, apiRoot: `${front.address}/%zz` }, 'setWebhook', '{}')),
    await endOf(() => telegram.download(address, `setWebhook/../${trouble}`)),
  ];
  front.fail(bot.id, 'setWebhook', undefined);
  await telegram.close();
  expect(searched(ends)).toEqual([]);
  expect(front.made).toContain(`setWebhook ${trouble}`);
});

test.each(['getMe', 'getWebhookInfo', 'setWebhook', 'deleteWebhook'])(
  'changes of a bot throw no secret: %s fails',
  async (method) => {
    const { bots, address } = roost.running;
    const ends: string[] = [];
    for (const trouble of troubles) {
      const fresh = roost.simulator.createBot();
      const [project] = await roost.db.many<{ public_id: string }>({
        text: 'select public_id from project',
        values: [],
      });
      const request = { project: project?.public_id ?? '', token: fresh.token, webhookBase: address };
      for (const id of [fresh.id, bot.id]) front.fail(id, method, trouble);
      ends.push(
        await endOf(() => connectBot(bots, request)),
        await endOf(() => rotateSecret(bots, bot.publicId)),
        await endOf(() => rotateToken(bots, bot.publicId, fresh.token)),
        await endOf(() => moveWebhook(bots, bot.publicId, address)),
      );
      if (method !== 'setWebhook') ends.push(await endOf(() => connectBot(bots, { ...request, token: bot.token })));
      for (const id of [fresh.id, bot.id]) front.fail(id, method, undefined);
    }
    front.fail(bot.id, method, '500');
    ends.push(await endOf(() => disconnectBot(bots, bot.publicId)));
    front.fail(bot.id, method, undefined);
    expect(ends.filter((end) => end.startsWith('threw')).length).toBeGreaterThan(troubles.length);
    expect(searched(ends)).toEqual([]);
    expect(searched(roost.log)).toEqual([]);
  },
);
