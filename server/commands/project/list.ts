import { listProjects } from '../../domains/projects/projects.ts';
import { defineCommand } from '../cli/command.ts';
import { ago, table } from '../cli/print.ts';
import { projectView } from './view.ts';

const projectsMax = 1_000;

export const projectList = defineCommand({
  name: 'project list',
  summary: 'Lists the projects',
  args: [],
  options: {},
  json: true,
  async run({ answer, installation, kit }) {
    const { db } = await installation();
    const projects = await listProjects(db, projectsMax);
    const rows = projects.map((project) => [
      project.name,
      project.publicId,
      project.status,
      project.releaseNumber === null ? 'not published' : `release ${project.releaseNumber}`,
      project.draftAt === null ? 'no draft' : `draft ${ago(project.draftAt, kit.now())}`,
    ]);
    answer(
      { projects: projects.map(projectView) },
      rows.length > 0
        ? table([['NAME', 'ID', 'STATUS', 'RUNS', 'DRAFT'], ...rows])
        : [
            'There are no projects yet.',
            'Make one from a document: roost project import examples/support-menu/flow.json',
          ],
    );
  },
});
