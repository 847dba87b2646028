import { Refusal } from '../../../kernel/errors.ts';
import { listBots } from '../../domains/bots/bots.ts';
import { importProject, nameFromFile, readBundle } from '../../domains/projects/projects.ts';
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
  ],
  examples: [
    'project import examples/support-menu/flow.json --name Support',
    'project import menu.json --into Support',
  ],
  args: [{ name: 'FILE', about: 'the JSON document' }],
  options: {
    name: {
      type: 'text',
      value: 'NAME',
      about: 'name of the new project; the one in the document, or of the file, when absent',
    },
    into: { type: 'text', value: 'PROJECT', about: 'replace the draft of this project instead of making one' },
  },
  json: true,
  async run({ args, options, answer, config, installation }) {
    if (options.name !== undefined && options.into !== undefined)
      throw new Refusal('USAGE', 'Give --name for a new project or --into for an existing one, not both.');
    const bundle = await readBundle(args.FILE);
    const name = options.into ?? options.name ?? nameOf(bundle.document) ?? nameFromFile(args.FILE);
    const { db, bots } = await installation();
    const imported = await db.tx((tx) => importProject(tx, { name, bundle, into: options.into !== undefined }));
    const { project, created, faults } = imported;
    const stops = faults.filter((fault) => fault.severity === 'stops').length;
    const hints =
      (bundle.document as { app?: unknown }).app === undefined
        ? []
        : unopenedApp(await listBots(bots(), { project: project.publicId }), config.publicUrl);
    answer({ project: projectView(project), created, faults, hints }, [
      created
        ? `Made the project "${project.name}" (${project.publicId}) with this draft.`
        : `Replaced the draft of "${project.name}".`,
      ...faultLines(faults),
      ...hints,
      stops > 0
        ? `${count(stops, 'mistake')} must be mended before it can be published.`
        : `Next: roost project publish ${quote(project.name)}`,
    ]);
  },
});

/** The name that the document gives itself. */
function nameOf(document: unknown): string | undefined {
  const name = (document as { name?: unknown } | null)?.name;
  return typeof name === 'string' && name.trim() !== '' ? name : undefined;
}
