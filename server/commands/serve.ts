import { once } from 'node:events';
import type { RoleName } from '../../kernel/config.ts';
import { roleNames } from '../../kernel/config-table.ts';
import { Refusal } from '../../kernel/errors.ts';
import { defineCommand } from './cli/command.ts';
import { nearest } from './cli/suggest.ts';

export const serve = defineCommand({
  name: 'serve',
  summary: 'Runs the server, or some roles of it, until it is stopped',
  details: [
    'edge receives updates and serves pages, core handles updates and sends, control keeps webhooks as they should be and',
    'removes what is old. Every installation needs all three somewhere.',
    'Several processes may run the same role on one database. The first SIGTERM ends in order, a second one at once.',
  ],
  examples: ['serve', 'serve --roles edge', 'serve --roles core,control'],
  args: [],
  options: {
    roles: {
      type: 'text',
      value: 'ROLES',
      about: 'edge, core, control, with commas between; those of ROLES when absent',
    },
  },
  json: false,
  serves: 'logging',
  async run({ options, config, kit, version, stop, installation }) {
    const roles = options.roles === undefined ? config.roles : rolesOf(options.roles);
    // All roles in one process are an installation by themselves; some of them run beside others on one database.
    const as = roles.length === roleNames.length ? 'serve' : 'borrow';
    // Loaded here, so that short commands need not wait for it.
    const { startRoles } = await import('../roles/roles.ts');
    const { ground } = await installation({ as, create: true });
    const running = await startRoles(
      { kit, config, version, ground: { ...ground, masterKey: ground.masterKey() } },
      roles,
    );
    kit.log.info({ roles, address: running.address, version }, 'server.started');
    if (!stop.aborted) await once(stop, 'abort');
    kit.log.info('server.stopping');
    await running.stop();
    kit.log.info('server.stopped');
  },
});

function rolesOf(text: string): RoleName[] {
  const roles = new Set<RoleName>();
  for (const word of text
    .split(',')
    .map((each) => each.trim())
    .filter(Boolean)) {
    const role = roleNames.find((name) => name === word);
    if (role === undefined) {
      const meant = nearest(word, roleNames);
      throw new Refusal(
        'USAGE',
        `There is no role "${word}".${meant ? ` Did you mean "${meant}"?` : ` Roles are ${roleNames.join(', ')}.`}`,
      );
    }
    roles.add(role);
  }
  if (roles.size === 0) throw new Refusal('USAGE', `--roles names none. Roles are ${roleNames.join(', ')}.`);
  return [...roles];
}
