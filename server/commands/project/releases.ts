import { getProject, releases } from '../../domains/projects/projects.ts';
import { defineCommand } from '../cli/command.ts';
import { moment, quote, short, table } from '../cli/print.ts';
import { projectArgument, releaseView } from './view.ts';

export const projectReleases = defineCommand({
  name: 'project releases',
  summary: 'Lists what was published, newest first',
  args: [projectArgument],
  options: {},
  json: true,
  async run({ args, answer, installation }) {
    const { db } = await installation();
    const project = await getProject(db, args.PROJECT);
    const list = await releases(db, project.id);
    const rows = list.map((release) => [
      String(release.number),
      moment(release.createdAt),
      release.hash.slice(0, 12),
      release.number === project.releaseNumber ? 'runs' : '',
      short(release.note ?? '', 80),
    ]);
    answer(
      { releases: list.map(releaseView), runs: project.releaseNumber },
      rows.length > 0
        ? table([['RELEASE', 'PUBLISHED', 'HASH', '', 'NOTE'], ...rows])
        : ['Nothing was published yet.', `Publish the draft: roost project publish ${quote(project.name)}`],
    );
  },
});
