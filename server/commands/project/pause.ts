import { getProject, setProjectStatus } from '../../domains/projects/projects.ts';
import { defineCommand } from '../cli/command.ts';
import { quote } from '../cli/print.ts';
import { projectArgument } from './view.ts';

export const projectPause = defineCommand({
  name: 'project pause',
  summary: 'Pauses all bots of a project',
  details: ['What people write meanwhile is stored, in order, and answered after `project resume`.'],
  args: [projectArgument],
  options: {},
  changes: 'database',
  json: true,
  async run({ args, answer, installation }) {
    const { db } = await installation();
    const project = await getProject(db, args.PROJECT);
    const { changed } = await db.tx((tx) => setProjectStatus(tx, project.id, 'paused'));
    answer({ changed, status: 'paused' }, [
      changed ? `Paused "${project.name}". Its updates are kept.` : `"${project.name}" is paused already.`,
      `To go on: roost project resume ${quote(project.name)}`,
    ]);
  },
});
