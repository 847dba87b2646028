import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type FaultPointName, faultPointNames } from '../../kernel/faultpoint.ts';
import { readiness } from '../probes/webhook.ts';
import { isFinished, unfinished } from './evidence.ts';
import { isSole, ownersOf } from './owners.ts';
import { openScene, type Scene } from './scene.ts';
import type { ServerProcess } from './servers.ts';
import { until } from './waiting.ts';

const testMs = 300_000;

/** How many passes are let through first, so that it happens under way. */
const passes = {
  'intake-before-commit': 20,
  'intake-after-commit': 20,
  'turn-before-commit': 20,
  'turn-after-commit': 20,
  'send-before-call': 20,
  'send-after-call': 20,
  'send-after-record': 20,
  'takeover-after-claim': 0,
  'release-before-commit': 0,
  'ack-before-call': 3,
  'timer-after-move': 0,
} as const satisfies Partial<Record<FaultPointName, number>>;

let scene: Scene;
beforeAll(async () => {
  scene = await openScene();
  await scene.installation.serve(['edge', 'core']);
});
afterAll(() => scene.close());

/** Once nothing is left over from the one before: to take that over as it starts would be another thing. */
async function armed(point: keyof typeof passes): Promise<ServerProcess> {
  const { installation } = scene;
  await until('the one that lives to own everything', () => ownersOf(installation.db), isSole);
  return installation.serve(['edge', 'core'], { fault: { point, after: passes[point] } });
}

const death = (victim: ServerProcess): Promise<unknown> =>
  until('the armed process to die', victim.alive, (alive) => !alive);

describe('a process killed at a named moment, another one beside it', () => {
  test.each([
    'intake-before-commit',
    'intake-after-commit',
    'turn-before-commit',
    'turn-after-commit',
    'send-before-call',
    'send-after-call',
    'send-after-record',
    'takeover-after-claim',
  ] as const)(
    '%s',
    async (point) => {
      const victim = await armed(point);
      await scene.during(() => death(victim));
      expect((await victim.exit).signal).toBe('SIGKILL');
      await scene.settle();
    },
    testMs,
  );

  test(
    'release-before-commit: it was about to give half of its buckets away',
    async () => {
      const victim = await armed('release-before-commit');
      await until(
        'it to have its half',
        () => ownersOf(scene.installation.db),
        (owners) => owners.some(({ pid, buckets }) => pid === victim.pid && buckets === 128),
      );
      await scene.during(async () => {
        const third = await scene.installation.serve(['core']);
        await death(victim);
        await third.stop();
      });
      await scene.settle();
    },
    testMs,
  );

  test(
    'ack-before-call: a press that was never acknowledged has its effect all the same, and pressed again no second one',
    async () => {
      const victim = await armed('ack-before-call');
      const { crowd, installation } = scene;
      for (const chat of crowd.chats) crowd.say(chat, 'menu');
      await scene.settle();
      // Before all owners know of it, it would turn presses away until the other one had taken them all.
      await until(
        'it to receive',
        () => readiness(victim.port),
        ({ ready }) => ready,
      );
      const pressAll = (): void => {
        for (const chat of crowd.chats) installation.simulator.people.press({ user: chat.user, bot: chat.bot.id });
      };
      pressAll();
      await death(victim);
      pressAll();
      const { sent } = await scene.settle();
      for (const chat of crowd.chats) {
        const answers = sent.filter((call) => call.accepted && call.bot === chat.bot.id && call.chat === chat.id);
        expect(new Set(answers.map((call) => call.text).filter((text) => text.startsWith('pressed')))).toEqual(
          new Set(['pressed 1']),
        );
      }
    },
    testMs,
  );

  test(
    'timer-after-move: a wait that had just become an event ends all the same, once',
    async () => {
      const victim = await armed('timer-after-move');
      // The other one moves timers too, and may come first; then everybody waits once more.
      await until(
        'the armed process to die',
        async () => {
          if (isFinished(await unfinished(scene.installation)))
            for (const chat of scene.crowd.chats) scene.crowd.say(chat, 'later');
          return victim.alive();
        },
        (alive) => !alive,
      );
      const { sent } = await scene.settle();
      const late = sent.filter((call) => call.accepted && / later \d/.test(call.text));
      expect(new Set(late.map((call) => `${call.bot} ${call.chat}`)).size).toBe(scene.crowd.chats.length);
    },
    testMs,
  );
});

test(
  'takeover-after-claim: it dies while it starts, by what another one has left, and a third one takes over from both',
  async () => {
    const alone = await openScene({ bots: 1, chatsABot: 3 });
    try {
      const { installation, crowd } = alone;
      const first = await installation.serve(['edge', 'core']);
      crowd.sayAll(1);
      await alone.settle();
      await first.kill();
      const victim = await installation.serve(['edge', 'core'], { fault: { point: 'takeover-after-claim' } });
      expect((await victim.exit).signal).toBe('SIGKILL');
      crowd.sayAll(1);
      await installation.serve(['edge', 'core']);
      await alone.settle();
    } finally {
      await alone.close();
    }
  },
  testMs,
);

describe('a process that fetches updates itself', () => {
  test(
    'poll-after-commit: killed before Telegram heard that it has them, it gets them again and drops them',
    async () => {
      const polling = await openScene({ polled: true, bots: 2 });
      try {
        const fault = { point: 'poll-after-commit', after: 5 } as const;
        const victim = await polling.installation.serve(['core'], { fault });
        await polling.during(() => death(victim), 30);
        await polling.installation.serve(['core']);
        await polling.settle();
      } finally {
        await polling.close();
      }
    },
    testMs,
  );
});

test('no named moment is left out', () => {
  // The last two stand in apps.db.test.ts.
  const others = ['poll-after-commit', 'submit-before-commit', 'submit-after-commit'];
  expect([...Object.keys(passes), ...others].sort()).toEqual([...faultPointNames].sort());
});
