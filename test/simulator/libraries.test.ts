import type { Message } from '@grammyjs/types';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createSimulator, type Simulator } from '../../simulator/simulator.ts';
import { grammyBot } from './grammy-bot.ts';
import type { SmallBot, SmallBotParts, Transport } from './small-bot.ts';
import { telegrafBot } from './telegraf-bot.ts';

const LIBRARIES: Record<string, (parts: SmallBotParts) => SmallBot> = { grammy: grammyBot, telegraf: telegrafBot };

/** One library's bot at work, one person who talks to it, and what the person sees. */
class Talk {
  readonly simulator: Simulator;
  readonly bot: ReturnType<Simulator['createBot']>;
  readonly user: number;
  small!: SmallBot;
  readonly #seen: Message[] = [];
  readonly #waiting: ((message: Message) => void)[] = [];

  constructor(simulator: Simulator) {
    this.simulator = simulator;
    this.bot = simulator.createBot({ first_name: 'Proof', username: 'proof_bot' });
    this.user = simulator.people.create({ first_name: 'Анна' }).id;
    simulator.world.feed.listen(({ type, data }) => {
      const message = data as Message;
      if ((type !== 'message' && type !== 'edit') || message.from?.id !== this.bot.id) return;
      const waiter = this.#waiting.shift();
      if (waiter) waiter(message);
      else this.#seen.push(message);
    });
  }

  get place(): { user: number; bot: number } {
    return { user: this.user, bot: this.bot.id };
  }

  say(text: string): Message {
    return this.simulator.people.text({ ...this.place, text });
  }

