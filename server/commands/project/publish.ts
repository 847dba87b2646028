import { listBots } from '../../domains/bots/bots.ts';
import { getProject, publish } from '../../domains/projects/projects.ts';
import { appHints, hasPages } from '../app/view.ts';
import { defineCommand } from '../cli/command.ts';
import { faultLines } from '../cli/print.ts';
import { projectArgument, releaseView } from './view.ts';

export const projectPublish = defineCommand({
  name: 'project publish',
  summary: 'Checks the draft and makes it the running release',
  details: [
    'A draft with mistakes is not published. Conversations under way end with the release they began with.',
    'A draft that already runs is left alone.',
  ],
  examples: ['project publish Support --note "New opening hours"'],
  args: [projectArgument],
  options: { note: { type: 'text', value: 'TEXT', about: 'what is new, for the list of releases' } },
  changes: 'database',
  json: true,
  async run({ args, options, answer, config, installation }) {
    const { db, bots } = await installation();
    const project = await getProject(db, args.PROJECT);
    const { published, release, warnings } = await db.tx((tx) => publish(tx, project.id, { note: options.note }));
    const hints = (await hasPages(db, { ...project, releaseNumber: release.number }))
      ? appHints(project.name, await listBots(bots(), { project: project.publicId }), config.publicUrl)
      : [];
    answer({ published, release: releaseView(release), warnings, hints }, [
      published
        ? `Published release ${release.number} of "${project.name}" (${release.hash.slice(0, 12)}).`
        : `Nothing to publish: release ${release.number} of "${project.name}" is this draft and runs already.`,
      ...faultLines(warnings),
      ...hints,
    ]);
  },
});
