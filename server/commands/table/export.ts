import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { exportCsv } from '../../domains/tables/tables.ts';
import { defineCommand } from '../cli/command.ts';
import { unusableFile } from '../cli/files.ts';
import { projectArgument } from '../project/view.ts';
import { getPlace, tableArgument } from './place.ts';

export const tableExport = defineCommand({
  name: 'table export',
  summary: 'Writes the rows of a table as CSV, as they can be imported again',
  details: [
    'Without FILE.csv it goes to the terminal. A text that a spreadsheet would take for a formula gets an apostrophe',
    'before it, which the import takes off again.',
  ],
  examples: ['table export Shop goods goods.csv', 'table export Shop goods goods.csv --semicolon'],
  args: [projectArgument, tableArgument, { name: 'FILE.csv', about: 'where to write it', optional: true }],
  options: {
    semicolon: {
      type: 'flag',
      about: 'for spreadsheets of languages with a decimal comma: "12,5" and ";" between cells',
    },
  },
  json: true,
  async run({ args, options, answer, installation, kit }) {
    const { db } = await installation();
    const { place } = await getPlace(db, args.PROJECT, args.TABLE, kit.now());
    const pieces = exportCsv(db, place, { semicolon: options.semicolon });
    const path = args['FILE.csv'];
    if (path === undefined) {
      let csv = '';
      for await (const piece of pieces) csv += piece;
      answer({ csv }, [csv.replace(/^\ufeff/, '').trimEnd()]);
      return;
    }
    await pipeline(Readable.from(pieces), createWriteStream(path)).catch((error) => {
      throw unusableFile(path, 'written', error);
    });
    answer({ file: path }, [`Wrote ${path}.`]);
  },
});
