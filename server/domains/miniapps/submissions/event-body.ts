// What the bot hears of something that was sent: an event of ours in the inbox, in the visitor's lane.
import type { Visitor } from '../visitors/visitor.ts';
import type { Order } from './cart.ts';
import type { Kept } from './values.ts';

export type Sent = {
  readonly form: string;
  readonly number: number;
  readonly values: Kept;
  readonly words: { readonly [field: string]: string };
  readonly visitor: Visitor;
  readonly order: Order | undefined;
  readonly locale: string;
  readonly start: string | undefined;
};

/** As JSON. `values` are what conditions ask for, `words` what people read. */
export function eventBody({ form, number, values, words, visitor, order, locale, start }: Sent): string {
  const { firstName, lastName, username, languageCode: language } = visitor.profile;
  return JSON.stringify({
    roost: {
      kind: 'app',
      form,
      number,
      values,
      words,
      visitor: { kind: visitor.kind, id: visitor.lane, firstName, lastName, username, language: language || locale },
      locale,
      ...(start === undefined ? {} : { start }),
      ...(order === undefined
        ? {}
        : {
            cart: order.lines.map(({ rowId, title, variant, count, price }) => ({
              id: rowId,
              title,
              ...(variant === null ? {} : { variant }),
              count,
              price,
            })),
            total: order.total,
            currency: order.currency,
          }),
    },
  });
}
