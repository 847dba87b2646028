import { countLeads, listLeads } from '../../domains/miniapps/miniapps.ts';
import { getProject } from '../../domains/projects/projects.ts';
import { homeOf } from '../app/view.ts';
import { defineCommand } from '../cli/command.ts';
import { ago, count, quote, short, table } from '../cli/print.ts';
import { numberOf } from '../cli/values.ts';
import { projectArgument } from '../project/view.ts';
import { fileAddresses, leadView, nothingSent, orderLine, visitorName } from './view.ts';

export const leadList = defineCommand({
  name: 'lead list',
  summary: 'Lists what visitors of an app or a site have sent, newest first',
  args: [projectArgument],
  options: {
    form: { type: 'text', value: 'FORM', about: 'only what was sent by this form' },
    limit: { type: 'text', value: 'NUMBER', about: 'how many at most; 20 when absent' },
  },
  json: true,
  async run({ args, options, answer, config, installation, kit }) {
    const limit = options.limit === undefined ? 20 : numberOf(options.limit, '--limit', 10_000);
    const installed = await installation();
    const { db } = installed;
    const project = await getProject(db, args.PROJECT);
    const leads = await listLeads(db, project.id, { form: options.form, limit });
    const total = await countLeads(db, project.id, options.form);
    const address = fileAddresses(installed, await homeOf(config, db), kit.now());
    const rows = leads.map((lead) => [
      String(lead.number),
      ago(lead.createdAt, kit.now()),
      lead.form,
      short(visitorName(lead), 30),
      lead.visitor.id,
      lead.total === null ? '' : `${lead.total} ${lead.currency ?? ''}`,
      lead.cancelledAt === undefined ? '' : 'cancelled',
      short(orderLine(lead) || Object.values(lead.words).join(', '), 80),
    ]);
    answer(
      { leads: leads.map((lead) => leadView(lead, address)), total },
      rows.length === 0
        ? [await nothingSent(db, project, options.form)]
        : [
            ...table([['NUMBER', 'SENT', 'FORM', 'WHO', 'TELEGRAM', 'TOTAL', 'STATE', 'WHAT'], ...rows]),
            `${count(total, 'thing')} in all. Everything of them: roost lead export ${quote(project.name)} --csv`,
          ],
    );
  },
});
