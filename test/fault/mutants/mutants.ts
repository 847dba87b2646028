import { ofApps } from './apps.ts';

/** A guard, how it is broken, and the tests that must go red then. */
export type Mutant = {
  readonly name: string;
  /** What the guard prevents. */
  readonly guard: string;
  readonly edits: readonly { readonly file: string; readonly from: string; readonly to: string }[];
  readonly test: string;
  /** Part of the test's name. */
  readonly only?: string;
};

const nodes = 'server/domains/nodes';
const inbox = 'server/domains/inbox';
const turns = 'server/domains/turns';
const outbox = 'server/domains/outbox';

export const mutants: readonly Mutant[] = [
  {
    name: 'bucket-fence',
    guard: 'An owner whose bucket was taken over commits nothing any more.',
    edits: [
      {
        file: `${nodes}/sql.ts`,
        from: 'select must((select count(*) from held) = ',
        to: 'select must((select count(*) from held) <= ',
      },
    ],
    // The guards of what is written hold the same chats together a second time, so only the fence's own test sees it.
    test: 'server/domains/nodes/nodes',
  },
  {
    name: 'receiver-fence',
    guard: 'A receiver that was ended stores nothing any more.',
    edits: [
      {
        file: `${inbox}/sql.ts`,
        from: "), fenced as materialized (\n      select must((select count(*) from me) = 1, 'receiver')\n    )\n    insert into inbox (integration_id, bucket, lane, key, body)\n    select u.",
        to: "), fenced as materialized (\n      select must((select count(*) from me) >= 0, 'receiver')\n    )\n    insert into inbox (integration_id, bucket, lane, key, body)\n    select u.",
      },
    ],
    test: 'test/fault/freeze',
    only: 'a receiver',
  },
  {
    name: 'sole-receiver',
    guard: 'With several receivers the table orders, not the memory of one of them.',
    edits: [{ file: `${turns}/scheduler.ts`, from: 'else if (!sole || !this.#reader', to: 'else if (!this.#reader' }],
    test: 'test/fault/receivers',
  },
  {
    name: 'attempt-mark',
    guard: 'After a death the heads of lanes are marked before they run again.',
    edits: [
      {
        file: `${turns}/scheduler.ts`,
        from: 'const verdicts = await runner.markSuspects(suspects);',
        to: "const verdicts = suspects.map(() => 'may run' as const);",
      },
    ],
    test: 'test/fault/poison',
  },
  {
    name: 'completion-guard',
    guard: 'A turn that was committed already is not committed again.',
    edits: [
      {
        file: `${inbox}/sql.ts`,
        from: 'where i.integration_id = u.integration_id and i.key = u.key and i.done_at is null\n      returning 1',
        to: 'where i.integration_id = u.integration_id and i.key = u.key\n      returning 1',
      },
    ],
    test: 'test/fault/database',
    only: 'turns committed',
  },
  {
    name: 'single-use-token',
    guard: 'A button that works once works once.',
    edits: [
      {
        file: `${turns}/prepare.ts`,
        from: 'const used = await usedPresses(deps.db, opened);',
        to: 'const used = new Set<string>();',
      },
      {
        file: `${turns}/sql.ts`,
        from: 'select must((select count(*) from used) = ',
        to: 'select must((select count(*) from used) <= ',
      },
    ],
    test: 'test/fault/points',
    only: 'ack-before-call',
  },
  {
    name: 'sending-mark',
    guard: 'A message is marked as being sent before it is called.',
    edits: [
      {
        file: `${outbox}/sql.ts`,
        from: 'u.report, u.state, u.owner_token,',
        to: 'u.report, case u.state when 1 then 0 else u.state end, null::bigint,',
      },
    ],
    test: 'test/fault/points',
    only: 'send-after-call',
  },
  {
    name: 'one-in-hand',
    guard: 'A chat has one message in hand at a time.',
    edits: [
      {
        file: `${outbox}/lines.ts`,
        from: 'if (!head || this.inHand || this.stored) return',
        to: 'if (!head || this.stored) return',
      },
      { file: `${outbox}/sender.ts`, from: 'if (!chat.idle || chat.claimed > 0 || ', to: 'if (' },
    ],
    test: 'test/fault/telegram',
    only: 'Telegram answers badly',
  },
  {
    name: 'bot-pace',
    guard: '30 messages a second a bot.',
    edits: [
      {
        file: `${outbox}/pacing.ts`,
        from: 'return this.#window.freeAtMs(allowed, places);',
        to: 'return Number.NEGATIVE_INFINITY;',
      },
    ],
    test: 'test/fault/limits',
  },
  {
    name: 'chat-pace',
    guard: 'A message a second a chat, after a burst; 20 a minute a group.',
    edits: [
      {
        file: `${outbox}/pacing.ts`,
        from: 'const spaced = this.#earliestMs - (chatBurst - 1) * chatSpacingMs;',
        to: 'const spaced = Number.NEGATIVE_INFINITY;',
      },
    ],
    test: 'test/fault/limits',
  },
  {
    name: 'pace-through-takeover',
    guard: 'A new owner counts what the last one has sent.',
    edits: [
      { file: `${outbox}/worker.ts`, from: 'for (const row of sends) {', to: 'for (const row of sends.slice(0, 0)) {' },
    ],
    test: 'server/domains/outbox/guards',
  },
  {
    name: 'dedupe-key',
    guard: 'The same update has the same key, however often it comes.',
    edits: [
      {
        file: `${inbox}/rules.ts`,
        from: 'return { key: keyOf(bag?.update_id, read),',
        to: 'return { key: String(Math.random()).slice(2),',
      },
    ],
    test: 'test/fault/points',
    only: 'intake-after-commit',
  },
  {
    name: 'doubts-bound',
    guard: 'A message whose answer was lost is sent once more, and not a third time.',
    edits: [
      { file: `${outbox}/rules.ts`, from: 'return lost >= 2', to: 'return lost >= 3' },
      { file: `${outbox}/rules.ts`, from: 'state: 0, doubts: lost,', to: 'state: 0, doubts: Math.min(2, lost),' },
    ],
    test: 'test/fault/telegram',
    only: 'two answers lost',
  },
  {
    name: 'zombie-call',
    guard: 'A process that wakes after its lease makes no call that it had begun to prepare.',
    edits: [
      {
        file: `${outbox}/caller.ts`,
        from: 'if (node.token(message.bucket) !== token) return undefined;\n      const options = { startByMs: node.validUntilMs(),',
        to: 'const options = { startByMs: Number.POSITIVE_INFINITY,',
      },
    ],
    test: 'server/domains/outbox/guards',
  },
  {
    name: 'orphans',
    guard: 'A message that a lost commit left as being sent is found and freed.',
    edits: [
      {
        file: `${outbox}/worker.ts`,
        from: 'if (token === node.token(row.bucket)) orphans.push({ integrationId, key, token, tries });\n      else if',
        to: 'if (token === node.token(row.bucket)) continue;\n      if',
      },
    ],
    test: 'test/fault/database',
    only: 'turns committed',
  },
  {
    name: 'perhaps-marked',
    guard: 'A mark whose answer was lost is made again.',
    edits: [{ file: `${outbox}/marker.ts`, from: 'message.perhapsMarked = true;', to: '' }],
    test: 'server/domains/outbox/guards',
  },
  {
    name: 'read-before-new',
    guard: 'After a takeover nothing new of a chat is sent before what waits there was read.',
    edits: [
      {
        file: `${outbox}/worker.ts`,
        from: 'sender.book.line(bot.integration_id, bot.bucket).fallBehind();',
        to: 'sender.book.line(bot.integration_id, bot.bucket);',
      },
    ],
    test: 'server/domains/outbox/guards',
  },
  {
    name: 'known-to-all-owners',
    guard: 'A bucket is worked on only after everybody in the process has learnt of it.',
    edits: [
      {
        file: `${nodes}/nodes.ts`,
        from: '&& !this.#departures.has(bucket) && !this.#arriving.has(bucket)',
        to: '&& !this.#departures.has(bucket)',
      },
    ],
    test: 'server/domains/nodes/faults',
  },
  {
    name: 'claim-without-answer',
    guard: 'Buckets that are ours without our knowing are found again.',
    edits: [
      {
        file: `${nodes}/sql.ts`,
        from: 'or b.owner = ',
        to: 'or false and b.owner = ',
      },
    ],
    test: 'test/fault/database',
    only: 'buckets claimed',
  },
  {
    name: 'hold-of-its-own',
    guard: 'A turn that is run again does not let go of the message that is being sent.',
    edits: [{ file: `${outbox}/book.ts`, from: 'held.holders -= 1;', to: 'held.holders = 0;' }],
    test: 'server/domains/outbox/guards',
  },
  {
    name: 'late-freeing',
    guard: 'A freeing that arrives late leaves alone what was marked anew.',
    edits: [{ file: `${outbox}/sql.ts`, from: ' and o.tries = u.tries\n', to: '\n' }],
    test: 'server/domains/outbox/sql',
  },
  {
    name: 'receiver-opens',
    guard: 'What was asked under a lease that lapsed opens no receiver under the next one.',
    edits: [
      {
        file: `${nodes}/nodes.ts`,
        from: 'if (!this.#isStill(id) || (row && row.behind > 0))',
        to: 'if (row && row.behind > 0)',
      },
    ],
    test: 'server/domains/nodes/faults',
    only: 'opens nothing',
  },
  {
    name: 'question-alone',
    guard: 'What Telegram answers about the chat that a question names is not done to the person’s chat.',
    edits: [
      {
        file: `${turns}/writes/messages.ts`,
        from: '...message(setting, effect, loneLine(effect.key)),\n      method: effect.method,',
        to: '...message(setting, effect, conversation.chatId),\n      method: effect.method,',
      },
    ],
    test: 'test/flows/refusals',
    only: 'the bot may not see',
  },
  {
    name: 'album-places',
    guard: 'An album counts as all of its items.',
    edits: [
      { file: `${outbox}/pacing.ts`, from: "return method === 'sendMediaGroup' ?", to: "return method === '' ?" },
    ],
    test: 'server/domains/outbox/lines',
  },
  ...ofApps,
];
