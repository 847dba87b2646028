import type { Queryable } from '../../../kernel/db.ts';
import { Refusal } from '../../../kernel/errors.ts';
import { dayTeller, isTimezone } from '../../domains/flow/flow.ts';
import { getProject, type Project, tablesOf } from '../../domains/projects/projects.ts';
import type { Place } from '../../domains/tables/tables.ts';

/** The arguments that name a table, the same in every command. */
export const tableArgument = { name: 'TABLE', about: 'id of the table, as the document has it' } as const;

/** A table of a project, with the columns of the running release, else of the draft. Throws Refusal PROJECT_NOT_FOUND, TABLE_NOT_FOUND. */
export async function getPlace(
  db: Queryable,
  nameOrId: string,
  name: string,
  nowMs: number,
): Promise<{ project: Project; place: Place }> {
  const project = await getProject(db, nameOrId);
  const { tables, customs, timezone } = await tablesOf(db, project);
  const table = Object.hasOwn(tables, name) ? tables[name] : undefined;
  const writing = { customs, today: dayTeller(isTimezone(timezone) ? timezone : 'UTC')(nowMs) };
  if (table) return { project, place: { projectId: project.id, name, table, writing } };
  const names = Object.keys(tables);
  const there = names.length > 0 ? `It has ${names.join(', ')}.` : 'It has none.';
  throw new Refusal('TABLE_NOT_FOUND', `The project "${project.name}" has no table "${name}". ${there}`);
}
