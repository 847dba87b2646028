import { botNames } from '../../domains/ops/ops.ts';
import { adviceOn, listLost } from '../../domains/outbox/outbox.ts';
import { defineCommand } from '../cli/command.ts';
import { count, moment, plain } from '../cli/print.ts';
import { numberOf } from '../cli/values.ts';
import { botLabel } from '../dead/view.ts';

export const lostList = defineCommand({
  name: 'lost list',
  summary: 'Lists why messages were refused for good, with what to do',
  details: [
    'Telegram does not take these messages whatever is done with them, and no exit of a flow heard of it. They are counted',
    'for a bot by the reason, in the words of Telegram. What was not refused again for 90 days goes by itself.',
  ],
  args: [],
  options: { limit: { type: 'text', value: 'NUMBER', about: 'how many reasons at most; 50 when absent' } },
  json: true,
  async run({ options, answer, installation }) {
    const limit = options.limit === undefined ? 50 : numberOf(options.limit, '--limit', 10_000);
    const { db } = await installation();
    const rows = await listLost(db, { limit });
    const names = await botNames(
      db,
      rows.map((row) => row.integration_id),
    );
    const lost = rows.map((row) => ({
      bot: names.get(row.integration_id)?.publicId ?? null,
      username: names.get(row.integration_id)?.username ?? null,
      messages: row.messages,
      chatId: row.chat_id,
      method: row.method,
      words: row.words,
      advice: adviceOn(row),
      firstAt: row.first_at,
      lastAt: row.last_at,
    }));
    const lines = rows.flatMap((row, index) => [
      `${botLabel(names.get(row.integration_id), row.integration_id)}: ${count(row.messages, 'message')}, the last ${moment(row.last_at)} to chat ${row.chat_id} (${row.method})`,
      `  Telegram: ${row.words}`,
      `  ${lost[index]?.advice}`,
    ]);
    answer(
      { lost },
      rows.length === 0 ? ['There are none: every message was taken, or its flow heard why not.'] : lines.map(plain),
    );
  },
});
