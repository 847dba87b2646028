/** What an operator should know of, until it is over. Told once, however often it is found. */
import type { Queryable } from '../../../kernel/db.ts';
import { redact } from '../../../kernel/redact.ts';
import { insertNotice, type Notice, selectOpenNotices, updateNoticesClosed } from './sql.ts';

export type { Notice } from './sql.ts';

/** Kinds of notices on messages: some were refused for good, or went past a topic that is gone. */
export const lostKind = 'outbox.lost';
export const topicGoneKind = 'outbox.topic_gone';

const noticesMax = 100;
const messageCharsMax = 1_000;

/** What is open now, newest first. */
export function listNotices(db: Queryable): Promise<Notice[]> {
  return selectOpenNotices(db, noticesMax);
}

/** Tells the operator something; answers false when it was told before and is not over yet. Secrets are cut from the message. */
export async function openNotice(
  db: Queryable,
  notice: { kind: string; subject: string; message: string },
): Promise<boolean> {
  const message = redact(notice.message).slice(0, messageCharsMax);
  return (await insertNotice(db, { ...notice, message })) !== undefined;
}

/** Says of each of these kinds that it is over; answers false when nothing was open. */
export async function closeNotices(db: Queryable, kinds: readonly string[], subject: string): Promise<boolean> {
  return (await updateNoticesClosed(db, kinds, subject)) > 0;
}
