import { once } from 'node:events';
import { join } from 'node:path';
import { roleNames } from '../../kernel/config-table.ts';
import { defineCommand } from './cli/command.ts';
import { connectDemoBot, demoApp, demos, demoToken, prepareDemoProject, simulatorKey } from './demo.ts';

/** Where the simulated Telegram stands in this server. */
const prefix = '/simulator';

export const start = defineCommand({
  name: 'start',
  summary: 'Starts everything with demo bots to talk to, until it is stopped',
  details: [
    'The embedded database is started and migrated, demo projects imported and published, and their bots connected to',
    'a simulated Telegram inside this server. What is there already is left as it is. The printed address holds the key',
    'of its chat page: it is for you alone.',
  ],
  args: [],
  options: {
    'reach-any': {
      type: 'flag',
      about: 'lets bots of the simulated Telegram have webhooks outside this server; without it they cannot',
    },
  },
  json: false,
  serves: 'talking',
  async run({ config, kit, version, stop, say, installation, options }) {
    // Only here, so that a server in production never loads it.
    const { APP_SCRIPT_PATH, createSimulator, pageAddress } = await import('../../simulator/simulator.ts');
    const { startRoles } = await import('../roles/roles.ts');
    const installed = await installation({ as: 'serve', create: true });
    const ground = { ...installed.ground, masterKey: installed.ground.masterKey() };
    // Its apps are on this server, which has no TLS of its own.
    const telegram = createSimulator({
      appsOverHttp: 'any',
      controlKey: simulatorKey(ground),
      ...(options['reach-any'] ? { reach: 'any' as const } : {}),
    });
    // The simulated Telegram keeps its chats, so that a later start finds everything as it was.
    await telegram.keepIn(join(config.dataDir, 'simulator'));
    const tokens = new Map(demos.map((demo) => [demo, demoToken(ground, demo)]));
    for (const [{ botId, name, username }, token] of tokens) {
      // Its token is another one where the master key is.
      const kept = telegram.world.bots.get(botId);
      if (kept && kept.token !== token) telegram.world.revokeToken(kept, token);
      telegram.createBot({ token, first_name: name, username });
    }
    // Whoever opens the page is one of them, by the language of the browser, and needs only to press Start.
    if (telegram.world.users.size === 0) {
      telegram.people.create({ first_name: 'Alex', language_code: 'en' });
      telegram.people.create({ first_name: 'Анна', language_code: 'ru' });
    }
    const shown = await Promise.all(
      [...tokens].map(async ([demo, token]) => ({
        demo,
        token,
        project: await prepareDemoProject(installed.db, demo),
      })),
    );
    const apps = { script: APP_SCRIPT_PATH, key: telegram.appPublicKey };
    const mounted = { prefix, plugin: telegram.plugin, apps };
    const running = await startRoles({ kit, config, version, ground, mounted }, roleNames);
    try {
      const where = { apiRoot: `${running.address}${prefix}`, webhookBase: running.address };
      await Promise.all(
        shown.map(async ({ demo, token, project }) => {
          const main_app = demoApp(running.address, project, demo);
          // As its maker tells @BotFather, so that t.me/bot?startapp opens it.
          if (main_app !== undefined) telegram.setApps(demo.botId, { main_app });
          await connectDemoBot(running.bots, project, demo, { token, ...where });
        }),
      );
      const page = pageAddress(`${running.address}${prefix}`, telegram.controlKey);
      say(`Roost is running. Talk to its demo bots: ${page}`);
      if (!stop.aborted) await once(stop, 'abort');
      say('Stopping. What is in hand is finished first; Ctrl-C again ends at once.');
    } finally {
      await running.stop();
      await telegram.close();
    }
  },
});
