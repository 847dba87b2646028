import type { Call, Method } from '../api/call.ts';
import { badRequest } from '../api/refusal.ts';
import { formatText } from '../text/format.ts';
import type { Content } from '../world/compose.ts';
import type { Query } from '../world/queries.ts';

/** The open question that a call answers; answering late, twice or somebody else's is one and the same mistake. */
function takeQuery(call: Call, kind: string, param: string): Query {
  const query = call.world.queries.take(call.text(param) ?? '', kind, call.bot);
  if (!query) throw badRequest('query is too old and response timeout expired or query ID is invalid');
  return query;
}

export const answerCallbackQuery: Method = (call) => {
  const text = call.text('text') ?? '';
  if ([...text].length > 200) throw badRequest('MESSAGE_TOO_LONG');
  const query = takeQuery(call, 'callback', 'callback_query_id');
  query.onAnswer?.({ text, show_alert: call.flag('show_alert'), url: call.text('url') ?? null });
  return true;
};

/** The answer's `ok` with its complaint, which must be there when it is false. */
function verdict(call: Call): Record<string, unknown> {
  const ok = call.flag('ok');
  const complaint = call.text('error_message');
  if (!ok && !complaint) throw badRequest('parameter "error_message" is required');
  return { ok, ...(ok ? {} : { error_message: complaint }) };
}

export const answerPreCheckoutQuery: Method = (call) => {
  const answer = verdict(call);
  takeQuery(call, 'pre_checkout', 'pre_checkout_query_id').onAnswer?.(answer);
  return true;
};

export const answerShippingQuery: Method = (call) => {
  const answer = verdict(call);
  takeQuery(call, 'shipping', 'shipping_query_id').onAnswer?.({
    ...answer,
    shipping_options: call.list('shipping_options') ?? [],
  });
  return true;
};

export const answerInlineQuery: Method = (call) => {
  const results = call.list('results') ?? [];
  if (results.length > 50) throw badRequest('RESULTS_TOO_MUCH');
  takeQuery(call, 'inline', 'inline_query_id').onAnswer?.({ results });
  return true;
};

/** What a person sends through a Mini App: the message is the person's, marked as made by the bot. */
function readAppResult(call: Call): Content {
  const result = call.object('result') ?? {};
  if (typeof result.type !== 'string' || typeof result.id !== 'string' || result.id === '')
    throw badRequest('can\'t parse InlineQueryResult: Can\'t find field "id"');
  const content = (result.input_message_content ?? {}) as Record<string, unknown>;
  const mode = content.parse_mode ?? result.parse_mode;
  const raw = [content.message_text, result.caption, result.title, result.type].find(
    (text) => typeof text === 'string',
  );
  const { text, entities } = formatText(String(raw), typeof mode === 'string' ? mode : undefined, undefined);
  const markup = result.reply_markup as Content['reply_markup'];
  return { text, ...(entities.length > 0 ? { entities } : {}), ...(markup ? { reply_markup: markup } : {}) };
}

/** Only a message with buttons gets a number by which it can be edited. */
export const answerWebAppQuery: Method = (call) => {
  const content = readAppResult(call);
  takeQuery(call, 'web_app', 'web_app_query_id').onAnswer?.({ content });
  return content.reply_markup ? { inline_message_id: `inline${call.world.clock.wall().toString(36)}` } : {};
};
