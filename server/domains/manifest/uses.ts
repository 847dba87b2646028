// Everything a manifest refers to, as one flat list with places: the checks walk this and not the manifest.
import type { Action } from '../../../contract/app/actions.ts';
import type { AppCondition } from '../../../contract/app/conditions.ts';
import type { Element, ElementOf } from '../../../contract/app/elements.ts';
import type { FormField } from '../../../contract/app/forms.ts';
import type { Content } from '../../../contract/app/texts.ts';
import type { Media } from '../../../contract/flow.ts';
import type { Manifest } from '../../../contract/manifest.ts';
import { type Places, pagesOfElements, type Rows } from './places.ts';

export type Use = { readonly path: string } & (
  | { readonly what: 'text'; readonly key: string; readonly rows: Rows }
  | { readonly what: 'read'; readonly from: string; readonly format?: string | undefined; readonly rows: Rows }
  | { readonly what: 'media'; readonly id: string; readonly kinds: readonly Media['kind'][] }
  | { readonly what: 'data' | 'locale'; readonly id: string }
  /** `shown`: it is asked there, and not sent by a button. */
  | { readonly what: 'form'; readonly id: string; readonly page?: string | undefined; readonly shown: boolean }
  /** A text that is opened as an address. */
  | { readonly what: 'address'; readonly key: string }
  /** `rows`: what a link with `item` brings along; absent where it brings nothing. */
  | { readonly what: 'page'; readonly id: string; readonly rows?: Rows; readonly page?: string | undefined }
  /** A field that the rows of this data source must bring to the phone. */
  | { readonly what: 'field'; readonly data: string; readonly field: string }
  /** A column whose values are shown as this. */
  | { readonly what: 'column'; readonly column: string; readonly wanted: 'picture' | 'price'; readonly rows: Rows }
  /** What shows the row at hand as one of the shop's goods. */
  | { readonly what: 'goods'; readonly rows: Rows }
  /** `isListed`: inside a list of rows, whatever the page is about. */
  | ({ readonly what: 'action'; readonly action: Action; readonly rows: Rows } & Standing)
  | { readonly what: 'shop' }
  | { readonly what: 'condition'; readonly condition: AppCondition; readonly rows: Rows }
);

/** Where an element or a button stands; no page where that is not one. */
type Standing = { readonly page?: string | undefined; readonly isListed?: boolean };

const pictures: readonly Media['kind'][] = ['photo'];
const films: readonly Media['kind'][] = ['video', 'animation'];
const sounds: readonly Media['kind'][] = ['audio', 'voice'];
const papers: readonly Media['kind'][] = ['document'];

/** All uses, in the order in which they stand. */
export function usesOf(manifest: Manifest, places: Places): Use[] {
  const list = new Uses();
  list.page(manifest.start, 'start');
  for (const [id, page] of Object.entries(manifest.pages)) {
    const path = `pages.${id}`;
    const rows = places.rowsOfPage.get(id) ?? [];
    list.standing = { page: id };
    if (page.data !== undefined) list.data(page.data, `${path}.data`);
    list.text(page.title, `${path}.title`, rows);
    list.text(page.description, `${path}.description`, rows);
    for (const name of ['mainButton', 'secondaryButton'] as const) {
      const button = page[name];
      if (button === undefined) continue;
      list.text(button.text, `${path}.${name}.text`, rows);
      list.action(button.do, `${path}.${name}.do`, rows);
    }
  }
  const rowsOf = rowsAt(manifest, places);
  const pages = pagesOfElements(manifest);
  for (const [id, element] of Object.entries(manifest.elements)) {
    const path = `elements.${id}`;
    const rows = rowsOf(id);
    list.standing = { page: pages.get(id), isListed: (places.rowsOf.get(id) ?? []).length > 0 };
    if (element.showIf !== undefined) list.condition(element.showIf, `${path}.showIf`, rows);
    elementUses(list, element, `${path}.props`, rows, manifest);
  }
  list.standing = {};
  for (const [id, form] of Object.entries(manifest.forms ?? {})) {
    const path = `forms.${id}`;
    list.text(form.submit, `${path}.submit`);
    list.text(form.done, `${path}.done`);
    if (form.doneWeb !== undefined) list.text(form.doneWeb, `${path}.doneWeb`);
    if (form.after !== undefined) list.action(form.after, `${path}.after`, undefined);
    for (const [name, field] of Object.entries(form.fields)) fieldUses(list, field, `${path}.fields.${name}`);
  }
  if (manifest.site !== undefined) {
    list.text(manifest.site.name, 'site.name');
    list.text(manifest.site.description, 'site.description');
    if (manifest.site.image !== undefined) list.media(manifest.site.image, 'site.image', pictures);
  }
  return list.uses;
}

