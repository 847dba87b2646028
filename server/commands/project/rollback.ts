import { getProject, rollback } from '../../domains/projects/projects.ts';
import { defineCommand } from '../cli/command.ts';
import { numberOf } from '../cli/values.ts';
import { projectArgument, releaseView } from './view.ts';

export const projectRollback = defineCommand({
  name: 'project rollback',
  summary: 'Makes an older release the running one',
  details: ['The draft stays as it is. New conversations begin with that release; those under way keep theirs.'],
  examples: ['project rollback Support --to 3'],
  args: [projectArgument],
  options: { to: { type: 'text', value: 'NUMBER', about: 'the release that shall run', needed: true } },
  changes: 'database',
  json: true,
  async run({ args, options, answer, installation }) {
    const number = numberOf(options.to, '--to');
    const { db } = await installation();
    const project = await getProject(db, args.PROJECT);
    const { changed, release } = await db.tx((tx) => rollback(tx, project.id, number));
    answer({ changed, release: releaseView(release) }, [
      changed
        ? `"${project.name}" runs release ${release.number} now.`
        : `"${project.name}" runs release ${release.number} already.`,
    ]);
  },
});
