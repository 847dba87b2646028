import { expect, test } from 'vitest';
import { type CommandList, decideCommands, pendingLists, type ToldCommands, toldAfter } from './command-rules.ts';

const commands = [{ command: 'help', description: 'Help' }];
const others = [{ command: 'mine', description: 'Mine' }];
const list = (more: Partial<CommandList> = {}): CommandList => ({ scope: 'default', language: '', commands, ...more });

/** What is decided on the only list that is pending, and what is told afterwards. */
function pass(wanted: readonly CommandList[], told: ToldCommands, present: unknown): [string, ToldCommands] {
  const [pending, ...rest] = pendingLists(wanted, told);
  if (pending === undefined || rest.length > 0) throw new Error('Not one list is pending.');
  const decision = decideCommands(pending, present);
  const replaces = decision.kind === 'set' && decision.replaces ? ' over' : '';
  return [`${decision.kind}${replaces}`, { ...told, [pending.name]: toldAfter(pending, decision) }];
}

test('a list that nobody has touched is ours, changes, and goes away', () => {
  const [first, told] = pass([list()], {}, []);
  expect(first).toBe('set');
  expect(pendingLists([list()], told)).toEqual([]);
  const [second, later] = pass([list({ commands: others })], told, commands);
  expect(second).toBe('set');
  expect(pass([], later, others)[0]).toBe('remove');
  expect(pass([list()], {}, commands)[0]).toBe('keep');
});

test('what somebody has set by hand is replaced once, then left, and never taken away', () => {
  const [first, told] = pass([list()], {}, others);
  expect(first).toBe('set over');
  const next = list({ commands: [{ command: 'help', description: 'Help us' }] });
  expect(pass([next], told, others)).toEqual(['leave', told]);
  expect(pass([next], told, [])).toEqual(['leave', told]);
  const [gone, after] = pass([], told, others);
  expect([gone, pendingLists([], after)]).toEqual(['keep', []]);
  // It is known that it was replaced once, also after ours was taken away.
  expect(pass([list()], after, others)[0]).toBe('leave');
});

test('each list goes its own way', () => {
  const told = Object.fromEntries(
    [list(), list({ language: 'ru' })].map((one) => pass([one], {}, [])[1]).flatMap(Object.entries),
  ) as ToldCommands;
  const wanted = [list(), list({ scope: 'all_group_chats', language: 'de' })];
  expect(pendingLists(wanted, told).map(({ name, wanted: now }) => [name, now === undefined])).toEqual([
    ['all_group_chats de', false],
    ['default ru', true],
  ]);
});
