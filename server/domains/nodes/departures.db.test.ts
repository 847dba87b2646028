import { afterEach, beforeEach, expect, test } from 'vitest';
import { realKit } from '../../../kernel/kit.ts';
import { createLog } from '../../../kernel/log.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { Node, type Owner } from './nodes.ts';

const kit = realKit(createLog({ level: 'silent' }));
let database: TestDatabase;
let nodes: Node[];
let uploaded: () => void;
let upload: Promise<void>;

beforeEach(async () => {
  database = await createTestDatabase();
  nodes = [];
  upload = new Promise((resolve) => {
    uploaded = resolve;
  });
});
afterEach(async () => {
  uploaded();
  for (const node of nodes) await node.stop();
  await database.close();
});

function node(roles: readonly string[], owner: Partial<Owner> = {}, drainMsMax?: number): Node {
  const made = new Node(kit, database.db, { roles, ...(drainMsMax === undefined ? {} : { drainMsMax }) });
  made.addOwner({ gained: async () => {}, begin: () => {}, drain: async () => {}, lost: () => {}, ...owner });
  nodes.push(made);
  return made;
}

/** Nudges all until it holds; the test's own time limit ends a wait that never does. */
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) {
    for (const each of nodes) each.nudge();
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Those that one of two gives away: the upper half. */
const crawling = 200;
const crawls = (bucket: number): Promise<void> => (bucket === crawling ? upload : Promise.resolve());

test('a bucket that crawls holds up no other', async () => {
  const first = node(['core'], { drain: crawls });
  await first.start();
  const second = node(['core']);
  await second.start();
  await until(() => second.buckets().length === 127);
  expect(second.owns(crawling)).toBe(false);
  expect(first.owns(crawling)).toBe(false);
  // Its token still holds: what is in hand is written down under it.
  expect(first.token(crawling)).toBeDefined();
  uploaded();
  await until(() => second.owns(crawling));
});

test('a new receiver opens while buckets crawl', async () => {
  const first = node(['core', 'edge'], { drain: () => upload });
  await first.start();
  await first.receiverReady();
  const second = node(['core']);
  await second.start();
  await until(() => first.buckets().length === 128);
  const edge = node(['edge']);
  await edge.start();
  await until(() => edge.receives());
  expect(first.soleReceiver()).toBe(false);
  expect(second.buckets()).toEqual([]);
});

test('what crawls too long is cut, and goes', async () => {
  const cut: number[] = [];
  const owner = { drain: crawls, cut: (bucket: number) => void cut.push(bucket) };
  const first = node(['core'], owner, 50);
  await first.start();
  const second = node(['core']);
  await second.start();
  await until(() => second.owns(crawling));
  expect(cut).toEqual([crawling]);
  expect(first.token(crawling)).toBeUndefined();
});

test('what ends by being cut need not be waited for any longer', async () => {
  const owner = { drain: crawls, cut: () => uploaded() };
  const first = node(['core'], owner, 50);
  await first.start();
  const second = node(['core']);
  await second.start();
  await until(() => second.owns(crawling));
});

test('a process that stops lets go of what crawls too', async () => {
  const first = node(['core'], { drain: crawls }, 50);
  await first.start();
  await first.stop();
  const second = node(['core']);
  await second.start();
  expect(second.buckets()).toHaveLength(256);
});
