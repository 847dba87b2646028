import { el } from './dom.js';
import { word } from './words.js';

const SAFE = /^(https?|tg|mailto|tel):/i;

/** A link that leads out of the page; other schemes stay words. */
export function link(address, children) {
  const href = /^[a-z][a-z0-9+.-]*:/i.test(address) ? address : `https://${address}`;
  if (!SAFE.test(href)) return el('span', {}, ...children);
  return el('a', { href, target: '_blank', rel: 'noopener noreferrer nofollow', title: href }, ...children);
}

/** Hidden from everybody until it is asked for: also from those who listen instead of looking. */
function spoiler(children) {
  const secret = el('span', { 'aria-hidden': 'true' }, ...children);
  const node = el('span', { class: 'spoiler', role: 'button', tabindex: '0', 'aria-label': word('reveal') }, secret);
  const show = () => {
    node.classList.add('shown');
    secret.removeAttribute('aria-hidden');
    for (const name of ['role', 'tabindex', 'aria-label']) node.removeAttribute(name);
  };
  node.addEventListener('click', show);
  node.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' && event.key !== ' ') return;
    event.preventDefault();
    show();
  });
  return node;
}

function preformatted(entity, children) {
  const code = el('code', {}, ...children);
  const title = entity.language ? el('span', { class: 'language', text: entity.language }) : null;
  return el('pre', { tabindex: '0' }, title, code);
}

/** One mark around its children. `run` sends a command that was pressed. */
function wrap(entity, text, children, run) {
  switch (entity.type) {
    case 'bold':
      return el('strong', {}, ...children);
    case 'italic':
      return el('em', {}, ...children);
    case 'underline':
      return el('u', {}, ...children);
    case 'strikethrough':
      return el('s', {}, ...children);
    case 'code':
      return el('code', {}, ...children);
    case 'pre':
      return preformatted(entity, children);
    case 'blockquote':
    case 'expandable_blockquote':
      return el('blockquote', {}, ...children);
    case 'spoiler':
      return spoiler(children);
    case 'url':
      return link(text, children);
    case 'text_link':
      return link(entity.url ?? '', children);
    case 'email':
      return link(`mailto:${text}`, children);
    case 'phone_number':
      return link(`tel:${text}`, children);
    case 'bot_command':
      return el('button', { type: 'button', class: 'inline-link', onclick: () => run?.(text) }, ...children);
    case 'mention':
    case 'text_mention':
    case 'hashtag':
    case 'cashtag':
      return el('span', { class: 'mention' }, ...children);
    default:
      return el('span', {}, ...children);
  }
}

/** Nodes of text[from, to); `entities` are sorted by offset, the longer first. */
function build(text, from, to, entities, run) {
  const nodes = [];
  let at = from;
  let index = 0;
  while (index < entities.length) {
    const entity = entities[index];
    const start = Math.max(entity.offset, at);
    const end = Math.min(entity.offset + entity.length, to);
    if (end <= start) {
      index += 1;
      continue;
    }
    if (start > at) nodes.push(document.createTextNode(text.slice(at, start)));
    const inner = [];
    index += 1;
    while (index < entities.length && entities[index].offset < end) inner.push(entities[index++]);
    nodes.push(wrap(entity, text.slice(start, end), build(text, start, end, inner, run), run));
    at = end;
  }
  if (at < to) nodes.push(document.createTextNode(text.slice(at, to)));
  return nodes;
}

/** A text with its marks, as nodes. */
export function richText(text, entities, run) {
  const sorted = [...(entities ?? [])].sort((one, other) => one.offset - other.offset || other.length - one.length);
  return build(text, 0, text.length, sorted, run);
}
