// The guards of tables and of what visitors send.
import type { Mutant } from './mutants.ts';

const tables = 'server/domains/tables';
const miniapps = 'server/domains/miniapps';

export const ofApps: readonly Mutant[] = [
  {
    name: 'unique-values',
    guard: 'No two rows of a table have the same value in a unique column.',
    edits: [{ file: `${tables}/sql.ts`, from: 'where e.record_id is null', to: 'where false' }],
    test: 'server/domains/tables',
  },
  {
    name: 'stock',
    guard: 'No more is taken off a stock than there is.',
    edits: [{ file: `${tables}/sql.ts`, from: '::numeric >= w.count end', to: '::numeric >= -1e9 end' }],
    test: 'test/fault/apps',
  },
  {
    name: 'places',
    guard: 'A time is given to as many as there are places.',
    edits: [
      { file: `${miniapps}/sql.ts`, from: 'and c.place = p.place', to: 'and c.place = -1' },
      {
        file: 'migrations/000006_apps.sql',
        from: 'primary key (project_id, booking, each_row, cell_at, place)',
        to: 'check (true)',
      },
    ],
    test: 'test/fault/apps',
  },
  {
    name: 'form-once',
    guard: 'A form that is sent again is the same one.',
    edits: [
      {
        file: `${miniapps}/submissions/submit.ts`,
        from: 'const key = shortName(',
        to: 'const key = Math.random() + shortName(',
      },
    ],
    test: 'test/fault/apps',
    only: 'submit-after-commit',
  },
  {
    name: 'form-changed',
    guard: 'Something else under a known key is not taken for a repeat.',
    edits: [
      { file: `${miniapps}/submissions/submit.ts`, from: 'if (lead.sent_hash !== null &&', to: 'if (lead.id < 0 &&' },
    ],
    test: 'server/domains/miniapps/submissions',
  },
  {
    name: 'cancelled-once',
    guard: 'What is cancelled twice gives its goods back once.',
    edits: [{ file: `${miniapps}/sql.ts`, from: ' and cancelled_at is null\n', to: '\n' }],
    test: 'server/domains/miniapps/submissions',
  },
  {
    name: 'files-of-others',
    guard: 'Nobody sends a file that somebody else has uploaded.',
    edits: [
      {
        file: `${miniapps}/uploads/sql.ts`,
        from: 'claim.visitorId}',
        to: 'claim.visitorId} is not null',
      },
    ],
    test: 'server/domains/miniapps/uploads',
  },
];
