import type { Call, Method } from '../api/call.ts';
import { writableChat } from '../api/chats.ts';
import { readMarkup } from '../api/markup.ts';
import { badRequest } from '../api/refusal.ts';
import { between } from '../random.ts';
import { formatText } from '../text/format.ts';
import type { Content } from '../world/compose.ts';
import { accept } from './send.ts';

/** A method that sends a message without files: only its content differs. */
function sends(read: (call: Call) => Content): Method {
  return (call) => {
    const chat = writableChat(call);
    const markup = readMarkup(call, chat);
    return accept(call, chat, read(call), markup);
  };
}

function readLocation(call: Call): { latitude: number; longitude: number } {
  const latitude = call.need('latitude', 'latitude is empty');
  const longitude = call.need('longitude', 'longitude is empty');
  if (Math.abs(latitude) > 90 || Math.abs(longitude) > 180) throw badRequest('wrong location specified');
  return { latitude, longitude };
}

/** Copies the named parameters that were given. */
function given(call: Call, names: readonly string[]): Record<string, unknown> {
  const found: Record<string, unknown> = {};
  for (const name of names) if (call.params[name] !== undefined) found[name] = call.params[name];
  return found;
}

export const sendLocation = sends((call) => ({
  location: {
    ...readLocation(call),
    ...given(call, ['live_period', 'horizontal_accuracy', 'heading', 'proximity_alert_radius']),
  },
}));

export const sendVenue = sends((call) => {
  const location = readLocation(call);
  const words = given(call, ['foursquare_id', 'foursquare_type', 'google_place_id', 'google_place_type']);
  return {
    location,
    venue: { location, title: call.text('title') ?? '', address: call.text('address') ?? '', ...words },
  };
});

export const sendContact = sends((call) => {
  const phone = call.text('phone_number') ?? '';
  const name = call.text('first_name') ?? '';
  if (phone === '' || name === '') throw badRequest(phone === '' ? 'phone number is empty' : 'first name is empty');
  return { contact: { phone_number: phone, first_name: name, ...given(call, ['last_name', 'vcard']) } };
});

const DICE_SIDES: Readonly<Record<string, number>> = { '🎲': 6, '🎯': 6, '🎳': 6, '🏀': 5, '⚽': 5, '🎰': 64 };

export const sendDice = sends((call) => {
  const emoji = (call.text('emoji') ?? '🎲').replace('\ufe0f', '');
  const sides = DICE_SIDES[emoji];
  if (!sides) throw badRequest('DICE_EMOJI_INVALID');
  return { dice: { emoji, value: between(call.world.random, 1, sides) } };
});

export const sendGame = sends((call) => {
  const title = call.text('game_short_name') ?? '';
  return { game: { title, description: title, photo: [], text: '', text_entities: [] } } as unknown as Content;
});

/** A checklist as a message holds it. */
export function readChecklist(call: Call): Content {
  const input = call.object('checklist') ?? {};
  const tasks = Array.isArray(input.tasks) ? input.tasks : [];
  if (typeof input.title !== 'string' || tasks.length === 0) throw badRequest('checklist must have a title and tasks');
  return { checklist: { title: input.title, tasks } } as Content;
}

export const sendChecklist = sends(readChecklist);

type OptionInput = string | { text?: unknown; text_parse_mode?: string; text_entities?: unknown[] };

function readOption(option: OptionInput, index: number): Record<string, unknown> {
  const fields = typeof option === 'string' ? { text: option } : option;
  if (typeof fields.text !== 'string' || fields.text === '') throw badRequest('poll options must be non-empty');
  const { text, entities } = formatText(fields.text, fields.text_parse_mode, fields.text_entities);
  if ([...text].length > 100) throw badRequest('poll options length must not exceed 100');
  return {
    persistent_id: String(index),
    text,
    ...(entities.length > 0 ? { text_entities: entities } : {}),
    voter_count: 0,
  };
}

/** A quiz has an answer, and it is one of its options. */
function checkAnswers(call: Call, options: number): void {
  const single = call.number('correct_option_id');
  const given = call.list('correct_option_ids') ?? (single === undefined ? [] : [single]);
  const fits = (id: unknown): boolean => Number.isInteger(id) && Number(id) >= 0 && Number(id) < options;
  if (given.length === 0 || !given.every(fits)) throw badRequest('wrong correct option ID specified');
}

export const sendPoll = sends((call) => {
  const question = call.text('question') ?? '';
  const options = (call.list('options') ?? []) as OptionInput[];
  if (question === '') throw badRequest('poll question must be non-empty');
  if ([...question].length > 300) throw badRequest('poll question length must not exceed 300');
  if (options.length < 1 || options.length > 12) throw badRequest('poll must have from 1 to 12 answer options');
  const quiz = call.text('type') === 'quiz';
  if (quiz) checkAnswers(call, options.length);
  return {
    poll: {
      id: `${between(call.world.random, 10 ** 8, 9 * 10 ** 8)}${between(call.world.random, 10 ** 9, 9 * 10 ** 9)}`,
      question,
      options: options.map(readOption),
      total_voter_count: 0,
      is_closed: call.flag('is_closed'),
      is_anonymous: call.params.is_anonymous !== false,
      type: quiz ? 'quiz' : 'regular',
      allows_multiple_answers: call.flag('allows_multiple_answers'),
      allows_revoting: call.params.allows_revoting !== false,
      members_only: call.flag('members_only'),
      ...given(call, ['correct_option_ids', 'explanation', 'open_period', 'close_date', 'description']),
    },
  } as unknown as Content;
});