/** The rows an element sees: of the nearest list around it, else of its page. */
function rowsAt(manifest: Manifest, places: Places): (element: string) => Rows {
  const pages = pagesOfElements(manifest);
  return (element) => {
    const rows = places.rowsOf.get(element);
    const page = pages.get(element);
    if (rows === undefined || page === undefined) return undefined;
    return rows.length > 0 ? rows : (places.rowsOfPage.get(page) ?? []);
  };
}

class Uses {
  readonly uses: Use[] = [];
  /** Of what is looked at. */
  standing: Standing = {};

  text(key: string | undefined, path: string, rows: Rows = undefined): void {
    if (key !== undefined) this.uses.push({ what: 'text', key, path, rows });
  }

  content(content: Content | undefined, path: string, rows: Rows): void {
    if (content === undefined) return;
    if (typeof content === 'string') this.text(content, path, rows);
    else this.uses.push({ what: 'read', from: content.from, format: content.format, path: `${path}.from`, rows });
  }

  media(id: string, path: string, kinds: readonly Media['kind'][]): void {
    this.uses.push({ what: 'media', id, path, kinds });
  }

  page(id: string, path: string, rows?: Rows): void {
    this.uses.push({ what: 'page', id, path, rows, page: this.standing.page });
  }

  form(id: string, path: string, shown = true): void {
    this.uses.push({ what: 'form', id, path, page: this.standing.page, shown });
  }

  data(id: string, path: string): void {
    this.uses.push({ what: 'data', id, path });
  }

  field(data: string, field: string | undefined, path: string): void {
    if (field !== undefined) this.uses.push({ what: 'field', data, field, path });
  }

  shop(path: string): void {
    this.uses.push({ what: 'shop', path });
  }

  column(column: string | undefined, path: string, wanted: 'picture' | 'price', rows: Rows): void {
    if (column !== undefined) this.uses.push({ what: 'column', column, path, wanted, rows });
  }

  goods(path: string, rows: Rows): void {
    this.uses.push({ what: 'goods', path, rows });
  }

  condition(condition: AppCondition, path: string, rows: Rows): void {
    this.uses.push({ what: 'condition', condition, path, rows });
  }

  action(action: Action, path: string, rows: Rows): void {
    this.uses.push({ what: 'action', action, path, rows, ...this.standing });
    if ('go' in action) this.page(action.go, `${path}.go`, action.item ? rows : undefined);
    else if ('submit' in action) this.form(action.submit, `${path}.submit`, false);
    else if ('cart' in action) this.shop(`${path}.cart`);
    else if ('openFrom' in action) this.#address(action.openFrom, `${path}.openFrom`, rows);
    else if ('share' in action) this.text(action.share, `${path}.share`, rows);
    else if ('language' in action) this.uses.push({ what: 'locale', id: action.language, path: `${path}.language` });
  }

  #address(content: Content, path: string, rows: Rows): void {
    this.content(content, path, rows);
    if (typeof content === 'string') this.uses.push({ what: 'address', key: content, path });
  }
}

function elementUses(list: Uses, element: Element, path: string, rows: Rows, manifest: Manifest): void {
  switch (element.type) {
    case 'image':
      if ('media' in element.props.photo) list.media(element.props.photo.media, `${path}.photo.media`, pictures);
      else {
        const { from } = element.props.photo;
        list.content({ from }, `${path}.photo`, rows);
        if (from.startsWith('row.')) list.column(from.slice('row.'.length), `${path}.photo.from`, 'picture', rows);
      }
      list.content(element.props.alt, `${path}.alt`, rows);
      if (element.props.do !== undefined) list.action(element.props.do, `${path}.do`, rows);
      return;
    case 'gallery':
      element.props.media.forEach((id, index) => list.media(id, `${path}.media.${index}`, pictures));
      return list.text(element.props.alt, `${path}.alt`, rows);
    case 'video':
      list.media(element.props.media, `${path}.media`, films);
      if (element.props.poster !== undefined) list.media(element.props.poster, `${path}.poster`, pictures);
      return list.text(element.props.title, `${path}.title`, rows);
    case 'audio':
    case 'file':
      list.media(element.props.media, `${path}.media`, element.type === 'audio' ? sounds : papers);
      return list.text(element.props.title, `${path}.title`, rows);
    case 'button':
      list.content(element.props.text, `${path}.text`, rows);
      return list.action(element.props.do, `${path}.do`, rows);
    case 'links':
      return element.props.items.forEach((item, index) => {
        list.content(item.text, `${path}.items.${index}.text`, rows);
        list.action(item.do, `${path}.items.${index}.do`, rows);
      });
    case 'products':
    case 'product':
    case 'cart':
    case 'summary':
      return shopUses(list, element, path, rows, manifest);
    case 'form':
      return list.form(element.props.form, `${path}.form`);
    case 'quiz':
      list.form(element.props.form, `${path}.form`);
      return element.props.results.forEach((result, index) => {
        if (result.showIf) list.condition(result.showIf, `${path}.results.${index}.showIf`, rows);
        list.text(result.text, `${path}.results.${index}.text`, rows);
      });
    default:
      return contentUses(list, element, path, rows);
  }
}

