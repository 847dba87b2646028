import { once } from 'node:events';
import { join } from 'node:path';
import { roleNames } from '../../kernel/config-table.ts';
import { defineCommand } from './cli/command.ts';
import { connectDemoBot, demoToken, prepareDemoProject } from './demo.ts';

/** Where the simulated Telegram stands in this server. */
const prefix = '/simulator';

export const start = defineCommand({
  name: 'start',
  summary: 'Starts everything with a demo bot to talk to, until it is stopped',
  details: [
    'The embedded database is started and migrated, a demo project imported and published, and its bot connected to',
    'a simulated Telegram inside this server. What is there already is left as it is.',
  ],
  args: [],
  options: {},
  json: false,
  serves: 'talking',
  async run({ config, kit, version, stop, say, installation }) {
    // Only here, so that a server in production never loads it.
    const { createSimulator } = await import('../../simulator/simulator.ts');
    const { startRoles } = await import('../roles/roles.ts');
    const installed = await installation({ as: 'serve', create: true });
    const telegram = createSimulator();
    // The simulated Telegram keeps its chats, so that a later start finds everything as it was.
    await telegram.keepIn(join(config.dataDir, 'simulator'));
    const token = demoToken(installed.ground.id);
    telegram.createBot({ token, first_name: 'Roost demo', username: 'roost_demo_bot' });
    // Whoever opens the page is one of them, by the language of the browser, and needs only to press Start.
    if (telegram.world.users.size === 0) {
      telegram.people.create({ first_name: 'Alex', language_code: 'en' });
      telegram.people.create({ first_name: 'Анна', language_code: 'ru' });
    }
    const project = await prepareDemoProject(installed.db);
    const running = await startRoles(
      { kit, config, version, ground: installed.ground, mounted: { prefix, plugin: telegram.plugin } },
      roleNames,
    );
    try {
      await connectDemoBot(running.bots, project, {
        token,
        apiRoot: `${running.address}${prefix}`,
        webhookBase: running.address,
      });
      say(`Roost is running. Talk to its demo bot: ${running.address}${prefix}/`);
      if (!stop.aborted) await once(stop, 'abort');
      say('Stopping. What is in hand is finished first; Ctrl-C again ends at once.');
    } finally {
      await running.stop();
      await telegram.close();
    }
  },
});
