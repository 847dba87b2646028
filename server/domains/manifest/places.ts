// Where each element stands: in which page, how deep, and which rows it sees as `row`.
import { CONTAINERS, type Element } from '../../../contract/app/elements.ts';
import { APP_LIMITS } from '../../../contract/app/limits.ts';
import type { Fault } from '../../../contract/flow.ts';
import type { Manifest } from '../../../contract/manifest.ts';
import { own, stop, warn } from './checks/fault.ts';

/** Data sources whose rows may be at hand here; undefined where nobody knows, so that nothing is complained about. */
export type Rows = readonly string[] | undefined;

export type Places = {
  /** Of every element that a page shows. */
  readonly rowsOf: ReadonlyMap<string, Rows>;
  /** Of the page itself: what the number at the end of its address means. */
  readonly rowsOfPage: ReadonlyMap<string, Rows>;
  readonly faults: readonly Fault[];
};

/** Walks the pages from their roots. A cycle or an element that stands twice ends the walk there and is told. */
export function placesOf(manifest: Manifest): Places {
  const walk = new Walk(manifest);
  return { rowsOf: walk.rowsOf, rowsOfPage: pageRows(manifest), faults: walk.faults };
}

type Step = { readonly id: string; readonly path: string; readonly depth: number; readonly rows: Rows };

class Walk {
  readonly rowsOf = new Map<string, Rows>();
  readonly faults: Fault[] = [];
  readonly #manifest: Manifest;
  readonly #standsIn = new Map<string, string>();

  constructor(manifest: Manifest) {
    this.#manifest = manifest;
    for (const [id, page] of Object.entries(manifest.pages)) this.#page(id, page.root);
    for (const id of Object.keys(manifest.elements)) {
      if (!this.#standsIn.has(id))
        this.faults.push(
          warn(
            'element_nowhere',
            `elements.${id}`,
            `Element "${id}" stands on no page.`,
            'Put it somewhere or remove it.',
          ),
        );
    }
  }

  #page(page: string, root: string): void {
    // `[]`: the rows of the page itself, which are not known yet.
    const open: Step[] = [{ id: root, path: `pages.${page}.root`, depth: 1, rows: [] }];
    for (let step = open.pop(); step !== undefined; step = open.pop()) {
      const element = this.#take(step);
      if (element === undefined) continue;
      const rows = element.type === 'each' ? [element.props.from] : step.rows;
      const children = element.children ?? [];
      children.forEach((id, index) =>
        open.push({ id, path: `elements.${step.id}.children.${index}`, depth: step.depth + 1, rows }),
      );
      this.#shape(step.id, element);
    }
  }

  /** The element of a step, unless the tree is broken here. */
  #take({ id, path, depth, rows }: Step): Element | undefined {
    const element = own(this.#manifest.elements, id);
    if (element === undefined) {
      this.faults.push(stop('element_missing', path, `There is no element "${id}".`, 'Add it or take it out here.'));
      return undefined;
    }
    const other = this.#standsIn.get(id);
    if (other !== undefined) {
      this.faults.push(
        stop(
          'element_twice',
          path,
          `Element "${id}" already stands at ${other}.`,
          'Make a copy of it with a name of its own.',
        ),
      );
      return undefined;
    }
    this.#standsIn.set(id, path);
    this.rowsOf.set(id, rows);
    if (depth > APP_LIMITS.depth) {
      this.faults.push(
        stop('too_deep', path, `Elements stand inside each other at most ${APP_LIMITS.depth} deep.`, 'Take a box out.'),
      );
      return undefined;
    }
    return element;
  }

  #shape(id: string, element: Element): void {
    const children = element.children ?? [];
    if (children.length > 0 && !CONTAINERS.has(element.type))
      this.faults.push(
        stop('children_refused', `elements.${id}.children`, `Nothing can stand inside "${element.type}".`),
      );
    if (element.type === 'tabs' && children.length !== element.props.labels.length)
      this.faults.push(
        stop(
          'tabs_uneven',
          `elements.${id}.children`,
          `There are ${element.props.labels.length} tabs and ${children.length} parts to show in them.`,
          'Give each label one child.',
        ),
      );
    if (CONTAINERS.has(element.type) && children.length === 0 && element.type !== 'tabs')
      this.faults.push(warn('element_empty', `elements.${id}`, `Nothing stands inside "${id}".`));
  }
}

/** The number at the end of a page's address means a row of its data source, else of the shop. */
function pageRows(manifest: Manifest): Map<string, Rows> {
  return new Map(
    Object.entries(manifest.pages).map(([id, page]) => {
      const data = page.data ?? manifest.shop?.data;
      return [id, data === undefined ? [] : [data]];
    }),
  );
}

/** On which page each element stands. */
export function pagesOfElements(manifest: Manifest): Map<string, string> {
  const pages = new Map<string, string>();
  for (const [page, { root }] of Object.entries(manifest.pages)) {
    const open = [root];
    for (let id = open.pop(); id !== undefined; id = open.pop()) {
      const element = own(manifest.elements, id);
      if (element === undefined || pages.has(id)) continue;
      pages.set(id, page);
      open.push(...(element.children ?? []));
    }
  }
  return pages;
}