type ShopElement = ElementOf<'products'> | ElementOf<'product'> | ElementOf<'cart'> | ElementOf<'summary'>;

function shopUses(list: Uses, element: ShopElement, path: string, rows: Rows, manifest: Manifest): void {
  list.shop(path);
  if (element.type === 'cart') return list.text(element.props.empty, `${path}.empty`, rows);
  if (element.type === 'summary') return list.text(element.props.title, `${path}.title`, rows);
  const data = manifest.shop?.data ?? '';
  if (element.type === 'product') list.goods(path, rows);
  list.column(element.props.photo, `${path}.photo`, 'picture', [data]);
  list.field(data, element.props.photo, `${path}.photo`);
  list.field(data, element.props.about, `${path}.about`);
  if (element.type === 'product') return list.text(element.props.missing, `${path}.missing`, rows);
  list.field(data, element.props.category, `${path}.category`);
  if (element.props.open !== undefined) list.page(element.props.open, `${path}.open`, [data]);
  list.text(element.props.empty, `${path}.empty`, rows);
}

type ContentElement = Exclude<
  Element,
  ShopElement | ElementOf<'image' | 'gallery' | 'video' | 'audio' | 'file' | 'button' | 'links' | 'form' | 'quiz'>
>;

/** What is left holds only texts and contents, and `each` its source. */
function contentUses(list: Uses, element: ContentElement, path: string, rows: Rows): void {
  const props = element.props as { readonly [name: string]: unknown };
  if (element.type === 'each') list.data(element.props.from, `${path}.from`);
  if (element.type === 'list' || element.type === 'table' || element.type === 'tabs')
    return listUses(list, element, path, rows);
  for (const name of CONTENT_PROPS) {
    const content = props[name] as Content | undefined;
    if (content !== undefined && (typeof content === 'string' || typeof content === 'object'))
      list.content(content, `${path}.${name}`, rows);
  }
}

/** Props of content elements that are texts, whatever the element. */
const CONTENT_PROPS = [
  'text',
  'by',
  'summary',
  'empty',
  'label',
  'amount',
  'before',
  'phone',
  'email',
  'telegram',
  'address',
  'hours',
  'accept',
  'decline',
] as const;

function listUses(
  list: Uses,
  element: ElementOf<'list'> | ElementOf<'table'> | ElementOf<'tabs'>,
  path: string,
  rows: Rows,
): void {
  if (element.type === 'tabs')
    return element.props.labels.forEach((key, index) => list.text(key, `${path}.labels.${index}`, rows));
  if (element.type === 'list')
    return element.props.items.forEach((item, index) => list.content(item, `${path}.items.${index}`, rows));
  element.props.head?.forEach((key, index) => list.text(key, `${path}.head.${index}`, rows));
  element.props.rows.forEach((cells, row) =>
    cells.forEach((cell, index) => list.content(cell, `${path}.rows.${row}.${index}`, rows)),
  );
}

function fieldUses(list: Uses, field: FormField, path: string): void {
  if (field.type === 'hidden') return;
  list.text(field.label, `${path}.label`);
  list.text(field.hint, `${path}.hint`);
  if (field.showIf !== undefined) list.condition(field.showIf, `${path}.showIf`, undefined);
  if (field.type === 'text') list.text(field.placeholder, `${path}.placeholder`);
  if (field.type === 'select' || field.type === 'radio' || field.type === 'choices')
    field.options.forEach((option, index) => list.text(option.label, `${path}.options.${index}.label`));
  if (field.type === 'pick') {
    list.data(field.data, `${path}.data`);
    list.column(field.photo, `${path}.photo`, 'picture', [field.data]);
    list.column(field.price, `${path}.price`, 'price', [field.data]);
    for (const name of ['title', 'about', 'photo', 'price'] as const)
      list.field(field.data, field[name], `${path}.${name}`);
  }
}
