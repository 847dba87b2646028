import { Refusal } from '../../../kernel/errors.ts';
import { getProject } from '../../domains/projects/projects.ts';
import { appHints, hasPages } from '../app/view.ts';
import { defineCommand } from '../cli/command.ts';
import { numberOf } from '../cli/values.ts';
import { joinProject } from './join.ts';
import { botLines } from './view.ts';

export const botConnect = defineCommand({
  name: 'bot connect',
  summary: 'Connects a bot of Telegram to a project',
  details: [
    'Telegram is asked whose token it is, and told where to send updates. A webhook that points somewhere else is',
    'never replaced without --replace-webhook. The token is stored sealed and never shown again.',
  ],
  examples: [
    'bot connect --project Support --token 123456:ABC...',
    'bot connect --project Support --token - < token.txt',
  ],
  args: [],
  options: {
    project: { type: 'text', value: 'PROJECT', about: 'name or id of the project', needed: true },
    token: {
      type: 'text',
      value: 'TOKEN',
      about: 'from @BotFather; "-" reads it from the input, unseen by other users of this machine',
      needed: true,
    },
    'replace-webhook': { type: 'flag', about: 'take the bot away from the address it sends to now' },
    'max-connections': { type: 'text', value: 'NUMBER', about: 'connections Telegram may open for this bot, 1 to 100' },
    'api-root': { type: 'text', value: 'URL', about: 'another Bot API server than TELEGRAM_API_ROOT' },
    'webhook-base': { type: 'text', value: 'URL', about: 'another address for updates than PUBLIC_URL' },
  },
  changes: 'telegram',
  json: true,
  async run({ options, answer, config, installation, input, kit }) {
    const token = options.token === '-' ? await input() : options.token;
    if (token === '') throw new Refusal('USAGE', 'The input is empty: it should hold the token.');
    const maxConnections = options['max-connections'];
    const { db, bots } = await installation();
    const project = await getProject(db, options.project);
    const { bot, hint } = await joinProject(bots(), project, {
      token: token.trim(),
      replaceForeignWebhook: options['replace-webhook'],
      ...(maxConnections === undefined ? {} : { maxConnections: numberOf(maxConnections, '--max-connections', 100) }),
      ...(options['api-root'] === undefined ? {} : { apiRoot: options['api-root'] }),
      ...(options['webhook-base'] === undefined ? {} : { webhookBase: options['webhook-base'] }),
    });
    const hints = [
      ...(hint === undefined ? [] : [hint]),
      ...(project.releaseNumber === null
        ? [`Nothing is published in "${project.name}" yet: the bot answers nobody until then.`]
        : []),
      ...((await hasPages(db, project)) ? appHints(project.name, [bot], config.publicUrl) : []),
    ];
    answer({ bot, hints }, [`Connected @${bot.username}.`, ...botLines(bot, kit.now()).slice(1), ...hints]);
  },
});
