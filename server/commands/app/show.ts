import { listBots } from '../../domains/bots/bots.ts';
import { countLeads, siteOf } from '../../domains/miniapps/miniapps.ts';
import { getProject } from '../../domains/projects/projects.ts';
import { defineCommand } from '../cli/command.ts';
import { count, quote } from '../cli/print.ts';
import { projectArgument } from '../project/view.ts';
import { appAddresses, homeOf, missingPages, siteAddresses, unopenedApp } from './view.ts';

export const appShow = defineCommand({
  name: 'app show',
  summary: 'Shows where the pages of a project are opened',
  details: ['The address of a Mini App is given to @BotFather as it is printed here. It stays the same for a bot.'],
  args: [projectArgument],
  options: {},
  json: true,
  async run({ args, answer, config, installation }) {
    const { db, bots: deps } = await installation();
    const project = await getProject(db, args.PROJECT);
    const home = await homeOf(config, db);
    const bots = await listBots(deps(), { project: project.publicId });
    const apps = appAddresses(bots, home);
    const site = await siteOf(db, project.id);
    const leads = await countLeads(db, project.id);
    const sites = siteAddresses(site, home);
    const hints = await missingPages(db, project);
    answer({ project: project.publicId, apps, site: { ...site, addresses: sites }, leads, hints }, [
      ...hints,
      ...apps.map(({ bot, address }) => `Mini App of ${bot}: ${address}`),
      ...(apps.length === 0 ? ['No bot is connected, so there is no Mini App.'] : []),
      ...sites.map((address) => `Site: ${address}`),
      ...(sites.length === 0 ? [`No site yet: roost app slug ${quote(project.name)} NAME`] : []),
      `Visitors have sent ${count(leads, 'thing')}. To look: roost lead list ${quote(project.name)}`,
      ...(config.publicUrl === undefined
        ? [`Addresses at ${home} open on this machine only, while the server runs.`]
        : []),
      ...unopenedApp(bots, config.publicUrl),
    ]);
  },
});
