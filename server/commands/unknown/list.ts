import { botNames } from '../../domains/ops/ops.ts';
import { listUnknown, unknownCount } from '../../domains/outbox/outbox.ts';
import { defineCommand } from '../cli/command.ts';
import { count, moment, short, table } from '../cli/print.ts';
import { numberOf } from '../cli/values.ts';
import { botLabel } from '../dead/view.ts';

export const unknownList = defineCommand({
  name: 'unknown list',
  summary: 'Lists messages of which nobody knows whether they arrived',
  details: [
    "When Telegram's answer to a send is lost, the message is sent once more; when that answer is lost too, it",
    'stands here. It may have arrived once, twice or never: Telegram offers no way to find out.',
  ],
  args: [],
  options: { limit: { type: 'text', value: 'NUMBER', about: 'how many at most; 50 when absent' } },
  json: true,
  async run({ options, answer, installation }) {
    const limit = options.limit === undefined ? 50 : numberOf(options.limit, '--limit', 10_000);
    const { db } = await installation();
    const rows = await listUnknown(db, { limit });
    const total = (await unknownCount(db))?.unknown ?? 0;
    const names = await botNames(
      db,
      rows.map((row) => row.integration_id),
    );
    const messages = rows.map((row) => ({
      bot: names.get(row.integration_id)?.publicId ?? null,
      username: names.get(row.integration_id)?.username ?? null,
      key: row.key,
      chatId: row.chat_id,
      method: row.method,
      createdAt: row.created_at,
      error: row.error,
    }));
    const lines = rows.map((row) => [
      botLabel(names.get(row.integration_id), row.integration_id),
      String(row.chat_id),
      row.method,
      moment(row.created_at),
      short(row.error ?? '', 60),
    ]);
    answer(
      { unknown: messages, total },
      rows.length === 0
        ? ['There are none: of every message it is known what became of it.']
        : [...table([['BOT', 'CHAT', 'METHOD', 'MADE', 'LAST ERROR'], ...lines]), `${count(total, 'message')} in all.`],
    );
  },
});
