import { fileAddress } from './api.js';
import { el, icon } from './dom.js';
import { count, moneyOf, sizeOf, word } from './words.js';

function picture(photo) {
  const full = photo.at(-1);
  const address = fileAddress(full.file_unique_id);
  const image = el('img', {
    src: address,
    alt: word('photoAlt'),
    width: full.width,
    height: full.height,
    loading: 'lazy',
  });
  return el('a', { href: address, target: '_blank', rel: 'noopener', class: 'picture' }, image);
}

function movie(video, options = {}) {
  return el('video', {
    src: fileAddress(video.file_unique_id),
    controls: true,
    preload: 'metadata',
    playsinline: true,
    width: video.width,
    height: video.height,
    class: 'movie',
    ...options,
  });
}

function documentCard(file) {
  const facts = file.file_size === undefined ? '' : sizeOf(file.file_size);
  return el(
    'a',
    {
      class: 'card',
      href: fileAddress(file.file_unique_id),
      download: file.file_name ?? '',
      title: word('downloads'),
    },
    el('span', { class: 'card-icon' }, icon('file')),
    el(
      'span',
      { class: 'card-text' },
      el('strong', { text: file.file_name ?? word('file') }),
      el('small', { text: facts }),
    ),
  );
}

function sound(audio, title) {
  return el(
    'figure',
    { class: 'sound' },
    el('figcaption', { text: title }),
    el('audio', { controls: true, preload: 'none', src: fileAddress(audio.file_unique_id) }),
  );
}

function contactCard(contact) {
  const name = [contact.first_name, contact.last_name].filter(Boolean).join(' ');
  return el(
    'div',
    { class: 'card' },
    el('span', { class: 'card-icon' }, icon('person')),
    el('span', { class: 'card-text' }, el('strong', { text: name }), el('small', { text: contact.phone_number })),
  );
}

export function placeCard(location, venue) {
  const { latitude, longitude } = location;
  const href = `https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=15/${latitude}/${longitude}`;
  const numbers = `${latitude.toFixed(5)}, ${longitude.toFixed(5)}`;
  return el(
    'a',
    { class: 'card', href, target: '_blank', rel: 'noopener noreferrer', title: word('openMap') },
    el('span', { class: 'card-icon' }, icon('place')),
    el(
      'span',
      { class: 'card-text' },
      el('strong', { text: venue?.title ?? word('location') }),
      el('small', { text: venue?.address ?? numbers }),
    ),
  );
}

function pollCard(message, act) {
  const { poll } = message;
  const title = `${poll.type === 'quiz' ? word('quiz') : word('poll')}${poll.is_closed ? `, ${word('closed')}` : ''}`;
  const options = poll.options.map((option, index) =>
    el(
      'button',
      {
        type: 'button',
        class: 'poll-option',
        disabled: poll.is_closed,
        onclick: () => act('vote', { message_id: message.message_id, options: [index] }),
      },
      el('span', { text: option.text }),
      el('small', { text: String(option.voter_count) }),
    ),
  );
  return el(
    'div',
    { class: 'poll' },
    el('strong', { text: poll.question }),
    el('small', { text: `${title} · ${count('votes', poll.total_voter_count)}` }),
    ...options,
  );
}

function invoiceCard(invoice) {
  return el(
    'div',
    { class: 'invoice' },
    el('strong', { text: invoice.title }),
    el('span', { text: invoice.description }),
    el('b', { text: moneyOf(invoice.total_amount, invoice.currency) }),
  );
}

/** What a message carries beside its text; undefined where it is text alone. */
export function mediaOf(message, act) {
  if (message.photo) return picture(message.photo);
  if (message.animation) return movie(message.animation, { loop: true, muted: true });
  if (message.video) return movie(message.video);
  if (message.video_note) return movie(message.video_note, { class: 'movie round' });
  if (message.live_photo) return movie(message.live_photo);
  if (message.voice) return sound(message.voice, word('voice'));
  if (message.audio) return sound(message.audio, message.audio.title ?? message.audio.file_name ?? word('media_audio'));
  if (message.sticker)
    return el('img', {
      class: 'sticker',
      src: fileAddress(message.sticker.file_unique_id),
      alt: message.sticker.emoji ?? word('sticker'),
    });
  if (message.document) return documentCard(message.document);
  if (message.venue) return placeCard(message.venue.location, message.venue);
  if (message.location) return placeCard(message.location);
  if (message.contact) return contactCard(message.contact);
  if (message.poll) return pollCard(message, act);
  if (message.invoice) return invoiceCard(message.invoice);
  if (message.dice)
    return el(
      'div',
      { class: 'dice' },
      el('span', { text: message.dice.emoji }),
      el('b', { text: String(message.dice.value) }),
    );
  if (message.paid_media) return paidMedia(message.paid_media);
  if (message.checklist) return checklist(message.checklist);
  return undefined;
}

function paidMedia({ star_count: stars, paid_media: items }) {
  const nodes = items.map((item) =>
    item.photo ? picture(item.photo) : item.video ? movie(item.video) : el('span', { text: word('unknown') }),
  );
  return el('div', { class: 'invoice' }, el('b', { text: moneyOf(stars, 'XTR') }), ...nodes);
}

/** Plain words of a rich text, whatever it is made of. */
function plain(rich) {
  if (typeof rich === 'string') return rich;
  if (Array.isArray(rich)) return rich.map(plain).join('');
  return rich && typeof rich === 'object' ? plain(rich.text ?? '') : '';
}

function checklist({ title, tasks }) {
  return el(
    'div',
    { class: 'poll' },
    el('strong', { text: title }),
    ...tasks.map((task) => el('span', { text: `${task.completion_date ? '☑' : '☐'} ${task.text}` })),
  );
}

/** The words that stand for a message in lists and replies. */
export function summaryOf(message) {
  const words = message.rich_message?.blocks
    .map((block) => plain(block.text ?? ''))
    .join(' ')
    .trim();
  const text = message.text ?? message.caption ?? words;
  if (text) return text.replace(/\s+/g, ' ').slice(0, 120);
  const kind = [
    'photo',
    'animation',
    'video',
    'voice',
    'audio',
    'sticker',
    'document',
    'contact',
    'location',
    'poll',
    'video_note',
    'invoice',
  ].find((name) => message[name]);
  if (kind) return word(`media_${kind}`);
  return serviceText(message) ?? word('unknown');
}

/** A service message in words; undefined where it is an ordinary one. */
export function serviceText(message) {
  const names = (people) => people.map((person) => person.first_name).join(', ');
  if (message.new_chat_members) return `${names(message.new_chat_members)} ${word('joined')}`;
  if (message.left_chat_member) return `${names([message.left_chat_member])} ${word('left')}`;
  if (message.pinned_message) return `${message.from?.first_name ?? ''} ${word('pinned')}`.trim();
  if (message.new_chat_title) return `${word('newTitle')}: ${message.new_chat_title}`;
  if (message.migrate_to_chat_id || message.migrate_from_chat_id) return word('becameSuper');
  if (message.successful_payment)
    return `${word('paid')}: ${moneyOf(message.successful_payment.total_amount, message.successful_payment.currency)}`;
  if (message.refunded_payment) return `${word('refunded')}: ${moneyOf(message.refunded_payment.total_amount, 'XTR')}`;
  if (message.web_app_data) return `${word('webData')}: ${message.web_app_data.data}`;
  if (message.write_access_allowed) return `${message.from?.first_name ?? ''} ${word('mayWrite')}`.trim();
  return undefined;
}
