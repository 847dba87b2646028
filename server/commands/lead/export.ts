import type { Db } from '../../../kernel/db.ts';
import { writeDurably } from '../../../kernel/files.ts';
import { type Lead, listLeads } from '../../domains/miniapps/miniapps.ts';
import { getProject } from '../../domains/projects/projects.ts';
import { homeOf } from '../app/view.ts';
import { defineCommand } from '../cli/command.ts';
import { unusableFile } from '../cli/files.ts';
import { count } from '../cli/print.ts';
import { projectArgument } from '../project/view.ts';
import { leadsCsv } from './csv.ts';
import { fileAddresses, leadView, nothingSent } from './view.ts';

const leadsARead = 500;

export const leadExport = defineCommand({
  name: 'lead export',
  summary: 'Writes everything that visitors have sent, as JSON or as a table',
  details: [
    'Files that visitors have sent along are named by addresses that open for 30 days, to whoever has them.',
    'Without --out it goes to the terminal.',
  ],
  examples: ['lead export Shop --csv --out orders.csv --form order'],
  args: [projectArgument],
  options: {
    form: { type: 'text', value: 'FORM', about: 'only what was sent by this form' },
    csv: { type: 'flag', about: 'a table for a spreadsheet instead of JSON' },
    semicolon: {
      type: 'flag',
      about: 'with --csv, for spreadsheets of languages with a decimal comma: "12,5" and ";" between cells',
    },
    out: { type: 'text', value: 'FILE', about: 'where to write it' },
  },
  json: true,
  async run({ args, options, answer, config, installation, kit }) {
    const installed = await installation();
    const project = await getProject(installed.db, args.PROJECT);
    const leads = await allLeads(installed.db, project.id, options.form);
    const address = fileAddresses(installed, await homeOf(config, installed.db), kit.now());
    const views = leads.map((lead) => leadView(lead, address));
    const text =
      options.csv || options.semicolon
        ? leadsCsv(leads, address, { semicolon: options.semicolon })
        : `${JSON.stringify(views, undefined, 2)}\n`;
    if (options.out === undefined) {
      answer({ leads: views }, [text.trimEnd()]);
      return;
    }
    await writeTo(options.out, text);
    answer({ out: options.out, leads: leads.length }, [
      `Wrote ${count(leads.length, 'thing')} into ${options.out}.`,
      ...(leads.length === 0 ? [await nothingSent(installed.db, project, options.form)] : []),
    ]);
  },
});

async function writeTo(path: string, text: string): Promise<void> {
  try {
    await writeDurably(path, text, 0o600);
  } catch (error) {
    throw unusableFile(path, 'written', error);
  }
}

/** Oldest first. */
async function allLeads(db: Db, projectId: number, form: string | undefined): Promise<Lead[]> {
  const all: Lead[] = [];
  for (let before: number | undefined; ; ) {
    const some = await listLeads(db, projectId, { form, before, limit: leadsARead });
    all.push(...some);
    before = some.at(-1)?.number;
    if (some.length < leadsARead) return all.reverse();
  }
}
