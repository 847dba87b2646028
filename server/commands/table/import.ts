import { readFile, stat } from 'node:fs/promises';
import { TABLE_LIMITS } from '../../../contract/tables.ts';
import { Refusal } from '../../../kernel/errors.ts';
import { importCsv } from '../../domains/tables/tables.ts';
import { defineCommand } from '../cli/command.ts';
import { unusableFile } from '../cli/files.ts';
import { count } from '../cli/print.ts';
import { projectArgument } from '../project/view.ts';
import { getPlace, tableArgument } from './place.ts';

export const tableImport = defineCommand({
  name: 'table import',
  summary: 'Brings rows of a CSV file into a table',
  details: [
    'The first line names the columns, by their ids or titles. A line with a number under "id" changes that row, or puts',
    'it in under this number; a line without one is a new row. All of the file or nothing: every mistake is named with',
    'its line. UTF-8, with "," or ";" or tabs between cells. Numbers, days and phones are read by the "region" of the',
    'document; one that may mean two things is a mistake that names both.',
  ],
  examples: ['table import Shop goods goods.csv', 'table import Shop goods goods.csv --replace'],
  args: [projectArgument, tableArgument, { name: 'FILE.csv', about: 'the file to read' }],
  options: {
    replace: { type: 'flag', about: 'take out the rows whose number is not in the file' },
  },
  changes: 'database',
  json: true,
  async run({ args, options, answer, installation, kit }) {
    const path = args['FILE.csv'];
    const bytes = await readCsvFile(path);
    const { db } = await installation();
    const { place } = await getPlace(db, args.PROJECT, args.TABLE, kit.now());
    const imported = await db.tx((tx) => importCsv(tx, place, bytes, { replace: options.replace }));
    const { added, changed, removed } = imported;
    answer(imported, [
      `${count(added, 'row')} added, ${count(changed, 'row')} changed, ${count(removed, 'row')} taken out.`,
    ]);
  },
});

async function readCsvFile(path: string): Promise<Buffer> {
  try {
    if ((await stat(path)).size > TABLE_LIMITS.csvBytes)
      throw new Refusal('CSV_WRONG', `The file has more than ${TABLE_LIMITS.csvBytes / 1_048_576} MB.`);
    return await readFile(path);
  } catch (error) {
    throw unusableFile(path, 'read', error);
  }
}
