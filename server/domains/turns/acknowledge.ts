import type { Db } from '../../../kernel/db.ts';
import type { Kit } from '../../../kernel/kit.ts';
import type { BotEntry } from '../bots/bots.ts';
import { buttonInfo, type CompiledRelease, localeOf, outOfDate } from '../flow/flow.ts';
import type { Incoming } from '../inbox/inbox.ts';
import type { UrgentCall } from '../outbox/outbox.ts';
import { findButton, type PressMint } from './presses.ts';
import { findPresses } from './sql.ts';

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
  drained(): Promise<void>;
};

/** Acknowledgements under way at once; more presses than that are answered by nobody and pressed again. */
const inHandMax = 500;
/** Telegram cancels a payment whose pre-checkout query has no answer after ten seconds. */
const checkoutMsMax = 8_000;
/** The person sees a waiting button meanwhile; later nobody looks any more. */
const pressMsMax = 1_200;

/**
 * The fast lane. A press is acknowledged as soon as it is stored, whatever the queue holds: with the button's
 * published answer, or with "out of date" where the button is used up or not ours. A button whose flow answers
 * later is left to its turn. A pre-checkout query is refused in time, since nothing is sold yet: on doubt, no money.
 */
export function createAcknowledger(deps: AcknowledgeDeps): Acknowledger {
  const { kit } = deps;
  const inHand = new Set<Promise<void>>();

  function take(rows: readonly Incoming[]): void {
    for (const row of rows) {
      if (row.kind !== 'callback_query' && row.kind !== 'pre_checkout_query') continue;
      if (inHand.size >= inHandMax) continue;
      const work = acknowledge(deps, row).catch((error) =>
        kit.log.warn({ err: error, kind: row.kind }, 'acknowledge.failed'),
      );
      inHand.add(work);
      void work.finally(() => inHand.delete(work));
    }
  }

  return { take, drained: async () => void (await Promise.all(inHand)) };
}

async function acknowledge(deps: AcknowledgeDeps, row: Incoming): Promise<void> {
  const bot = deps.bots.byId(row.integrationId);
  if (!bot) return;
  const query = (row.update as Record<string, Query | undefined>)[row.kind];
  const id = query?.id;
  if (query === undefined || (typeof id !== 'string' && typeof id !== 'number')) return;
  if (row.kind === 'pre_checkout_query') return refuseCheckout(deps, bot, String(id), query);
  const answer = await answerOf(deps, bot, query);
  if (!answer) return;
  const params = {
    callback_query_id: String(id),
    ...(answer.text ? { text: answer.text, ...(answer.alert ? { show_alert: true } : {}) } : {}),
  };
  await deps.call(bot, { method: 'answerCallbackQuery', params: JSON.stringify(params), withinMs: pressMsMax });
}

type Query = { id?: unknown; data?: unknown; from?: { language_code?: unknown } };

/** What a press is answered with; undefined leaves it to the turn. */
async function answerOf(
  deps: AcknowledgeDeps,
  bot: BotEntry,
  query: Query,
): Promise<{ text?: string; alert?: boolean } | undefined> {
  const { releases, mint, db, kit } = deps;
  const number = bot.project.releaseNumber;
  if (number === null) return {};
  const current = await releases.get(bot.project.id, number);
  const language = typeof query.from?.language_code === 'string' ? query.from.language_code : '';
  const locale = localeOf(current, null, language);
  const data = typeof query.data === 'string' ? query.data : '';
  const press = mint.open(bot, data, kit.now());
  const maker =
    press && (press.releaseNumber === number ? current : await existing(releases, bot, press.releaseNumber));
  const place = press && maker && findButton(maker, press.button);
  const info = place && maker ? buttonInfo(maker, place.block, place.button) : null;
  // A button of somebody else's making that the flow listens to is only acknowledged.
  if (!info || !maker) return listensTo(current, data) ? {} : { text: outOfDate(current, locale) };
  if (info.answersLater) return undefined;
  if (!info.repeats && (await findPresses(db, [{ integrationId: bot.id, token: data }])).length > 0)
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

async function refuseCheckout(deps: AcknowledgeDeps, bot: BotEntry, id: string, query: Query): Promise<void> {
  const russian = typeof query.from?.language_code === 'string' && query.from.language_code.startsWith('ru');
  const params = {
    pre_checkout_query_id: id,
    ok: false,
    error_message: russian
      ? 'Этот бот пока не принимает оплату. Деньги не списаны.'
      : 'This bot does not take payments yet. Nothing was charged.',
  };
  await deps.call(bot, { method: 'answerPreCheckoutQuery', params: JSON.stringify(params), withinMs: checkoutMsMax });
}
