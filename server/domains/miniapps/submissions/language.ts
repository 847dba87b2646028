// The language that somebody has chosen in the app, told to the bot.
import { shortName } from '../../../../kernel/names.ts';
import type { BotEntry } from '../../bots/bots.ts';
import { insertEvents } from '../../inbox/inbox.ts';
import type { Visitor } from '../visitors/visitor.ts';
import { languageBody } from './event-body.ts';
import type { SubmitDeps } from './submit.ts';

/** Puts it into the visitor's lane, behind what they have sent before; the chat goes on in this language. */
export async function chooseLanguage(
  deps: Pick<SubmitDeps, 'kit' | 'db' | 'eventsStored'>,
  bot: Pick<BotEntry, 'id' | 'bucket'>,
  visitor: Visitor,
  locale: string,
): Promise<void> {
  const key = shortName(`${visitor.id} language ${locale} ${deps.kit.now()}`);
  const body = languageBody(visitor, locale);
  const row = { integrationId: bot.id, bucket: bot.bucket, lane: visitor.lane, key: `app:${key}`, body };
  await deps.db.tx((tx) => insertEvents(tx, [row]));
  deps.eventsStored([bot.id]);
}
