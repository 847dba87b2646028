import type { Message } from '@grammyjs/types';
import type { World } from '../world/world.ts';
import { say } from './person.ts';
import { findBot, findUser, PeopleError } from './place.ts';

/** Types `@bot query` in some chat; hands back the results, or nothing after the time is over. */
export function inlineQuery(
  world: World,
  action: { user: number; bot: number; query: string; offset?: string; seconds?: number },
): Promise<unknown[]> {
  const user = findUser(world, action.user);
  const bot = findBot(world, action.bot);
  const seconds = action.seconds ?? 30;
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve([]), seconds * 1000);
    timer.unref();
    const query = world.queries.open({
      kind: 'inline',
      bot,
      userId: user.id,
      chat: '',
      seconds,
      onAnswer: ({ results }) => {
        clearTimeout(timer);
        resolve(Array.isArray(results) ? results : []);
      },
    });
    const payload = { id: query.id, from: user, query: action.query, offset: action.offset ?? '', chat_type: 'sender' };
    world.update(bot, 'inline_query', user.id, user.id, payload);
  });
}

/** Chooses a result of an inline query. */
export function choose(world: World, action: { user: number; bot: number; result_id: string; query?: string }): true {
  const bot = findBot(world, action.bot);
  const payload = { result_id: action.result_id, from: findUser(world, action.user), query: action.query ?? '' };
  world.update(bot, 'chosen_inline_result', action.user, action.user, payload);
  return true;
}

/** A Mini App opened from a reply keyboard sends data and closes. */
export function sendWebAppData(
  world: World,
  action: { user: number; bot: number; data: string; button_text?: string },
): Message {
  const bytes = Buffer.byteLength(action.data);
  if (bytes < 1 || bytes > 4_096) throw new PeopleError('an app sends 1 to 4096 bytes of data');
  return say(world, action, { web_app_data: { data: action.data, button_text: action.button_text ?? '' } });
}
