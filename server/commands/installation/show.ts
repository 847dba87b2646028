import { defineCommand } from '../cli/command.ts';
import { placeOf } from '../cli/installation.ts';

export const installationShow = defineCommand({
  name: 'installation show',
  summary: 'Shows which installation this is, and whether its database is a copy',
  details: ['It can be asked anywhere, without the master key too.'],
  args: [],
  options: {},
  json: true,
  async run({ answer, config, installation }) {
    const { ground } = await installation();
    const { id, isCopy, hasKey } = ground;
    answer({ id, isCopy, hasKey, dataDir: config.dataDir }, [
      `This is ${placeOf(ground, config)}.`,
      `Its whole id is ${id}.`,
      isCopy
        ? 'Since it is a copy, its bots do not run here. If the one it was copied from is stopped for good: roost installation claim'
        : 'Its bots run here.',
      hasKey ? 'The master key is here.' : 'The master key is not here. See: roost keys lost --help',
    ]);
  },
});
