import { Refusal } from '../../../kernel/errors.ts';
import { type Cancelled, cancelLead } from '../../domains/miniapps/miniapps.ts';
import { getProject } from '../../domains/projects/projects.ts';
import { defineCommand } from '../cli/command.ts';
import { count, quote } from '../cli/print.ts';
import { numberOf } from '../cli/values.ts';
import { projectArgument } from '../project/view.ts';

export const leadCancel = defineCommand({
  name: 'lead cancel',
  summary: 'Cancels a booking, an order or a form: its time is free again, its goods are back in stock',
  details: [
    'It stays on the list and says that it was cancelled. The visitor is not told: write to them first.',
    'It cannot be taken back: somebody else may have the time a moment later.',
  ],
  examples: ['lead cancel Barber 12'],
  args: [projectArgument, { name: 'NUMBER', about: 'the number that `lead list` shows' }],
  options: {},
  changes: 'database',
  json: true,
  async run({ args, answer, installation }) {
    const number = numberOf(args.NUMBER, 'NUMBER', 2 ** 31 - 1);
    const { db } = await installation();
    const project = await getProject(db, args.PROJECT);
    const cancelled = await db
      .tx((tx) => cancelLead(tx, project.id, number))
      .catch((error) => {
        if (!(error instanceof Refusal) || error.code !== 'LEAD_NOT_FOUND') throw error;
        const list = `roost lead list ${quote(project.name)}`;
        throw new Refusal('LEAD_NOT_FOUND', `"${project.name}" has nothing with the number ${number}. See: ${list}`);
      });
    answer({ number, ...cancelled }, [said(number, cancelled)]);
  },
});

function said(number: number, { changed, freed, goods }: Cancelled): string {
  if (!changed) return `Number ${number} was cancelled before. Nothing was changed.`;
  const back = [
    ...(freed ? ['Its time is free again.'] : []),
    ...(goods > 0 ? [`Back in stock: ${count(goods, 'piece')}.`] : []),
  ];
  return [`Cancelled number ${number}.`, ...back, 'The visitor was not told.'].join(' ');
}
