import type { Db } from '../../../kernel/db.ts';
import type { Kit } from '../../../kernel/kit.ts';
import type { BotEntry } from '../bots/bots.ts';
import { buttonInfo, type CompiledRelease, localeOf, outOfDate } from '../flow/flow.ts';
import type { Incoming } from '../inbox/inbox.ts';
import type { UrgentCall, UrgentEnd, UrgentKind } from '../outbox/outbox.ts';
import { AnswerEnds, InHand } from './answer-ends.ts';
import { findButton, type PressMint } from './presses.ts';
import { findEarlierPress } from './sql.ts';

export type AcknowledgeDeps = {
  kit: Kit;
  db: Db;
  call: UrgentCall;
  bots: { byId(id: number): BotEntry | undefined };
  releases: { get(projectId: number, number: number): CompiledRelease | Promise<CompiledRelease> };
  mint: PressMint;
};

export type Acknowledger = {
  /**
   * Answers presses and checkouts among what has just been stored, and among repeats: a process that died between
   * storing and answering has acknowledged nothing, and Telegram delivers again. Never waits, never throws.
   */
  take(rows: readonly Incoming[]): void;
  /** How they ended, by kind and result: `press answered`. */
  readonly counts: Readonly<Record<string, number>>;
  drained(): Promise<void>;
};

/**
 * Answers under way at once, those that wait for a place or for their next try included. Each kind has its own: no
 * number of presses keeps a checkout out. A few hundred bytes each. Beyond it they are answered by nobody, which is
 * counted and logged; a press is made again, a payment is cancelled by Telegram.
 */
const inHandMax: Readonly<Record<UrgentKind, { all: number; ofBot: number }>> = {
  press: { all: 4_000, ofBot: 500 },
  checkout: { all: 1_000, ofBot: 125 },
};

const kinds: Readonly<Record<string, UrgentKind>> = { callback_query: 'press', pre_checkout_query: 'checkout' };

/** What an answer needs of its update, which is not kept meanwhile. */
type Query = {
  kind: UrgentKind;
  botId: number;
  /** Of the update. */
  key: string;
  id: string;
  data: string;
  language: string;
  sinceMs: number;
};

/**
 * The fast lane. A press is acknowledged as soon as it is stored, whatever the queue holds: with the button's
 * published answer, or with "out of date" where the button is used up or not ours. A button whose flow answers
 * later is left to its turn. A pre-checkout query is refused in time, since nothing is sold yet: on doubt, no money.
 */
export function createAcknowledger(deps: AcknowledgeDeps): Acknowledger {
  const { kit } = deps;
  const ends = new AnswerEnds(kit);
  const inHand = { press: new InHand(inHandMax.press), checkout: new InHand(inHandMax.checkout) };

  async function answer(query: Query): Promise<void> {
    try {
      const end = await acknowledge(deps, query);
      if (end) ends.add(query.kind, end.result, end.reason);
    } catch (error) {
      ends.add(query.kind, 'failed', error);
    }
  }

  function take(rows: readonly Incoming[]): void {
    for (const row of rows) {
      const query = readQuery(row, kit.monotonicMs());
      if (!query) continue;
      const { kind, botId } = query;
      if (inHand[kind].hasRoom(botId)) inHand[kind].add(botId, answer(query));
      else ends.add(kind, 'skipped', 'Too many are under way.');
    }
  }

  return {
    take,
    counts: ends.counts,
    drained: async () => {
      await Promise.all([inHand.press.ended(), inHand.checkout.ended()]);
      ends.tell();
    },
  };
}

function readQuery(row: Incoming, sinceMs: number): Query | undefined {
  const kind = kinds[row.kind];
  if (!kind) return undefined;
  const said = (row.update as Record<string, RawQuery | undefined>)[row.kind];
  const id = said?.id;
  if (said === undefined || (typeof id !== 'string' && typeof id !== 'number')) return undefined;
  const data = typeof said.data === 'string' ? said.data : '';
  const language = typeof said.from?.language_code === 'string' ? said.from.language_code : '';
  return { kind, botId: row.integrationId, key: row.key, id: String(id), data, language, sinceMs };
}

type RawQuery = { id?: unknown; data?: unknown; from?: { language_code?: unknown } };

/** Undefined where nobody is to be answered here. */
async function acknowledge(deps: AcknowledgeDeps, query: Query): Promise<UrgentEnd | undefined> {
  const bot = deps.bots.byId(query.botId);
  if (!bot) return undefined;
  const { kind, id, sinceMs } = query;
  if (kind === 'checkout') {
    const params = JSON.stringify({ pre_checkout_query_id: id, ok: false, error_message: nothingSold(query) });
    return deps.call(bot, { kind, method: 'answerPreCheckoutQuery', params, sinceMs });
  }
  const answer = await answerOf(deps, bot, query);
  if (!answer) return undefined;
  const params = JSON.stringify({
    callback_query_id: id,
    ...(answer.text ? { text: answer.text, ...(answer.alert ? { show_alert: true } : {}) } : {}),
  });
  return deps.call(bot, { kind, method: 'answerCallbackQuery', params, sinceMs });
}

/** What a press is answered with; undefined leaves it to the turn. */
async function answerOf(
  deps: AcknowledgeDeps,
  bot: BotEntry,
  { key, data, language }: Query,
): Promise<{ text?: string; alert?: boolean } | undefined> {
  const { releases, mint, db, kit } = deps;
  const number = bot.project.releaseNumber;
  if (number === null) return {};
  const current = await releases.get(bot.project.id, number);
  const locale = localeOf(current, null, language);
  const press = mint.open(bot, data, kit.now());
  const maker =
    press && (press.releaseNumber === number ? current : await existing(releases, bot, press.releaseNumber));
  const place = press && maker && findButton(maker, press.button);
  const info = place && maker ? buttonInfo(maker, place.block, place.button) : null;
  // A button of somebody else's making that the flow listens to is only acknowledged.
  if (!info || !maker) return listensTo(current, data) ? {} : { text: outOfDate(current, locale) };
  if (info.answersLater) return undefined;
  if (!info.repeats && (await findEarlierPress(db, { integrationId: bot.id, token: data, key })) !== undefined)
    return { text: outOfDate(current, locale) };
  return info.answer?.[localeOf(maker, null, language)] ?? {};
}

function listensTo(release: CompiledRelease, data: string): boolean {
  return Object.values(release.document.triggers).some((trigger) => {
    if (trigger.type !== 'button' || !('data' in trigger.props)) return false;
    const { data: wanted, match } = trigger.props;
    return match === 'startsWith' ? data.startsWith(wanted) : data === wanted;
  });
}

async function existing(
  releases: AcknowledgeDeps['releases'],
  bot: BotEntry,
  number: number,
): Promise<CompiledRelease | undefined> {
  try {
    return await releases.get(bot.project.id, number);
  } catch {
    return undefined;
  }
}

function nothingSold({ language }: Query): string {
  return language.startsWith('ru')
    ? 'Этот бот пока не принимает оплату. Деньги не списаны.'
    : 'This bot does not take payments yet. Nothing was charged.';
}
