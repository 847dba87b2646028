import { getProject, tablesOf } from '../../domains/projects/projects.ts';
import { inOrder, tableFacts } from '../../domains/tables/tables.ts';
import { defineCommand } from '../cli/command.ts';
import { ago, table } from '../cli/print.ts';
import { projectArgument } from '../project/view.ts';

export const tableList = defineCommand({
  name: 'table list',
  summary: 'Lists the tables of a project with their columns and how many rows they have',
  details: [
    'Columns are those of the running release, before the first publish those of the draft. A table that the document',
    'has no more keeps its rows and is named too.',
  ],
  args: [projectArgument],
  options: {},
  json: true,
  async run({ args, answer, installation, kit }) {
    const { db } = await installation();
    const project = await getProject(db, args.PROJECT);
    const { tables: declared } = await tablesOf(db, project);
    const facts = await tableFacts(db, project.id);
    const names = [...new Set([...Object.keys(declared), ...facts.keys()])];
    const tables = names.map((name) => {
      const known = Object.hasOwn(declared, name) ? declared[name] : undefined;
      return {
        name,
        title: known?.title ?? null,
        columns: known === undefined ? [] : Object.keys(inOrder(known).columns),
        rows: facts.get(name)?.rows ?? 0,
        changedAt: facts.get(name)?.changedAt ?? null,
        declared: known !== undefined,
      };
    });
    const lines = tables.map((each) => [
      each.name,
      String(each.rows),
      ago(each.changedAt, kit.now()),
      each.declared ? each.columns.join(', ') : '(not in the document any more)',
    ]);
    answer(
      { tables },
      lines.length > 0
        ? table([['TABLE', 'ROWS', 'CHANGED', 'COLUMNS'], ...lines])
        : [`The project "${project.name}" has no tables.`],
    );
  },
});
