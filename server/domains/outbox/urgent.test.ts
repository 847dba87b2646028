import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type Kit, realKit } from '../../../kernel/kit.ts';
import { createLog } from '../../../kernel/log.ts';
import { createSimulator, type FaultKind, type Simulator } from '../../../simulator/simulator.ts';
import type { BotEntry } from '../bots/bots.ts';
import { createTelegram, type Outcome, shortCalls, type Telegram } from '../telegram/telegram.ts';
import { createUrgentCall, type UrgentEnd, type UrgentKind } from './urgent.ts';

const real = realKit(createLog({ level: 'silent' }));
const methods = { press: 'answerCallbackQuery', checkout: 'answerPreCheckoutQuery' } as const;

describe('before the simulated Telegram', () => {
  // Time stands still for the calls: no slow machine ends them. Only the pauses between tries are real.
  const kit: Kit = { ...real, monotonicMs: () => 0 };
  let simulator: Simulator;
  let telegram: Telegram;
  let apiRoot: string;
  beforeEach(async () => {
    simulator = createSimulator();
    apiRoot = await simulator.listen();
    telegram = createTelegram(kit);
  });
  afterEach(async () => {
    await telegram.close();
    await simulator.close();
  });

  /** A question that Telegram keeps open for an hour, and what it was answered. */
  function opened(kind: UrgentKind): { answers: object[]; answer(): Promise<UrgentEnd> } {
    const answers: object[] = [];
    const { id, token } = simulator.createBot();
    const bot = simulator.world.bots.get(id) as NonNullable<ReturnType<typeof simulator.world.bots.get>>;
    const user = simulator.people.create();
    const query = simulator.world.queries.open({
      kind: kind === 'press' ? 'callback' : 'pre_checkout',
      bot,
      userId: user.id,
      chat: `${id}:${user.id}`,
      seconds: 3_600,
      onAnswer: (answer) => void answers.push(answer),
    });
    const call = createUrgentCall({ kit, telegram, bots: { token: async () => token } });
    const params =
      kind === 'press'
        ? { callback_query_id: query.id, text: 'Done' }
        : { pre_checkout_query_id: query.id, ok: false, error_message: 'No' };
    return {
      answers,
      answer: () =>
        call({ id, apiRoot } as BotEntry, {
          kind,
          method: methods[kind],
          params: JSON.stringify(params),
          sinceMs: 0,
        }),
    };
  }

  const faults: FaultKind[] = ['429', '5xx', 'html', 'refused'];
  test.each(faults.flatMap((fault) => (['press', 'checkout'] as const).map((kind) => ({ fault, kind }))))(
    'a $kind that Telegram meets with $fault is answered by the next try',
    async ({ fault, kind }) => {
      simulator.faults.add({ kind: fault, method: methods[kind], retry_after: 1, times: 1 });
      const { answer, answers } = opened(kind);
      expect(await answer()).toEqual({ result: 'answered', reason: '' });
      expect(answers).toHaveLength(1);
      expect(simulator.calls.end).toBe(2);
      expect(simulator.calls.read(0)).toMatchObject({ method: methods[kind], fault, accepted: false });
    },
  );

  test('an answer that was lost is given again, and Telegram takes one', async () => {
    simulator.faults.add({ kind: 'lost', method: methods.checkout, times: 1 });
    const { answer, answers } = opened('checkout');
    expect((await answer()).result).toBe('late');
    expect(answers).toHaveLength(1);
  });
});

