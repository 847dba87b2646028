// An order: what is in the cart, at the prices and in the numbers that the table has now.
import type { Shop } from '../../../../contract/app/forms.ts';
import { APP_LIMITS } from '../../../../contract/app/limits.ts';
import type { Row } from '../../../../contract/app/view.ts';
import type { Tx } from '../../../../kernel/db.ts';
import { Refusal } from '../../../../kernel/errors.ts';
import { takeFromRows } from '../../tables/tables.ts';
import { outdated } from '../kept.ts';
import type { AppRelease } from '../serving/releases.ts';
import { placeOf, readRows } from '../serving/rows.ts';
import type { NewLine, Stock } from '../sql.ts';
import { words } from '../words.ts';

export type Order = {
  readonly lines: readonly NewLine[];
  /** The same as they are called in the language of the project. */
  readonly projectLines: readonly NewLine[];
  readonly total: number;
  readonly currency: string;
  /** Where the goods were taken from; undefined where nobody counts them. */
  readonly stock: Stock | undefined;
};

/** What is wanted of one row. */
type Wanted = { readonly id: number; readonly variant: string | undefined; readonly count: number };

/** What the column of totals holds. */
const totalMax = 999_999_999_999.99;

/**
 * Takes an order: the goods off the stock where it is counted, the prices from the table. Throws Refusal
 * CART_CHANGED with what is gone, or INPUT_WRONG for more different things than an order holds. Nothing was taken then,
 * since the transaction ends with it.
 */
export async function takeOrder(
  tx: Tx,
  release: AppRelease,
  cart: { readonly [item: string]: number },
  facts: { readonly locale: string; readonly projectLocale: string; readonly money: (amount: number) => string },
): Promise<Order> {
  const says = words(facts.locale);
  const shop = release.app.shop;
  const data = shop && release.app.data?.[shop.data];
  const place = data && placeOf(release, data);
  if (shop === undefined || data === undefined || place === undefined) throw outdated(facts.locale);
  const wanted = Object.entries(cart).map(([item, count]) => wantedOf(item, count));
  if (wanted.length === 0) throw new Refusal('CART_CHANGED', says.cartEmpty, { items: {} });
  if (wanted.length > APP_LIMITS.cartItems) throw new Refusal('INPUT_WRONG', says.cartMany(APP_LIMITS.cartItems));
  // The stock is taken first: it locks the table, so the prices read afterwards are those of this very moment.
  const short = shop.stock === undefined ? [] : await takeStock(tx, place, shop.stock, wanted);
  const rows = await readRows(tx, release, data, { locale: facts.locale });
  const gone = wanted.flatMap((one) => fault(shop, rows, one, short, says.leftOnly));
  if (gone.length > 0) {
    const names = [...new Set(gone.map(({ name }) => name))].join(', ');
    throw new Refusal('CART_CHANGED', says.cartChanged(names), {
      items: Object.fromEntries(gone.map(({ id, left }) => [id, left])),
    });
  }
  const lines = wanted.map((one) => lineOf(shop, rows, one));
  const total = lines.reduce((sum, line) => sum + cents(line.price) * line.count, 0) / 100;
  if (total > totalMax) throw new Refusal('CART_CHANGED', says.cartDear, { items: {} });
  if (total < (shop.minimumTotal ?? 0))
    throw new Refusal('CART_CHANGED', says.minimum(facts.money(shop.minimumTotal ?? 0)), { items: {} });
  const stock = shop.stock === undefined ? undefined : { table: place.name, column: shop.stock };
  const own =
    facts.projectLocale === facts.locale
      ? undefined
      : await readRows(tx, release, data, { locale: facts.projectLocale });
  const projectLines = own === undefined ? lines : wanted.map((one) => lineOf(shop, own, one));
  return { lines, projectLines, total, currency: shop.currency, stock };
}

function wantedOf(item: string, count: number): Wanted {
  const cut = item.indexOf(':');
  return cut < 0
    ? { id: Number(item), variant: undefined, count }
    : { id: Number(item.slice(0, cut)), variant: item.slice(cut + 1), count };
}

/** Variants of one row share its stock. */
async function takeStock(
  tx: Tx,
  place: Parameters<typeof takeFromRows>[1],
  column: string,
  wanted: readonly Wanted[],
): Promise<readonly number[]> {
  const counts = new Map<number, number>();
  for (const { id, count } of wanted) counts.set(id, (counts.get(id) ?? 0) + count);
  const items = [...counts].sort(([a], [b]) => a - b).map(([id, count]) => ({ id, count }));
  return (await takeFromRows(tx, place, { column, items })).short;
}

type Gone = { readonly id: string; readonly name: string; readonly left: number };

function fault(
  shop: Shop,
  rows: readonly Row[],
  { id, variant }: Wanted,
  short: readonly number[],
  leftOnly: (name: string, left: number) => string,
): Gone[] {
  const row = rows.find((one) => one.id === id);
  const title = row === undefined ? `№ ${id}` : String(row[shop.title] ?? id);
  const price = row === undefined ? undefined : row[shop.price];
  const isForSale = row !== undefined && typeof price === 'number' && price >= 0 && hasVariant(shop, row, variant);
  if (!isForSale) return [{ id: String(id), name: variant === undefined ? title : `${title} ${variant}`, left: 0 }];
  if (!short.includes(id)) return [];
  const stock = shop.stock === undefined ? undefined : row[shop.stock];
  const left = typeof stock === 'number' ? Math.max(0, Math.floor(stock)) : 0;
  return [{ id: String(id), name: left > 0 ? leftOnly(title, left) : title, left }];
}

/** A row with variants is ordered in one of them, and one without in none. */
function hasVariant(shop: Shop, row: Row, variant: string | undefined): boolean {
  const known = variantsOf(shop, row);
  return variant === undefined ? known.length === 0 : known.includes(variant);
}

function variantsOf(shop: Shop, row: Row): string[] {
  if (shop.variants === undefined) return [];
  return String(row[shop.variants] ?? '')
    .split(';')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

function lineOf(shop: Shop, rows: readonly Row[], { id, variant, count }: Wanted): NewLine {
  const row = rows.find((one) => one.id === id) as Row;
  const price = cents(row[shop.price] as number) / 100;
  return { rowId: id, title: String(row[shop.title] ?? id), variant: variant ?? null, count, price };
}

/** Sums are made of whole pennies. */
const cents = (amount: number): number => Math.round(amount * 100);
