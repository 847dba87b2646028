import { createProject } from '../../domains/projects/projects.ts';
import { defineCommand } from '../cli/command.ts';
import { quote } from '../cli/print.ts';
import { projectView } from './view.ts';

export const projectCreate = defineCommand({
  name: 'project create',
  summary: 'Makes an empty project',
  details: ["A name has at most 64 letters, digits, spaces and . _ - ' ( ) & +, and no other project has it."],
  examples: ['project create "Corner Cafe"'],
  args: [{ name: 'NAME', about: 'what the project is called' }],
  options: {},
  changes: 'database',
  json: true,
  async run({ args, answer, installation }) {
    const { db } = await installation();
    const project = await db.tx((tx) => createProject(tx, { name: args.NAME }));
    answer({ project: projectView(project) }, [
      `Made the project "${project.name}" (${project.publicId}).`,
      `Next: roost project import FILE --into ${quote(project.name)}`,
    ]);
  },
});