describe('within its limits', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], now: 0 }));
  afterEach(() => void vi.useRealTimers());

  /** Answers to questions of bots, before a Telegram that says what `says` says of its bot. */
  function facing(
    says: (botId: number) => Promise<Outcome>,
    { monotonicMs = Date.now, token = async (id: number) => `${id}:token` } = {},
  ) {
    const called: { botId: number; atMs: number; startByMs: number | undefined; kind: string | undefined }[] = [];
    const call = createUrgentCall({
      kit: { ...real, monotonicMs },
      bots: { token },
      telegram: {
        callText: ({ token }, _method, _params, options) => {
          const botId = Number.parseInt(token, 10);
          called.push({ botId, atMs: Date.now(), startByMs: options?.startByMs, kind: options?.kind });
          return says(botId);
        },
      },
    });
    const answer = (botId: number, kind: UrgentKind = 'checkout'): Promise<UrgentEnd> =>
      call({ id: botId, apiRoot: 'http://127.0.0.1:1' } as BotEntry, {
        kind,
        method: methods[kind],
        params: '{}',
        sinceMs: 0,
      });
    return { called, answer };
  }

  const refused = (code: number, retryAfterSeconds?: number): Outcome => ({
    kind: 'refused',
    code,
    description: 'No',
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  });

  test('a wait longer than the time that is left ends it', async () => {
    const { called, answer } = facing(async () => refused(429, 10));
    expect(await answer(1)).toEqual({ result: 'given_up', reason: 'Telegram asked to wait 10 s.' });
    expect(called).toHaveLength(1);
  });

  test('a wait is waited out, and no try begins after the ten seconds of the question', async () => {
    const { called, answer } = facing(async () => refused(429, 4));
    const end = answer(1);
    await vi.runAllTimersAsync();
    expect((await end).result).toBe('given_up');
    expect(called.map(({ atMs }) => atMs)).toEqual([0, 4_000, 8_000]);
    expect(called.every(({ startByMs, kind }) => startByMs === 10_000 && kind === 'checkout')).toBe(true);
  });

  test.each(['press', 'checkout'] as const)('a %s that is never reached is tried ever more rarely', async (kind) => {
    const { called, answer } = facing(async () => ({ kind: 'unreached', reason: 'ECONNREFUSED' }));
    const end = answer(1, kind);
    await vi.runAllTimersAsync();
    expect(await end).toEqual({ result: 'given_up', reason: 'ECONNREFUSED' });
    expect(called.map(({ atMs }) => atMs)).toEqual([0, 250, 750, 1_750, 3_750, 5_750, 7_750, 9_750]);
  });

  test('tries have an end also where the clock stands still', async () => {
    const { called, answer } = facing(async () => ({ kind: 'unreached', reason: 'ECONNREFUSED' }), {
      monotonicMs: () => 0,
    });
    const end = answer(1);
    await vi.runAllTimersAsync();
    expect((await end).result).toBe('given_up');
    expect(called).toHaveLength(8);
  });

  test('a database that is away for a moment is asked for the token again; a token that is lost is not', async () => {
    let asked = 0;
    const { answer } = facing(async () => ok, {
      token: async (id) => {
        asked += 1;
        if (asked === 1) throw Object.assign(new Error('away'), { code: '57P01' });
        if (id === 2) throw new Error('wrong key');
        return `${id}:token`;
      },
    });
    const end = answer(1);
    await vi.runAllTimersAsync();
    expect((await end).result).toBe('answered');
    await expect(answer(2)).rejects.toThrow('wrong key');
    expect(asked).toBe(3);
  });

  test('what Telegram refuses for good is not repeated', async () => {
    const { called, answer } = facing(async () => refused(400));
    expect(await answer(1)).toEqual({ result: 'refused', reason: '400 No' });
    expect(called).toHaveLength(1);
  });

  test('a bot whose answers hang leaves the others their places', async () => {
    const { called, answer } = facing((botId) => (botId === 1 ? new Promise(() => {}) : Promise.resolve(ok)));
    const { connectionsMax } = shortCalls.checkout;
    for (let index = 0; index < connectionsMax; index += 1) void answer(1);
    expect((await answer(2)).result).toBe('answered');
    expect(called.filter(({ botId }) => botId === 1)).toHaveLength(connectionsMax / 8);
  });

  test('presses whose answers hang leave checkouts their places', async () => {
    let hang = true;
    const { answer } = facing(() => (hang ? new Promise(() => {}) : Promise.resolve(ok)));
    for (let index = 0; index < shortCalls.press.connectionsMax; index += 1) void answer(index, 'press');
    await vi.advanceTimersByTimeAsync(0);
    hang = false;
    expect((await answer(1)).result).toBe('answered');
  });

  const ok: Outcome = { kind: 'ok', result: true };
});
