import { getProject, setProjectStatus } from '../../domains/projects/projects.ts';
import { defineCommand } from '../cli/command.ts';
import { projectArgument } from './view.ts';

export const projectResume = defineCommand({
  name: 'project resume',
  summary: 'Lets the bots of a paused project go on',
  args: [projectArgument],
  options: {},
  changes: 'database',
  json: true,
  async run({ args, answer, installation }) {
    const { db } = await installation();
    const project = await getProject(db, args.PROJECT);
    const { changed } = await db.tx((tx) => setProjectStatus(tx, project.id, 'active'));
    answer({ changed, status: 'active' }, [
      changed ? `"${project.name}" goes on, with what was stored meanwhile first.` : `"${project.name}" is not paused.`,
    ]);
  },
});
