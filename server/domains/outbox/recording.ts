// Statements that write down what came of calls.
import type { Queryable, Tx } from '../../../kernel/db.ts';
import { redact } from '../../../kernel/redact.ts';
import { insertEvents } from '../inbox/inbox.ts';
import type { Consequence, Finding, NewEvent } from './consequences.ts';
import { lossMethods, recordLosses } from './losses/sql.ts';
import * as statements from './sql.ts';

/** A message that is lost for good, for whoever tells the operator. */
export type Loss = { integrationId: number; chatId: number; method: string; reason: string; words: string };

export const nameOf = (message: { integrationId: number; key: string }): string =>
  `${message.integrationId} ${message.key}`;

/** A message that never reached anybody and that no exit of the flow hears of. What is no message is no loss. */
export const isLoss = ({ message, decision }: Finding): boolean =>
  decision.state === 3 && message.report === null && decision.unwanted !== true && lossMethods.test(message.method);

function toResult({ message, token, decision, messageId }: Finding): statements.Result {
  return {
    integrationId: message.integrationId,
    key: message.key,
    token,
    state: decision.state,
    doubts: decision.doubts,
    messageId,
    error: decision.error === null ? null : storable(redact(decision.error)),
    pauseMs: decision.pauseMs,
  };
}

export function lossOf({ message, decision }: Finding): Loss {
  const { integrationId, chatId, method } = message;
  const words = storable(redact(decision.error ?? ''));
  return { integrationId, chatId, method, reason: decision.unreachable ?? words, words };
}

/** Results with nothing in them that came from outside. */
export const recordBare = (db: Queryable, findings: readonly Finding[]): Promise<RowName[]> =>
  statements.recordResults(db, findings.map(bareResult));

const bareResult = (finding: Finding): statements.Result => ({
  ...toResult(finding),
  messageId: null,
  error: 'What Telegram answered could not be written down.',
  pauseMs: Math.min(finding.decision.pauseMs, 60_000),
});

/** PostgreSQL holds no zero byte. */
const storable = (text: string): string => text.replaceAll('\0', '').slice(0, 500);

/** Results as they are; those of messages that are lost are counted with them, in the same statement. */
export async function recordAll(db: Queryable, findings: readonly Finding[]): Promise<RowName[]> {
  const ordinary = findings.filter((finding) => !isLoss(finding));
  const rows = ordinary.length > 0 ? await statements.recordResults(db, ordinary.map(toResult)) : [];
  for (const [reason, lost] of Map.groupBy(findings.filter(isLoss), ({ decision }) => decision.unreachable ?? null))
    rows.push(...(await recordLosses(db, lost.map(toResult), reason)));
  return rows;
}

/** Results and everything that follows from them, in one transaction; nothing follows where the row is not ours. */
export async function recordWithConsequences(
  tx: Tx,
  known: readonly Consequence[],
  findings: readonly Finding[],
): Promise<RowName[]> {
  const concerned = known.flatMap((one) => {
    const some = findings.filter(one.concerns);
    return some.length > 0 ? [{ one, some }] : [];
  });
  for (const { one, some } of concerned) await one.lock?.(tx, some);
  const rows = await recordAll(tx, findings);
  const kept = new Set(rows.map((row) => `${row.integration_id} ${row.key}`));
  const events: NewEvent[] = [];
  for (const { one, some } of concerned) {
    const standing = some.filter(({ message }) => kept.has(nameOf(message)));
    if (standing.length > 0) events.push(...(await one.write(tx, standing)));
  }
  if (events.length > 0) await insertEvents(tx, events);
  return rows;
}

export type RowName = { integration_id: number; key: string };
