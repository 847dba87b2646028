import { documentText, exportProject, getProject, writeBundle } from '../../domains/projects/projects.ts';
import { defineCommand } from '../cli/command.ts';
import { count } from '../cli/print.ts';
import { numberOf } from '../cli/values.ts';
import { projectArgument } from './view.ts';

export const projectExport = defineCommand({
  name: 'project export',
  summary: 'Writes the document of a project, and its files, as they can be imported again',
  details: ['Without --out the document goes to the terminal and the files stay where they are.'],
  examples: [
    'project export Support --out backup/support.json',
    'project export Shop --rows --out shop.json',
    'project export Support --release 3',
  ],
  args: [projectArgument],
  options: {
    out: { type: 'text', value: 'FILE', about: 'where to write the document; its files go beside it' },
    rows: { type: 'flag', about: 'with the rows that its tables have now, instead of those it began with' },
    release: { type: 'text', value: 'NUMBER', about: 'a published release instead of the draft' },
  },
  json: true,
  async run({ args, options, answer, installation }) {
    const release = options.release === undefined ? undefined : numberOf(options.release, '--release');
    const { db } = await installation();
    const project = await getProject(db, args.PROJECT);
    const bundle = await exportProject(db, project.id, { release, rows: options.rows });
    if (options.out === undefined) {
      answer({ document: bundle.document }, [documentText(bundle.document).trimEnd()]);
      return;
    }
    const { files } = await writeBundle(options.out, bundle);
    answer({ document: options.out, files }, [
      `Wrote ${options.out}${files.length > 0 ? ` and ${count(files.length, 'file')} beside it` : ''}.`,
    ]);
  },
});
