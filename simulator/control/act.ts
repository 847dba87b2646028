import type { FastifyInstance } from 'fastify';
import type { SimulatorCore } from '../core.ts';
import { People } from '../people/people.ts';
import { PeopleError } from '../people/place.ts';
import { Conversation } from '../world/conversation.ts';
import { chatView } from './views.ts';

/** One action's body: an object, or a list of them that is carried out in order. */
type ActBody = Record<string, unknown> | Record<string, unknown>[];

function actionOf(people: People, name: string): (action: unknown) => unknown {
  const known = Object.hasOwn(People.prototype, name) && name !== 'constructor' && name !== 'inject';
  const action = known ? people[name as keyof People] : undefined;
  if (typeof action !== 'function') throw new PeopleError(`people cannot "${name}"`);
  return (action as (action: unknown) => unknown).bind(people);
}

/** What goes out: chats as views, updates by their number. */
function shown(result: unknown): unknown {
  if (result instanceof Conversation) return chatView(result);
  return result ?? null;
}

/** `/act/<name>`: whatever `People` can do. */
export function actRoutes(server: FastifyInstance, core: SimulatorCore): void {
  server.post<{ Params: { name: string }; Body: ActBody | undefined }>('/act/:name', async ({ params, body }) => {
    const action = actionOf(core.people, params.name);
    if (!Array.isArray(body)) return { result: shown(await action(body ?? {})) };
    const results: unknown[] = [];
    for (const one of body) results.push(shown(await action(one)));
    return { result: results };
  });
  server.post<{ Querystring: Record<string, string>; Body: Buffer }>('/inject', ({ query, body }) => {
    const { bot, update_id: updateId, chat, seconds, kind, lane } = query;
    const number = (text: string | undefined, name: string): object =>
      text === undefined ? {} : { [name]: Number(text) };
    const update = core.people.inject({
      bot: Number(bot),
      body: Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body)),
      ...number(updateId, 'update_id'),
      ...number(chat, 'chat'),
      ...number(seconds, 'seconds'),
      ...(kind === undefined ? {} : { kind }),
      ...(lane === undefined ? {} : { lane }),
    });
    return update ? { update_id: update.updateId, lane: update.lane } : { dropped: true };
  });
}