  /** The bot's next message or edit. */
  next(): Promise<Message> {
    const first = this.#seen.shift();
    return first ? Promise.resolve(first) : new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** Waits until every call has its answer, so that stopping cuts none. A poll may wait. */
  async quiet(): Promise<void> {
    const { calls } = this.simulator;
    for (let row = calls.start; row < calls.end; row++) {
      const open = (): boolean => calls.read(row)?.answered_mono === null && calls.read(row)?.method !== 'getUpdates';
      while (open()) await new Promise((resolve) => setTimeout(resolve, 5));
    }
    await new Promise((resolve) => setImmediate(resolve));
  }

  /** Waits until the bot has made this many failing calls. */
  async failures(count: number): Promise<SmallBot['failures']> {
    const deadline = performance.now() + 60_000;
    while (this.small.failures.length < count) {
      if (performance.now() > deadline) throw new Error(`only ${this.small.failures.length} failures came`);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    return this.small.failures.splice(0);
  }
}

async function talk(library: string, transport: Transport): Promise<Talk> {
  const simulator = createSimulator({ seed: 11 });
  const apiRoot = await simulator.listen();
  const made = new Talk(simulator);
  const create = LIBRARIES[library];
  if (!create) throw new Error(`no library ${library}`);
  made.small = create({ apiRoot, token: made.bot.token, transport });
  onTestFinished(async () => {
    await made.quiet();
    await made.small.stop();
    await simulator.close();
  });
  await made.small.start();
  return made;
}

const cases = Object.keys(LIBRARIES).flatMap((library) =>
  (['webhook', 'polling'] as const).map((transport) => [library, transport] as const),
);

describe.each(cases)('%s over %s', (library, transport) => {
  test('commands, keyboards and edits', async () => {
    const t = await talk(library, transport);
    t.simulator.set({ limits: { on: false } });
    t.simulator.people.start({ ...t.place, payload: 'ref_7' });
    expect(await t.next()).toMatchObject({ text: 'Здравствуйте, Анна! ref_7' });
    t.simulator.people.key({ ...t.place, text: 'Телефон' });
    expect(await t.next()).toMatchObject({ text: 'Телефон +79990000000' });
    const { message_id } = t.say('ошибка');
    t.simulator.people.edit({ ...t.place, message_id, text: 'исправлено' });
    expect(await t.next()).toMatchObject({ text: 'Теперь: исправлено' });
    t.say('/bold');
    expect(await t.next()).toMatchObject({
      text: 'Жирно и косо',
      entities: [
        { type: 'bold', offset: 0, length: 5 },
        { type: 'italic', offset: 8, length: 4 },
      ],
    });
    t.say('/broken');
    expect(await t.failures(1)).toEqual([
      {
        code: 400,
        description: 'Bad Request: can\'t parse entities: Can\'t find end tag corresponding to start tag "b"',
      },
    ]);
  });

  test('buttons: the toast, the edit, and an edit that changes nothing', async () => {
    const t = await talk(library, transport);
    const toasts: unknown[] = [];
    t.simulator.world.feed.listen(({ type, data }) => type === 'press_answer' && toasts.push(data));
    t.say('/count');
    expect(await t.next()).toMatchObject({ text: 'Нажато: 0' });
    for (const presses of [1, 2]) {
      t.simulator.people.press(t.place);
      expect(await t.next()).toMatchObject({ text: `Нажато: ${presses}`, edit_date: expect.any(Number) });
      const [failure] = await t.failures(1);
      expect(failure).toMatchObject({ code: 400, description: expect.stringContaining('message is not modified') });
    }
    expect(toasts).toMatchObject([{ text: 'Есть', user_id: t.user }, { text: 'Есть' }]);
  });

  test('files in and out', async () => {
    const t = await talk(library, transport);
    t.simulator.set({ limits: { on: false } });
    t.say('/document');
    expect(await t.next()).toMatchObject({
      caption: 'вот',
      document: { file_name: 'отчёт.txt', file_size: Buffer.byteLength('отчёт') },
    });
    t.say('/album');
    const album = [await t.next(), await t.next()];
    expect(album).toMatchObject([{ caption: 'два', photo: [{ width: 1, height: 1 }] }, { photo: [{ width: 1 }] }]);
    expect(album[0]?.media_group_id).toBe(album[1]?.media_group_id);
    t.simulator.people.media({ ...t.place, kind: 'photo', bytes: Buffer.alloc(1_234, 7) });
    expect(await t.next()).toMatchObject({ caption: '1234 байт', photo: [{}, { file_size: 1_234 }] });
    const deleted = new Promise((resolve) => {
      t.simulator.world.feed.listen(({ type, data }) => type === 'delete' && resolve(data));
    });
    t.say('/delete');
    const { message_id } = await t.next();
    expect(await deleted).toEqual({ message_id });
  });

  test('a payment from the invoice to the receipt', async () => {
    const t = await talk(library, transport);
    t.say('/sell');
    const { invoice } = await t.next();
    expect(invoice).toMatchObject({ title: 'Хлеб', total_amount: 5, currency: 'XTR' });
    expect(await t.simulator.people.pay(t.place)).toMatchObject({ ok: true, charge_id: expect.any(String) });
    expect(await t.next()).toMatchObject({ text: 'Оплачено 5' });
  });

  test('errors as the library reads them: 429, 403, 400 with migrate_to_chat_id', async () => {
    const t = await talk(library, transport);
    // One a minute after the first three: however long the five take, they are too many.
    t.simulator.set({ limits: { chatPerSecond: 1 / 60 } });
    t.say('/flood');
    for (const text of ['0', '1', '2']) expect(await t.next()).toMatchObject({ text });
    for (const { retryAfter, ...failure } of await t.failures(2)) {
      expect(retryAfter).toBeGreaterThan(0);
      expect(failure).toEqual({ code: 429, description: `Too Many Requests: retry after ${retryAfter}` });
    }
    t.simulator.people.block(t.place);
    expect(await t.failures(1)).toEqual([{ code: 403, description: 'Forbidden: bot was blocked by the user' }]);
    t.simulator.people.unblock(t.place);
    t.simulator.set({ limits: { on: false } });
    await t.next();
    const stranger = t.simulator.people.create().id;
    t.say(`/write ${stranger}`);
    expect(await t.failures(1)).toEqual([
      { code: 403, description: "Forbidden: bot can't initiate conversation with a user" },
    ]);
    const group = t.simulator.people.createGroup({ type: 'group', creator: t.user, bots: [t.bot.id] });
    await t.next();
    const fresh = t.simulator.people.migrate({ chat: group.id });
    t.say(`/write ${group.id}`);
    expect(await t.failures(1)).toEqual([
      { code: 400, description: 'Bad Request: group chat was upgraded to a supergroup chat', migrateTo: fresh.id },
    ]);
    t.say(`/write ${fresh.id}`);
    expect(await t.next()).toMatchObject({ text: 'привет', chat: { id: fresh.id } });
  });

  test('faults of the network end in an error of the library, and the bot lives on', async () => {
    const t = await talk(library, transport);
    t.simulator.set({ limits: { on: false } });
    t.simulator.faults.add({ kind: '429', method: 'sendMessage', retry_after: 77, times: 1 });
    t.say('/flood');
    expect(await t.failures(1)).toEqual([
      { code: 429, description: 'Too Many Requests: retry after 77', retryAfter: 77 },
    ]);
    for (const text of ['1', '2', '3', '4']) expect(await t.next()).toMatchObject({ text });
  });
});
