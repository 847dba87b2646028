// What both pages share: the same view and rows as the runtime gets, read by the same code into the same nodes.
// From their files and not through the door, as the runtime does: through it comes what only the server needs.
import { firstState } from '../../../miniapp/blocks/places.ts';
import { renderPage } from '../../../miniapp/blocks/show.ts';

/** Fetches what the page is made from. Answers with its nodes as they are now, and with what changes them. */
export async function load() {
  const start = JSON.parse(document.getElementById('v').textContent);
  const [pages, rows] = await Promise.all([start.view, start.rows].map(async (url) => (await fetch(url)).json()));
  const state = firstState({ ...start, telegram: false });
  return {
    nodes: () => renderPage(pages, rows, state),
    type(name, value) {
      state.values[name] = value;
    },
    press([deed, row]) {
      if (deed.cart !== 'add') return;
      const item = row.$item;
      state.cart[item] = (state.cart[item] ?? 0) + 1;
    },
  };
}

/** Nodes as a framework's elements. `rename` says what it calls an attribute. */
export function elements(nodes, create, rename, { press, type }) {
  return nodes.map((node) => {
    if (typeof node === 'string') return node;
    const props = {};
    for (const name in node.a) {
      const value = node.a[name];
      if (value === undefined) continue;
      if (name === 'do') {
        props.onClick = (event) => {
          event.preventDefault();
          press(value);
        };
      } else props[rename(name)] = value;
    }
    if (node.a.name) props[rename('input')] = ({ target }) => type(target.name, target.value);
    // No element of a page can hold anything and be a field at once.
    if (node.t === 'input' || node.t === 'img' || node.t === 'hr') return create(node.t, props);
    return create(node.t, props, ...elements(node.c ?? [], create, rename, { press, type }));
  });
}
