/**
 * Makes an element. Text and children become nodes, never markup: this is the only way the page builds anything, so
 * nothing that a message says can turn into HTML.
 * @param {string} tag
 * @param {Record<string, unknown>} [options] attributes; `on*` are listeners, `class`, `text`, booleans
 * @param {...(Node | string | null | undefined | false)} children
 */
export function el(tag, options = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith('on') && typeof value === 'function') node.addEventListener(name.slice(2), value);
    else if (name === 'class') node.className = String(value);
    else if (name === 'text') node.textContent = String(value);
    else if (name === 'value') node.value = value;
    else node.setAttribute(name, value === true ? '' : String(value));
  }
  node.append(...children.filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

const SHAPES = {
  back: ['M15 5l-7 7 7 7'],
  send: ['M4 12l16-8-6 16-2.500-6.500z'],
  attach: ['M12 5v14', 'M5 12h14'],
  keys: ['M3 7h18v11H3z', 'M7 11h.01M11 11h.01M15 11h.01M8 15h8'],
  commands: ['M15 5l-6 14'],
  more: ['M12 6h.01', 'M12 12h.01', 'M12 18h.01'],
  link: ['M8 16L16 8', 'M9.500 8H16v6.500'],
  copy: ['M9 9h10v10H9z', 'M15 9V5H5v10h4'],
  file: ['M7 3h7l4 4v14H7z', 'M14 3v4h4'],
  photo: ['M4 6h16v12H4z', 'M4 16l5-5 4 4 3-3 4 4'],
  person: ['M12 12a3.500 3.500 0 1 0 0-7 3.500 3.500 0 0 0 0 7z', 'M5 20c.8-3.500 3.500-5 7-5s6.200 1.500 7 5'],
  place: ['M12 21c4-5 6-8 6-11a6 6 0 1 0-12 0c0 3 2 6 6 11z', 'M12 12a2 2 0 1 0 0-4 2 2 0 0 0 0 4z'],
  reply: ['M10 7L5 12l5 5', 'M5 12h9c3 0 5 2 5 5'],
  edit: ['M5 19l1-4L16 5l3 3L9 18z'],
  bin: ['M5 7h14', 'M9 7V4h6v3', 'M7 7l1 13h8l1-13'],
  down: ['M6 9l6 6 6-6'],
  close: ['M6 6l12 12', 'M18 6L6 18'],
  app: ['M5 5h14v14H5z', 'M5 9h14'],
  search: ['M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14z', 'M20 20l-4-4'],
};

/** A line icon; the word beside it (or the label of its button) says what it means. */
export function icon(name) {
  const space = 'http://www.w3.org/2000/svg';
  const svg = document.createElementNS(space, 'svg');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('aria-hidden', 'true');
  svg.setAttribute('class', 'icon');
  for (const shape of SHAPES[name] ?? []) {
    const path = document.createElementNS(space, 'path');
    path.setAttribute('d', shape);
    svg.append(path);
  }
  return svg;
}

/** A button that shows only an icon and is called `label`. */
export function iconButton(name, label, onclick, options = {}) {
  return el(
    'button',
    { type: 'button', class: 'icon-button', 'aria-label': label, title: label, onclick, ...options },
    icon(name),
  );
}

/** A round picture made of the first letters of a name. */
export function avatar(name, id = 0) {
  const letters = [...String(name ?? '').trim()].filter((char) => /[\p{L}\p{N}]/u.test(char));
  const words = String(name ?? '')
    .trim()
    .split(/\s+/);
  const second = words.length > 1 ? [...words[1]][0] : '';
  const text = `${letters[0] ?? '?'}${/[\p{L}\p{N}]/u.test(second ?? '') ? second : ''}`.toUpperCase();
  return el('span', { class: `avatar tone-${Math.abs(id) % 4}`, 'aria-hidden': 'true', text });
}

/** Makes `nodes` the children of `parent`, touching only what changed: a playing video goes on, focus stays. */
export function reconcile(parent, nodes) {
  const wanted = new Set(nodes);
  for (const child of [...parent.children]) if (!wanted.has(child)) child.remove();
  let at = parent.firstChild;
  for (const node of nodes) {
    if (node === at) at = at.nextSibling;
    else parent.insertBefore(node, at);
  }
}
