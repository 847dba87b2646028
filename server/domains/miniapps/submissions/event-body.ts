// What the bot hears of something that was sent: an event of ours in the inbox, in the visitor's lane.
import type { Visitor } from '../visitors/visitor.ts';
import type { Order } from './cart.ts';
import type { Kept } from './values.ts';

export type Sent = {
  readonly form: string;
  readonly number: number;
  readonly values: Kept;
  readonly words: { readonly [field: string]: string };
  /** The same in the language of the project; the same object where that is this one. */
  readonly projectWords: { readonly [field: string]: string };
  readonly visitor: Visitor;
  readonly order: Order | undefined;
  readonly locale: string;
  readonly start: string | undefined;
};

/** As JSON. `values` are what conditions ask for, `words` what people read. */
export function eventBody({ form, number, values, words, projectWords, visitor, order, locale, start }: Sent): string {
  const others = Object.entries(projectWords).filter(([field, said]) => words[field] !== said);
  return JSON.stringify({
    roost: {
      kind: 'app',
      form,
      number,
      values,
      words,
      ...(others.length > 0 && { projectWords: Object.fromEntries(others) }),
      visitor: visitorIn(visitor, locale),
      locale,
      ...(start === undefined ? {} : { start }),
      ...(order === undefined
        ? {}
        : {
            cart: order.lines.map(({ rowId, title, variant, count, price }, at) => ({
              id: rowId,
              title,
              ...(order.projectLines[at]?.title === title ? {} : { projectTitle: order.projectLines[at]?.title }),
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

/** What the bot hears of a language that was chosen in the app. */
export const languageBody = (visitor: Visitor, locale: string): string =>
  JSON.stringify({ roost: { kind: 'language', visitor: visitorIn(visitor, locale), locale } });

function visitorIn({ kind, lane: id, profile }: Visitor, locale: string): object {
  const { firstName, lastName, username, languageCode } = profile;
  return { kind, id, firstName, lastName, username, language: languageCode || locale };
}
