import { Refusal } from '../../../kernel/errors.ts';
import { listBots } from '../../domains/bots/bots.ts';
import { importProject, nameFromFile, readBundle } from '../../domains/projects/projects.ts';
import type { RowsDiffer, RowsMode } from '../../domains/tables/tables.ts';
import { unopenedApp } from '../app/view.ts';
import { defineCommand } from '../cli/command.ts';
import { count, faultLines, quote } from '../cli/print.ts';
import { projectView } from './view.ts';

export const projectImport = defineCommand({
  name: 'project import',
  summary: 'Stores a document and its files as the draft of a project',
  details: [
    'Files that the document names are read from its own folder. Nothing is stored unless everything is right;',
    'otherwise every mistake is named with its place. What runs does not change until the project is published.',
    'Rows of a table that has rows already are compared, and put in at once where --rows says so: add puts in those that',
    'are missing, replace makes the table what the document says, keep leaves it. A row is known by its unique column,',
    'else by its first one.',
  ],
  examples: [
    'project import examples/support-menu/flow.json --name Support',
    'project import menu.json --into Support',
    'project import menu.json --into Support --rows replace',
  ],
  args: [{ name: 'FILE', about: 'the JSON document' }],
  options: {
    name: {
      type: 'text',
      value: 'NAME',
      about: 'name of the new project; the one in the document, or of the file, when absent',
    },
    into: { type: 'text', value: 'PROJECT', about: 'replace the draft of this project instead of making one' },
    rows: { type: 'text', value: 'HOW', about: 'add, replace or keep: what to do with rows that differ; with --into' },
  },
  changes: 'database',
  json: true,
  async run({ args, options, answer, config, installation }) {
    if (options.name !== undefined && options.into !== undefined)
      throw new Refusal('USAGE', 'Give --name for a new project or --into for an existing one, not both.');
    const rowsMode = modeOf(options.rows);
    if (rowsMode !== undefined && options.into === undefined)
      throw new Refusal('USAGE', '--rows goes with --into: a new project begins with the rows of its document.');
    const bundle = await readBundle(args.FILE);
    const name = options.into ?? options.name ?? nameOf(bundle.document) ?? nameFromFile(args.FILE);
    const { db, bots } = await installation();
    const imported = await db.tx((tx) =>
      importProject(tx, { name, bundle, into: options.into !== undefined, rows: rowsMode }),
    );
    const { project, created, faults, rows } = imported;
    const stops = faults.filter((fault) => fault.severity === 'stops').length;
    const hints =
      (bundle.document as { app?: unknown }).app === undefined
        ? []
        : unopenedApp(await listBots(bots(), { project: project.publicId }), config.publicUrl);
    answer({ project: projectView(project), created, faults, rows, hints }, [
      created
        ? `Made the project "${project.name}" (${project.publicId}) with this draft.`
        : `Replaced the draft of "${project.name}".`,
      ...rows.map((differ) => rowsLine(differ, options.rows === undefined)),
      ...faultLines(faults),
      ...hints,
      stops > 0
        ? `${count(stops, 'mistake')} must be mended before it can be published.`
        : `Next: roost project publish ${quote(project.name)}`,
    ]);
  },
});

const modes: readonly RowsMode[] = ['add', 'replace', 'keep'];

function modeOf(said: string | undefined): RowsMode | undefined {
  const mode = modes.find((one) => one === said);
  if (said !== undefined && mode === undefined)
    throw new Refusal('USAGE', `--rows is ${modes.join(', ')}; not "${said}".`);
  return mode;
}

/** What differs in a table, what was done, and where nothing was asked for, how to. */
function rowsLine({ table, missing, changed, extra, applied }: RowsDiffer, isUnasked: boolean): string {
  const parts = [
    ...(missing > 0 ? [`${count(missing, 'row')} of the document not in it`] : []),
    ...(changed > 0 ? [`${count(changed, 'row')} with other values`] : []),
    ...(extra > 0 ? [`${count(extra, 'row')} that the document does not have`] : []),
  ].join(', ');
  const done = {
    add:
      missing > 0 ? `Put in ${count(missing, 'row')}; the others stayed.` : 'Nothing was missing; it stayed as it was.',
    replace: 'It has the rows of the document now.',
    keep: 'It stayed as it was.',
  }[applied];
  const how = isUnasked ? ' To apply the document: --rows add, or --rows replace; --rows keep leaves it.' : '';
  return `Table "${table}" had ${parts}. ${done}${how}`;
}

/** The name that the document gives itself. */
function nameOf(document: unknown): string | undefined {
  const name = (document as { name?: unknown } | null)?.name;
  return typeof name === 'string' && name.trim() !== '' ? name : undefined;
}
