// The page at hand. A page is shown from its beginning to its end without a pause, so what it is shown from may stand
// here: handing it from function to function would cost every phone some 200 bytes.

import type { AppPages, AppRows, AppStart, Row, Scalar } from '../../contract/app/view.ts';

export type Value = Scalar | readonly string[];

export type PageState = {
  page: string;
  item?: number | undefined;
  start?: string | undefined;
  paint?: AppStart['paint'];
  /** What is wanted of each row, as in AppEvent. */
  cart: { [item: string]: number };
  /**
   * Everything that has a value, by its path: `form.lead.phone`, `visitor.firstName`. What the runtime keeps stands
   * there too: fields outside of forms (`find.`, `kind.`, `tab.`, `variant.`, with an element or a row behind), of a form
   * `step.` and where it is (`at.` the how manyth, `of.` them, `more.`), `done.` (the server's words) and `busy.`, and under a path with "!" before it what is wrong there.
   */
  values: { [path: string]: Value };
  /** Values as they were written last time: making a writer is slow on a phone. */
  written: { [key: string]: string };
};

export let pages: AppPages;
export let rows: AppRows;
export let state: PageState;
/** The row at hand: of the page, or of the list that is being shown. */
export let row: Row | undefined;

export function begin(ofPages: AppPages, ofRows: AppRows, ofState: PageState): void {
  pages = ofPages;
  rows = ofRows;
  state = ofState;
}

export const standAt = (at: Row | undefined): Row | undefined => (row = at);

export const rowOf = (data: string | undefined, id: unknown): Row | undefined =>
  rows[data as string]?.find((one) => one.id === +(id as string));
