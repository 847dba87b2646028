import { listBots } from '../../domains/bots/bots.ts';
import { defineCommand } from '../cli/command.ts';
import { count, short, table } from '../cli/print.ts';
import { numberOf } from '../cli/values.ts';
import { stateOf } from './view.ts';

const botsMax = 10_000;

export const botList = defineCommand({
  name: 'bot list',
  summary: 'Lists the connected bots',
  args: [],
  options: {
    project: { type: 'text', value: 'PROJECT', about: 'only those of this project' },
    all: { type: 'flag', about: 'also those that were disconnected' },
    limit: { type: 'text', value: 'NUMBER', about: 'how many at most; 100 when absent' },
  },
  json: true,
  async run({ options, answer, installation }) {
    const limit = options.limit === undefined ? 100 : numberOf(options.limit, '--limit', botsMax);
    const { bots: deps } = await installation();
    // One more than is shown tells whether there are more.
    const found = await listBots(deps(), {
      withDisconnected: options.all,
      limit: limit + 1,
      ...(options.project === undefined ? {} : { project: options.project }),
    });
    const bots = found.slice(0, limit);
    const rows = bots.map((bot) => [
      `@${bot.username}`,
      bot.publicId,
      bot.project,
      stateOf(bot),
      bot.receives ?? '-',
      short(bot.webhookProblem ?? '', 60),
    ]);
    answer(
      { bots, more: found.length > limit },
      rows.length === 0
        ? ['No bot is connected.', 'Connect one: roost bot connect --project PROJECT --token TOKEN']
        : [
            ...table([['BOT', 'ID', 'PROJECT', 'STATE', 'UPDATES', 'PROBLEM'], ...rows]),
            ...(found.length > limit ? [`Only the first ${count(limit, 'bot')}; more with --limit.`] : []),
          ],
    );
  },
});
