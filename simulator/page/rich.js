import { el } from './dom.js';
import { link } from './entities.js';
import { inlineButton } from './keyboard.js';
import { mediaOf, placeCard } from './media.js';

const MARKS = {
  bold: 'strong',
  italic: 'em',
  underline: 'u',
  strikethrough: 's',
  code: 'code',
  marked: 'mark',
  subscript: 'sub',
  superscript: 'sup',
};

/** A rich text as nodes: words, a list, or a mark around them. */
function texts(rich) {
  if (typeof rich === 'string') return [document.createTextNode(rich)];
  if (Array.isArray(rich)) return rich.flatMap(texts);
  if (!rich || typeof rich !== 'object') return [];
  const children = texts(rich.text ?? rich.expression ?? '');
  if (rich.type === 'url') return [link(rich.url, children)];
  if (rich.type === 'email_address') return [link(`mailto:${rich.email_address}`, children)];
  if (rich.type === 'phone_number') return [link(`tel:${rich.phone_number}`, children)];
  return MARKS[rich.type] ? [el(MARKS[rich.type], {}, ...children)] : children;
}

function listNode({ items }, draw) {
  const isNumbered = items.some((item) => item.type);
  return el(
    isNumbered ? 'ol' : 'ul',
    {},
    ...items.map((item) =>
      el(
        'li',
        { value: isNumbered ? item.value : undefined, class: item.has_checkbox ? 'checked' : undefined },
        item.has_checkbox ? el('span', { text: item.is_checked ? '☑ ' : '☐ ' }) : null,
        ...item.blocks.map(draw),
      ),
    ),
  );
}

function tableNode({ cells }) {
  const row = (line) => el('tr', {}, ...line.map((one) => el(one.is_header ? 'th' : 'td', {}, ...texts(one.text))));
  return el('div', { class: 'rich-table', tabindex: '0' }, el('table', {}, el('tbody', {}, ...cells.map(row))));
}

const credit = (block) => (block.credit ? el('cite', {}, ...texts(block.credit)) : null);
const caption = (block) => (block.caption?.text ? el('small', {}, ...texts(block.caption.text)) : null);

/** One block; `draw` draws those inside, `keys` its buttons. */
function blockNode(block, draw, keys) {
  switch (block.type) {
    case 'heading':
      return el(`h${Math.min(6, block.size + 2)}`, {}, ...texts(block.text));
    case 'pre':
      return el('pre', { tabindex: '0' }, el('code', {}, ...texts(block.text)));
    case 'footer':
      return el('p', {}, el('small', {}, ...texts(block.text)));
    case 'divider':
      return el('hr');
    case 'list':
      return listNode(block, draw);
    case 'blockquote':
      return el('blockquote', {}, ...block.blocks.map(draw), credit(block));
    case 'expandable_blockquote':
    case 'pullquote':
      return el('blockquote', {}, el('p', {}, ...texts(block.text)), credit(block));
    case 'collage':
    case 'slideshow':
      return el('div', { class: 'rich-slides', tabindex: '0', role: 'group' }, ...block.blocks.map(draw));
    case 'table':
      return tableNode(block);
    case 'details':
      return el(
        'details',
        { open: block.is_open === true },
        el('summary', {}, ...texts(block.summary)),
        ...block.blocks.map(draw),
      );
    case 'map':
      return el('div', {}, placeCard(block.location), caption(block));
    case 'buttons':
      return keys(block);
    default: {
      const file = mediaOf({ ...block, voice: block.voice_note });
      return file ? el('div', {}, file, caption(block)) : el('p', {}, ...texts(block.text ?? block.expression));
    }
  }
}

/** A rich message. Its buttons count on from the rows of the keyboard under it. */
export function richMessage(message, doings) {
  let row = message.reply_markup?.inline_keyboard?.length ?? 0;
  const keys = ({ buttons }) => {
    const at = row++;
    const pressed = (column) => ({
      press: (button) => doings.press(message, button),
      pay: (button) => doings.pay(message, button),
      app: (place) => doings.app(message, { ...place, column }),
    });
    return el(
      'div',
      { class: 'key-row' },
      ...buttons.map((button, column) => inlineButton(button, pressed(column), { row: at, column })),
    );
  };
  const draw = (block) => blockNode(block, draw, keys);
  return el('div', { class: 'text rich', dir: 'auto' }, ...message.rich_message.blocks.map(draw));
}
