import { avatar, el, icon, iconButton } from './dom.js';
import { richText } from './entities.js';
import { inlineKeyboard } from './keyboard.js';
import { mediaOf, serviceText, summaryOf } from './media.js';
import { menu } from './notice.js';
import { richMessage } from './rich.js';
import { timeOf, word } from './words.js';

function replyQuote(message, jump) {
  const { reply_to_message: reply } = message;
  if (!reply) return null;
  return el(
    'button',
    { type: 'button', class: 'quote', onclick: () => jump(reply.message_id) },
    el('strong', { text: reply.from?.first_name ?? reply.sender_chat?.title ?? '' }),
    el('span', { text: summaryOf(reply) }),
  );
}

function forwardLine(message) {
  const origin = message.forward_origin;
  if (!origin) return null;
  const name = origin.sender_user?.first_name ?? origin.sender_user_name ?? origin.chat?.title ?? '';
  return el('small', { class: 'forward', text: `${word('forwarded')} ${name}` });
}

function textOf(message, doings) {
  const text = message.text ?? message.caption;
  if (text === undefined) return null;
  const nodes = richText(text, message.entities ?? message.caption_entities, doings.command);
  return el('div', { class: 'text', dir: 'auto' }, ...nodes);
}

function reactionsOf(message, reactions) {
  const tally = new Map();
  for (const [key, list] of Object.entries(reactions ?? {})) {
    if (key.split(':')[0] !== String(message.message_id) || key.endsWith(':vote')) continue;
    for (const { emoji } of list) if (emoji) tally.set(emoji, (tally.get(emoji) ?? 0) + 1);
  }
  if (tally.size === 0) return null;
  return el(
    'div',
    { class: 'reactions' },
    ...[...tally].map(([emoji, number]) => el('span', { text: number > 1 ? `${emoji} ${number}` : emoji })),
  );
}

function actionsOf(message, mine, doings) {
  const items = [{ label: word('reply'), picture: icon('reply'), run: () => doings.reply(message) }];
  if (message.text ?? message.caption) {
    items.push({ label: word('copy'), picture: icon('copy'), run: () => doings.copy(message.text ?? message.caption) });
  }
  if (mine && message.text !== undefined)
    items.push({ label: word('edit'), picture: icon('edit'), run: () => doings.edit(message) });
  items.push({ label: word('erase'), picture: icon('bin'), danger: true, run: () => doings.erase(message) });
  const open = (event) => menu(event.currentTarget, items);
  return iconButton('more', word('actions'), open, {
    class: 'icon-button actions',
    'aria-haspopup': 'menu',
    'aria-expanded': 'false',
  });
}

/** Where the last picture shows its own edge, the time lies on a dark plate. */
function footer(message) {
  const edited = message.edit_date ? `${word('edited')} ` : '';
  const iso = new Date(message.date * 1000).toISOString();
  return el('time', { class: 'time', datetime: iso, text: `${edited}${timeOf(message.date)}` });
}

function onlyMedia(messages) {
  return messages.every((message) => message.photo || message.video || message.animation || message.sticker);
}

/** One bubble: a message, or the messages of an album. */
function bubble(messages, mine, context) {
  const [first] = messages;
  const spoken = messages.find((message) => message.caption ?? message.text) ?? first;
  const media = messages.map((message) => mediaOf(message, context.doings.act)).filter(Boolean);
  const text = first.rich_message ? richMessage(first, context.doings) : textOf(spoken, context.doings);
  const sender =
    context.group && !mine
      ? el('strong', { class: 'sender', text: first.from?.first_name ?? first.sender_chat?.title ?? '' })
      : null;
  const bare = media.length > 0 && !text && !sender && onlyMedia(messages);
  const body = el(
    'div',
    { class: `bubble${bare ? ' bare' : ''}${media.length > 0 ? ' with-media' : ''}` },
    sender,
    forwardLine(first),
    replyQuote(first, context.doings.jump),
    media.length > 1
      ? el(
          'div',
          { class: `album of-${Math.min(media.length, 4)}`, role: 'group', 'aria-label': word('album') },
          ...media,
        )
      : media[0],
    text,
    text || media.length > 0 ? null : el('div', { class: 'text muted', text: word('unknown') }),
    footer(messages.at(-1)),
  );
  return el('div', { class: 'bubble-line' }, body, actionsOf(first, mine, context.doings));
}

/**
 * A message (or an album) as it stands in the list.
 * `context`: `me` (who reads), `group`, `reactions`, and `doings`: press pay app command reply copy edit erase jump act.
 */
export function messageNode(messages, context) {
  const [first] = messages;
  const service = serviceText(first);
  const ids = messages.map(({ message_id: id }) => id);
  if (service) return el('div', { class: 'service', 'data-ids': ids.join(' ') }, el('span', { text: service }));
  const mine = first.from?.id === context.me;
  const buttons = first.reply_markup?.inline_keyboard
    ? inlineKeyboard(first.reply_markup, {
        press: (button) => context.doings.press(first, button),
        pay: (button) => context.doings.pay(first, button),
        app: (at) => context.doings.app(first, at),
      })
    : null;
  return el(
    'article',
    {
      class: `message ${mine ? 'mine' : 'theirs'}`,
      'data-ids': ids.join(' '),
      'aria-label': first.from?.first_name ?? '',
    },
    context.group && !mine ? avatar(first.from?.first_name ?? first.sender_chat?.title, first.from?.id) : null,
    el('div', { class: 'column' }, bubble(messages, mine, context), buttons, reactionsOf(first, context.reactions)),
  );
}

/** Messages in the order they stand, albums together. */
export function grouped(messages) {
  const groups = [];
  for (const message of messages) {
    const last = groups.at(-1);
    const album = message.media_group_id;
    if (album && last?.[0].media_group_id === album) last.push(message);
    else groups.push([message]);
  }
  return groups;
}
