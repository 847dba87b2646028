import { Refusal } from '../../../kernel/errors.ts';
import { setSlug } from '../../domains/miniapps/miniapps.ts';
import { getProject } from '../../domains/projects/projects.ts';
import { defineCommand } from '../cli/command.ts';
import { projectArgument } from '../project/view.ts';
import { homeOf, missingPages, siteAddresses } from './view.ts';

export const appSlug = defineCommand({
  name: 'app slug',
  summary: 'Shows the pages of a project as a site under a name',
  details: ['The site stands at /s/NAME of this installation. Another name takes the place of the one before.'],
  examples: ['app slug "Corner Cafe" corner-cafe', 'app slug "Corner Cafe" --none'],
  args: [projectArgument, { name: 'NAME', about: 'small letters, digits and hyphens', optional: true }],
  options: { none: { type: 'flag', about: 'take the name away' } },
  changes: 'database',
  json: true,
  async run({ args, options, answer, config, installation }) {
    if ((args.NAME === undefined) !== options.none) throw new Refusal('USAGE', 'Give a name, or --none.');
    const slug = args.NAME ?? null;
    const { db } = await installation();
    const project = await getProject(db, args.PROJECT);
    await db.tx((tx) => setSlug(tx, project.id, slug));
    const [address] = siteAddresses({ slug, domain: null }, await homeOf(config, db));
    const missing = address === undefined ? [] : await missingPages(db, project);
    answer({ slug, address: address ?? null, hints: missing }, [
      address === undefined
        ? `"${project.name}" has no name below /s/ any more.`
        : `The site ${missing.length > 0 ? 'will stand' : 'stands'} at ${address}`,
      ...missing,
    ]);
  },
});
