import { defineCommand } from '../cli/command.ts';

export const installationClaim = defineCommand({
  name: 'installation claim',
  summary: 'Says that the installation lives in this database from now on',
  details: [
    'For after a restore or a move: a database that was copied is known as a copy, and its bots do not run until this was',
    'said. Make sure before that the one it was copied from is stopped and stays stopped. Two that run on the same tokens',
    "answer people twice and take each other's webhooks.",
  ],
  args: [],
  options: {},
  changes: 'database',
  json: true,
  async run({ answer, installation }) {
    const { ground } = await installation();
    if (ground.isCopy) await ground.claim();
    answer({ id: ground.id, changed: ground.isCopy }, [
      ground.isCopy
        ? 'The installation lives here now. Start it: roost serve'
        : 'The installation lives here already. Nothing was changed.',
    ]);
  },
});
