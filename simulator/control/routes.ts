import type { FastifyPluginCallback } from 'fastify';
import type { FaultRule } from '../api/faults.ts';
import type { BotAppsChange } from '../apps/bot-apps.ts';
import type { SimulatorCore } from '../core.ts';
import type { NewFilledGroup } from '../people/groups.ts';
import type { NewBot, NewUser } from '../world/world.ts';
import { actRoutes } from './act.ts';
import { feedRoutes } from './feed.ts';
import { logRoutes } from './logs.ts';
import { readSettingsChange } from './settings-change.ts';
import { viewRoutes } from './view.ts';
import { botView, chatView } from './views.ts';

/** A wish, or many of them at once. */
type Many<Wish> = Wish | Wish[];

function each<Wish, Made>(wishes: Many<Wish> | undefined, make: (wish: Wish | undefined) => Made): Made | Made[] {
  return Array.isArray(wishes) ? wishes.map(make) : make(wishes);
}

/** Bots, people, chats, settings and faults. */
export function controlRoutes(core: SimulatorCore): FastifyPluginCallback {
  return (server, _options, done) => {
    // Only JSON and octet streams: a page of another site cannot send either without asking first.
    server.removeAllContentTypeParsers();
    server.addContentTypeParser(
      'application/json',
      { parseAs: 'string', bodyLimit: 64 * 1024 * 1024 },
      (_request, text, parsed) => {
        try {
          parsed(null, text === '' ? undefined : JSON.parse(String(text)));
        } catch {
          parsed(Object.assign(new Error('the body is not JSON'), { statusCode: 400 }));
        }
      },
    );
    server.addContentTypeParser(
      'application/octet-stream',
      { parseAs: 'buffer', bodyLimit: 64 * 1024 * 1024 },
      (_request, bytes, parsed) => parsed(null, bytes),
    );
    server.setErrorHandler((error: Error & { statusCode?: number }, _request, reply) => {
      const status = error.statusCode ?? (error.name === 'PeopleError' || error.name === 'ApiRefusal' ? 409 : 400);
      reply.code(status).send({ error: error.message });
    });
    worldRoutes(server, core);
    faultRoutes(server, core);
    actRoutes(server, core);
    logRoutes(server, core);
    viewRoutes(server, core);
    feedRoutes(server, core);
    done();
  };
}

type Server = Parameters<FastifyPluginCallback>[0];

function worldRoutes(server: Server, core: SimulatorCore): void {
  const { world } = core;
  server.post<{ Body: Many<NewBot & BotAppsChange> | undefined }>('/bots', ({ body }) =>
    each(body, (wish) => botView(core.createBot(wish))),
  );
  server.get('/bots', () => [...world.bots.values()].map(botView));
  server.post<{ Params: { id: string } }>('/bots/:id/revoke', ({ params }, reply) => {
    const bot = world.bots.get(Number(params.id));
    return bot ? { token: world.revokeToken(bot) } : reply.code(404).send({ error: 'no such bot' });
  });
  server.get('/app-key', () => ({ public_key: core.appPublicKey }));
  server.patch<{ Params: { id: string }; Body: { next_update_id?: number } & BotAppsChange }>(
    '/bots/:id',
    ({ params, body }, reply) => {
      const bot = world.bots.get(Number(params.id));
      if (!bot) return reply.code(404).send({ error: 'no such bot' });
      if (body.next_update_id !== undefined) bot.queue.nextUpdateId = body.next_update_id;
      if (body.main_app !== undefined || body.apps !== undefined) core.setApps(bot.id, body);
      return botView(bot);
    },
  );
  server.post<{ Body: Many<NewUser> | undefined }>('/users', ({ body }) =>
    each(body, (wish) => world.createUser(wish)),
  );
  server.get('/users', () => [...world.users.values()]);
  server.post<{ Body: Many<NewFilledGroup> | undefined }>('/chats', ({ body }) =>
    each(body, (wish) => chatView(core.people.createGroup(wish))),
  );
  server.get('/settings', () => core.settings);
  server.patch('/settings', ({ body }) => core.set(readSettingsChange(body)));
}

function faultRoutes(server: Server, core: SimulatorCore): void {
  server.post<{ Body: Many<FaultRule> }>('/faults', ({ body }) =>
    each(body, (rule) => core.faults.add(rule ?? { kind: '5xx' })),
  );
  server.get('/faults', () => core.faults.list());
  server.delete('/faults', () => {
    core.faults.clear();
    return true;
  });
  server.delete<{ Params: { id: string } }>('/faults/:id', ({ params }) => core.faults.remove(Number(params.id)));
}
