import { listMigrations } from '../domains/ops/ops.ts';
import { defineCommand } from './cli/command.ts';
import { ago, table } from './cli/print.ts';

export const migrateCommand = defineCommand({
  name: 'migrate',
  summary: 'Brings the database to the newest schema',
  details: [
    'Stopped anywhere, it goes on at the next call. Servers that run go on meanwhile: a migration holds nobody up for longer',
    'than three seconds at a time. Every start of the server does the same; this command is for doing it at a moment of your',
    'choice, since a large table may take minutes. Roost never goes back: the backup is the way back.',
  ],
  args: [],
  options: {},
  changes: 'database',
  json: true,
  async run({ answer, installation, kit }) {
    const { db } = await installation({ create: true });
    const applied = await listMigrations(db);
    const rows = applied.map((row) => [String(row.number), row.name, ago(row.appliedAt, kit.now())]);
    answer({ schemaLevel: applied.at(-1)?.number ?? 0, migrations: applied }, [
      ...table([['LEVEL', 'MIGRATION', 'RAN'], ...rows]),
      'The database is up to date.',
    ]);
  },
});
