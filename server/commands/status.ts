import type { RoleName } from '../../kernel/config.ts';
import { roleNames } from '../../kernel/config-table.ts';
import type { Db } from '../../kernel/db.ts';
import { checkBots } from '../domains/bots/health.ts';
import { deadCount, pendingFigures } from '../domains/inbox/inbox.ts';
import { listNotices, type Notice } from '../domains/notices/notices.ts';
import { countBots, countParks, isDatabaseFull, listProcesses, type Process } from '../domains/ops/ops.ts';
import { isTheirChoice, lostCounts, openFigures, unknownCount } from '../domains/outbox/outbox.ts';
import { defineCommand } from './cli/command.ts';
import { ago, count, duration, plain, short } from './cli/print.ts';

/** Rows that are looked at for a depth: a queue longer than this is "more than". */
const depthMax = 100_000;

type Figures = {
  processes: Process[];
  bots: Record<string, number>;
  inbox: { depth: number; oldestSeconds: number };
  outbox: { depth: number; oldestSeconds: number };
  parked: number;
  dead: number;
  /** Of the dead: bodies that are no JSON. */
  unreadable: number;
  unknown: number;
  /** Refused for good; `theirChoice` of them by people who have blocked a bot or left Telegram. */
  lost: { messages: number; theirChoice: number };
  notices: Notice[];
  /** What is wrong with bots, a sentence each. */
  troubles: string[];
  diskFull: boolean;
};

export const status = defineCommand({
  name: 'status',
  summary: 'Shows on one screen how it goes',
  details: [
    'Ends with 1 when something needs you: a role without a process, a full disk, dead letters, unknown sends, refused messages, bots with a refused token or a webhook problem, or notices.',
  ],
  args: [],
  options: {},
  json: true,
  async run({ answer, installation, kit }) {
    const { db } = await installation();
    const figures = await readFigures(db);
    const wants = wanted(figures);
    answer({ ok: wants.length === 0, ...figures, depthMax, wants }, lines(figures, wants, kit.now()));
    return wants.length === 0 ? 0 : 1;
  },
});

async function readFigures(db: Db): Promise<Figures> {
  const [processes, bots, inbox, outbox, parked, dead, unknown, lost, notices, diskFull, checks] = await Promise.all([
    listProcesses(db),
    countBots(db),
    pendingFigures(db, depthMax),
    openFigures(db, depthMax),
    countParks(db),
    deadCount(db),
    unknownCount(db),
    lostCounts(db),
    listNotices(db),
    isDatabaseFull(db),
    checkBots(db),
  ]);
  const queue = (row: { depth: number; oldest_age_seconds: number | null } | undefined) => ({
    depth: row?.depth ?? 0,
    oldestSeconds: row?.oldest_age_seconds ?? 0,
  });
  return {
    processes,
    bots,
    inbox: queue(inbox),
    outbox: queue(outbox),
    parked,
    dead: dead?.dead ?? 0,
    unreadable: dead?.unreadable ?? 0,
    unknown: unknown?.unknown ?? 0,
    lost: { messages: sumOf(lost), theirChoice: sumOf(lost.filter(({ reason }) => isTheirChoice(reason))) },
    notices,
    diskFull,
    troubles: checks.flatMap(({ isFine, message }) => (isFine ? [] : [message])),
  };
}

const sumOf = (counts: readonly { messages: number }[]): number =>
  counts.reduce((sum, { messages }) => sum + messages, 0);

/** What happens while no process has a role. */
const withoutRole: Readonly<Record<RoleName, string>> = {
  edge: 'Telegram cannot deliver, and no app opens',
  core: 'updates are stored and not answered',
  control: 'webhooks are not looked after, and nothing old is removed',
};

