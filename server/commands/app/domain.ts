import { Refusal } from '../../../kernel/errors.ts';
import { setDomain, siteOf } from '../../domains/miniapps/miniapps.ts';
import { getProject } from '../../domains/projects/projects.ts';
import { defineCommand } from '../cli/command.ts';
import { projectArgument } from '../project/view.ts';
import { homeOf, missingPages, siteAddresses } from './view.ts';

export const appDomain = defineCommand({
  name: 'app domain',
  summary: 'Shows the pages of a project as a site on a domain of its own',
  details: [
    'The domain must lead to this installation, through a proxy that has a certificate for it and passes the name on:',
    'see docs/operate/apps.md.',
  ],
  examples: ['app domain "Corner Cafe" cafe.example.com', 'app domain "Corner Cafe" --none'],
  args: [projectArgument, { name: 'DOMAIN', about: 'as cafe.example.com', optional: true }],
  options: { none: { type: 'flag', about: 'take the domain away' } },
  changes: 'database',
  json: true,
  async run({ args, options, answer, config, installation }) {
    if ((args.DOMAIN === undefined) !== options.none) throw new Refusal('USAGE', 'Give a domain, or --none.');
    const { db } = await installation();
    const project = await getProject(db, args.PROJECT);
    await db.tx((tx) => setDomain(tx, project.id, args.DOMAIN ?? null, config.publicUrl));
    const others = siteAddresses({ ...(await siteOf(db, project.id)), domain: null }, await homeOf(config, db));
    const missing = args.DOMAIN === undefined && others.length === 0 ? [] : await missingPages(db, project);
    answer({ domain: args.DOMAIN ?? null, hints: missing }, [
      args.DOMAIN === undefined
        ? `"${project.name}" has no domain of its own any more.`
        : `Requests for ${args.DOMAIN} are answered with the site of "${project.name}" from now on.`,
      ...others.map((address) => `The site ${missing.length > 0 ? 'will stand' : 'stands'} at ${address} too.`),
      ...missing,
    ]);
  },
});
