import { listApps } from '../../domains/miniapps/miniapps.ts';
import { defineCommand } from '../cli/command.ts';
import { table } from '../cli/print.ts';
import { homeOf, siteAddresses } from './view.ts';

const appsMax = 1_000;

export const appList = defineCommand({
  name: 'app list',
  summary: 'Lists the projects whose running release has pages',
  args: [],
  options: {},
  json: true,
  async run({ answer, config, installation }) {
    const { db } = await installation();
    const home = await homeOf(config, db);
    const apps = await listApps(db, appsMax);
    const rows = apps.map((app) => [
      app.project,
      `release ${app.release_number}`,
      siteAddresses(app, home).join(' ') || 'no site',
    ]);
    answer(
      {
        apps: apps.map((app) => ({
          project: app.project,
          projectId: app.project_public_id,
          release: app.release_number,
          slug: app.slug,
          domain: app.domain,
        })),
      },
      rows.length > 0
        ? table([['PROJECT', 'RUNS', 'SITE'], ...rows])
        : ['No running release has pages.', 'They stand under "app" in a document: see docs/build/app.md.'],
    );
  },
});