/** What needs somebody, a sentence each. */
function wanted(figures: Figures): string[] {
  const alive = figures.processes.filter((process) => process.fresh);
  const roles = new Set(alive.flatMap((process) => process.roles));
  const wants: string[] = [];
  if (figures.diskFull)
    wants.push(
      'The disk of the database is full: no update can be stored. Telegram keeps them for a day. Free some space.',
    );
  if (alive.length === 0) wants.push('Nothing is running. Start it: roost start, or roost serve.');
  else
    for (const role of roleNames.filter((name) => !roles.has(name)))
      wants.push(`No process has the role ${role}: ${withoutRole[role]}. Start one: roost serve --roles ${role}`);
  for (const process of figures.processes.filter((each) => !each.fresh)) {
    // Only a process that lives can take anything over.
    const next = alive.length === 0 ? 'its work waits for a process.' : 'its work is taken over within seconds.';
    wants.push(`Process ${process.pid} on ${process.host} has not been heard of; ${next}`);
  }
  if (figures.dead > 0)
    wants.push(`${count(figures.dead, 'update')} ${figures.dead === 1 ? 'was' : 'were'} given up: roost dead list`);
  if (figures.unreadable > 0)
    wants.push(
      `${count(figures.unreadable, 'update')} of these could not be read: something before this server changes what Telegram sends.`,
    );
  if (figures.unknown > 0)
    wants.push(`Of ${count(figures.unknown, 'message')} nobody knows whether they arrived: roost unknown list`);
  const refused = figures.lost.messages - figures.lost.theirChoice;
  if (refused > 0)
    wants.push(
      `${count(refused, 'message')} ${refused === 1 ? 'was' : 'were'} refused by Telegram for good: roost lost list`,
    );
  wants.push(...figures.troubles);
  if (figures.notices.length > 0) wants.push(`${count(figures.notices.length, 'notice')} above.`);
  return wants;
}

function lines(figures: Figures, wants: readonly string[], nowMs: number): string[] {
  const bots = Object.entries(figures.bots)
    .map(([state, bots]) => `${bots} ${state.replace('_', ' ')}`)
    .join(', ');
  return [
    ...figures.processes.map((process, index) => fact(index === 0 ? 'Processes' : '', processLine(process, nowMs))),
    ...(figures.processes.length === 0 ? [fact('Processes', 'none')] : []),
    fact('Bots', bots || 'none; connect one: roost bot connect --project PROJECT --token TOKEN'),
    fact('Inbox', queueLine(figures.inbox, 'update')),
    fact('Outbox', queueLine(figures.outbox, 'message')),
    fact(
      'Told to wait',
      figures.parked === 0 ? 'nobody' : `${count(figures.parked, 'bot or chat', 'bots or chats')}, by Telegram`,
    ),
    fact('Dead letters', deadLine(figures)),
    fact('Unknown sends', figures.unknown === 0 ? 'none' : String(figures.unknown)),
    fact('Refused', lostLine(figures.lost)),
    ...figures.notices.flatMap((notice, index) => [
      fact(
        index === 0 ? 'Notices' : '',
        `${plain(notice.subject)}: ${short(notice.message, 200)} (${ago(notice.openedAt, nowMs)})`,
      ),
    ]),
    '',
    ...(wants.length === 0 ? [restLine(figures.lost)] : wants.map(plain)),
  ];
}

function deadLine({ dead, unreadable }: Figures): string {
  if (dead === 0) return 'none';
  return unreadable === 0 ? String(dead) : `${dead}, of them unreadable: ${unreadable}`;
}

/** Nothing is wanted of anybody; but what was lost is never well. */
function restLine({ messages }: Figures['lost']): string {
  return messages === 0 ? 'All is well.' : 'Nothing needs you. What people did not get: roost lost list';
}

function lostLine({ messages, theirChoice }: Figures['lost']): string {
  if (messages === 0) return 'none';
  return theirChoice === 0
    ? count(messages, 'message')
    : `${count(messages, 'message')}, ${theirChoice} of them to people who have blocked a bot or left Telegram`;
}

const fact = (name: string, value: string): string => `${(name === '' ? '' : `${name}:`).padEnd(15)}${value}`;

function processLine(process: Process, nowMs: number): string {
  const buckets = process.roles.includes('core') ? `, ${process.buckets} of 256 buckets` : '';
  const up = duration((nowMs - process.startedAt.getTime()) / 1000);
  // What follows the name tells boots and containers apart, for processes only.
  const [host = ''] = process.host.split('/');
  return plain(
    `${process.roles.join('+')} on ${host}, pid ${process.pid}, up ${up}${buckets}${process.fresh ? '' : ', SILENT'}`,
  );
}

function queueLine(queue: { depth: number; oldestSeconds: number }, word: string): string {
  if (queue.depth === 0) return 'empty';
  const depth = queue.depth >= depthMax ? `more than ${count(depthMax, word)}` : count(queue.depth, word);
  return `${depth} waiting, the oldest for ${duration(queue.oldestSeconds)}`;
}
