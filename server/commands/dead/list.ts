import { deadCount, listDead } from '../../domains/inbox/inbox.ts';
import { botNames, findBot } from '../../domains/ops/ops.ts';
import { defineCommand } from '../cli/command.ts';
import { ago, count, short, table } from '../cli/print.ts';
import { numberOf } from '../cli/values.ts';
import { botLabel, deadView } from './view.ts';

export const deadList = defineCommand({
  name: 'dead list',
  summary: 'Lists updates that were given up, newest first',
  details: ['An update is given up when handling it has failed again and again. It is kept until you decide.'],
  args: [],
  options: {
    bot: { type: 'text', value: 'BOT', about: 'only those of this bot' },
    limit: { type: 'text', value: 'NUMBER', about: 'how many at most; 50 when absent' },
  },
  json: true,
  async run({ options, answer, installation, kit }) {
    const limit = options.limit === undefined ? 50 : numberOf(options.limit, '--limit', 10_000);
    const { db } = await installation();
    const bot = options.bot === undefined ? undefined : await findBot(db, options.bot);
    const rows = await listDead(db, { limit, integrationId: bot?.id ?? null });
    const names = await botNames(
      db,
      rows.map((row) => row.integration_id),
    );
    const total = (await deadCount(db))?.dead ?? 0;
    const lines = rows.map((row) => {
      const name = names.get(row.integration_id);
      return [
        botLabel(name, row.integration_id),
        row.key,
        ago(row.done_at, kit.now()),
        String(row.attempts),
        short(row.error ?? '', 80),
      ];
    });
    answer(
      { dead: rows.map((row) => deadView(row, names.get(row.integration_id))), total },
      rows.length === 0
        ? ['There are no dead letters: nothing was given up.']
        : [
            ...table([['BOT', 'KEY', 'GIVEN UP', 'ATTEMPTS', 'ERROR'], ...lines]),
            `${count(total, 'dead letter')} in all. To try one again: roost dead retry BOT KEY`,
          ],
    );
  },
});
