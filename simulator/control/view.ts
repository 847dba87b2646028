import type { FastifyInstance } from 'fastify';
import { menuButtonOf } from '../apps/bot-apps.ts';
import type { SimulatorCore } from '../core.ts';
import { findBot, findUser, PeopleError } from '../people/place.ts';
import type { Conversation } from '../world/conversation.ts';
import { chatView } from './views.ts';

/** Messages that the page is given at once. */
const PAGE_MAX = 200;
/** Bots that a person never wrote to are listed up to this many; a bench has thousands. */
const STRANGE_BOTS_MAX = 100;

/** The commands a bot shows in a private chat, in the person's language where it set them. */
function commandsOf(chat: Conversation, language: string): unknown {
  const profile = chat.bot?.profile;
  const scopes = [`{"type":"chat","chat_id":${chat.id}}`, '{"type":"all_private_chats"}', '{"type":"default"}'];
  for (const scope of scopes) {
    const found = profile?.get(`commands ${scope} ${language}`) ?? profile?.get(`commands ${scope} `);
    if (found) return found;
  }
  return [];
}

function summary(chat: Conversation): Record<string, unknown> {
  return { ...chatView(chat), last: chat.messages.last() ?? null };
}

/** What one person sees: the bots, those known first, and the groups that the person is in. */
function chatsOf(core: SimulatorCore, userId: number): Record<string, unknown>[] {
  const user = findUser(core.world, userId);
  const bots = [...core.world.bots.values()];
  const strange = bots.filter((bot) => !bot.privates.has(user.id)).slice(0, STRANGE_BOTS_MAX);
  const known = bots.filter((bot) => bot.privates.has(user.id));
  const privates = [...known, ...strange].map((bot) => {
    const chat = bot.privates.get(user.id);
    const facts = { bot: bot.id, title: bot.user.first_name, username: bot.user.username };
    return chat
      ? { ...summary(chat), ...facts }
      : { key: `${bot.id}:${user.id}`, ...facts, chat: null, opened: false, last: null };
  });
  const groups = [...core.world.groups.values()]
    .filter((chat) => chat.has(user.id) && chat.migratedTo === undefined)
    .map(summary);
  return [...privates, ...groups];
}

function findConversation(core: SimulatorCore, key: string): Conversation {
  const [first = '', second] = key.split(':');
  if (second === undefined) {
    const group = core.world.groups.get(Number(first));
    if (!group) throw new PeopleError(`there is no chat ${key}`);
    return group;
  }
  return core.world.privateChat(findBot(core.world, Number(first)), findUser(core.world, Number(second)));
}

/** What the chat page reads. */
export function viewRoutes(server: FastifyInstance, core: SimulatorCore): void {
  server.get<{ Querystring: { user: string } }>('/view', ({ query }) => ({
    mark: core.world.feed.mark,
    users: [...core.world.users.values()],
    chats: chatsOf(core, Number(query.user)),
  }));
  server.get<{ Params: { key: string }; Querystring: { before?: string; limit?: string } }>(
    '/chats/:key',
    ({ params, query }) => {
      const chat = findConversation(core, params.key);
      const before = query.before === undefined ? Number.POSITIVE_INFINITY : Number(query.before);
      const limit = Math.min(Math.max(Number(query.limit ?? PAGE_MAX), 0), PAGE_MAX);
      const messages = [...chat.messages.values()].filter(({ message_id: id }) => id < before);
      const user = core.world.users.get(chat.id);
      return {
        ...chatView(chat),
        mark: core.world.feed.mark,
        messages: limit === 0 ? [] : messages.slice(-limit),
        more: messages.length > limit,
        commands: commandsOf(chat, user?.language_code ?? ''),
        menu_button: chat.bot ? menuButtonOf(chat.bot, chat.id) : null,
        reactions: Object.fromEntries(chat.reactions),
      };
    },
  );
  server.get<{ Params: { id: string } }>('/files/:id', ({ params }, reply) => {
    const file = core.world.files.byUniqueId(params.id);
    if (!file) return reply.code(404).send({ error: 'no such file' });
    // Whatever people upload stays data: no page of this server is ever made of it.
    reply.header('Content-Security-Policy', "default-src 'none'; sandbox").header('X-Content-Type-Options', 'nosniff');
    if (!/^(image\/(png|jpeg|gif|webp)|video\/|audio\/)/.test(file.mime)) {
      reply.header('Content-Disposition', `attachment; filename*=UTF-8''${encodeURIComponent(file.name)}`);
    }
    return reply.type(file.mime).send(file.bytes);
  });
  server.post<{ Querystring: { kind?: string; name?: string; mime?: string }; Body: Buffer }>(
    '/files',
    ({ query, body }) => {
      const file = core.world.files.add(
        query.kind ?? 'document',
        query.name ?? 'file',
        query.mime ?? 'application/octet-stream',
        body,
      );
      return { file_unique_id: file.uniqueId };
    },
  );
}
