// Blocks that sell: goods, one of them, the cart, what it comes to.

import type { ElementType, PropsOf } from '../../../contract/app/elements.ts';
import type { Shop } from '../../../contract/app/forms.ts';
import type { Drawn, Live, Test } from '../../../contract/app/view.ts';
import { price, rowPicture } from './content.ts';
import {
  addressOf,
  type Block,
  button,
  chip,
  from,
  h,
  is,
  isSet,
  join,
  money,
  moneyText,
  type Scope,
  text,
  when,
} from './nodes.ts';
import { hasPrice, unlessTelegrams } from './page-buttons.ts';

const column = (name: string): Live => from(`row.${name}`);

/**
 * How many of the row are in the cart, with a button on either side; "add to cart" while there are none. By the class
 * `add` the runtime finds the button that a keyboard goes on with.
 */
function counter(scope: Scope, look: 'main' | 'quiet' = 'quiet'): Drawn {
  const { words, shop } = scope.view;
  const title = column(shop?.title ?? 'id');
  const round = (cart: 'add' | 'remove', sign: string, label: string): Drawn =>
    button(`.round.${cart}`, { cart }, [sign], { 'aria-label': join(`${label}: `, title) });
  const attrs = { 'aria-label': join(`${words.add}: `, title) };
  const add = button(`.button.${look}.add`, { cart: 'add' }, [words.add], attrs);
  return when(
    ['>', 'row.$count', 0],
    [
      h('div.counter', {}, [
        round('remove', '−', words.fewer),
        h('output', {}, [column('$count')]),
        round('add', '+', words.more),
      ]),
    ],
    [look === 'main' ? unlessTelegrams(scope, { cart: 'add' }, add) : add],
  );
}

/** Variants to choose from, then the counter of the chosen one. */
function buying(scope: Scope, shop: Shop, look?: 'main'): Drawn[] {
  const { words } = scope.view;
  const variants = shop.variants && [
    when(isSet(`row.${shop.variants}`), [
      h('fieldset.chips', {}, [
        h('legend.sr', {}, [words.variant]),
        {
          each: `row.${shop.variants}`,
          show: [
            chip({ name: column('$field'), checked: { if: isSet('row.$first'), show: true } }, column('$value'), [
              column('$value'),
            ]),
          ],
        },
      ]),
    ]),
  ];
  return [...(variants || []), counter(scope, look)];
}

/**
 * The price, and below it the way into the cart; the words "sold out" where the stock says so. Goods whose price is
 * empty, below nothing or no number are only looked at: a cart with one of them came to "NaN".
 */
function offer(scope: Scope, shop: Shop, buy: readonly Drawn[], between: readonly Drawn[] = []): Drawn[] {
  const amount = `row.${shop.price}`;
  const priced = hasPrice(shop);
  const inStock =
    shop.stock === undefined
      ? buy
      : [when(['<', `row.${shop.stock}`, 1], [h('p.hint', {}, [scope.view.words.soldOut])], buy)];
  const shown = price(money(scope, amount));
  return between.length > 0
    ? [when(priced, [shown]), ...between, when(priced, inStock)]
    : [when(priced, [shown, ...inStock])];
}

function products(props: PropsOf<'products'>, scope: Scope, _kids: unknown, id: string): Drawn[] {
  const { view } = scope;
  const { shop, words } = view;
  if (shop === undefined) return [];
  const { category, open } = props;
  const title = column(shop.title);
  const to = (tag: string, kids: readonly Drawn[]): Drawn => {
    const address = addressOf(scope, open ?? '', true);
    return h(`a${tag}`, { href: address, do: { to: address } }, kids);
  };
  const head = [...rowPicture(props.photo, title, '.r11'), h('b.title', {}, [title])];
  const buy = buying(scope, shop);
  const chosenThere = open !== undefined && shop.variants !== undefined;
  const card = h('article.card.product', {}, [
    ...(open === undefined ? head : [to('.picture', head)]),
    ...(props.about ? [when(isSet(`row.${props.about}`), [h('p.hint.short', {}, [column(props.about)])])] : []),
    ...offer(
      scope,
      shop,
      chosenThere ? [when(isSet(`row.${shop.variants}`), [to('.button.quiet', [words.choose])], buy)] : buy,
    ),
  ]);
  const search = h('input', { type: 'search', name: `find.${id}`, placeholder: words.find, 'aria-label': words.find });
  const chips =
    category &&
    h('fieldset.chips', {}, [
      h('legend.sr', {}, [words.choose]),
      chip({ name: `kind.${id}`, checked: true }, '', [words.all]),
      { each: shop.data, only: category, show: [chip({ name: `kind.${id}` }, column('$value'), [column('$value')])] },
    ]);
  const searched = props.about ? [shop.title, props.about] : [shop.title];
  const asked: Test[] = [
    ...(props.search ? [['|', searched.map((name): Test => ['~', `row.${name}`, from(`find.${id}`)])] as const] : []),
    ...(category ? [['|', [['!', isSet(`kind.${id}`)], is(`row.${category}`, from(`kind.${id}`))]] as const] : []),
  ];
  return [
    ...(props.search ? [search] : []),
    ...(chips ? [chips] : []),
    h('div.grid.goods', { 'aria-live': 'polite' }, [
      {
        each: shop.data,
        ...(asked.length > 0 && { where: ['&', asked] }),
        show: [card],
        or: [h('p.hint', {}, [...(props.empty ? text(scope, props.empty) : [words.empty])])],
      },
    ]),
  ];
}

function product({ photo, about, missing }: PropsOf<'product'>, scope: Scope): Drawn[] {
  const { shop } = scope.view;
  if (shop === undefined) return [];
  const title = column(shop.title);
  const one = h('article.product.one', {}, [
    ...rowPicture(photo, title),
    h('div.stack.gap-m', {}, [
      h('h1', { tabindex: -1 }, [title]),
      ...offer(
        scope,
        shop,
        buying(scope, shop, 'main'),
        about ? [when(isSet(`row.${about}`), [h('p.plain', {}, [column(about)])])] : [],
      ),
    ]),
  ]);
  return [when(isSet('row.id'), [one], missing ? [h('p.hint', {}, text(scope, missing))] : [])];
}

/** The column that goods have their pictures in, as the pages that sell them say. */
function photoOf({ view }: Scope): string | undefined {
  const found = Object.values(view.elements).find(
    ({ type, props }) => (type === 'products' || type === 'product') && 'photo' in props && props.photo !== undefined,
  );
  return (found?.props as { photo?: string } | undefined)?.photo;
}

/** The lines of the cart and what they come to. `more`: what stands on a line beside its name. */
function bill(scope: Scope, more: readonly Drawn[], title: readonly Drawn[] = []): Drawn {
  const { shop, words } = scope.view;
  if (shop === undefined) return '';
  const least = shop.minimumTotal ?? 0;
  return h('div.card.rows.bill', {}, [
    ...title,
    {
      each: '$cart',
      show: [
        h('div.line', {}, [
          ...rowPicture(photoOf(scope), ''),
          h('span', {}, [
            h('span', {}, [column(shop.title)]),
            when(isSet('row.$variant'), [h('span.hint', {}, [join(', ', column('$variant'))])]),
          ]),
          ...more,
          when(hasPrice(shop), [h('b', {}, [money(scope, 'row.$sum')])], [h('span.hint', {}, [words.soldOut])]),
        ]),
      ],
    },
    h('div.line.total', {}, [h('span', {}, [words.total]), h('b', {}, [money(scope, 'cart.total')])]),
    ...(least > 0
      ? [when(['<', 'cart.total', least], [h('p.hint', {}, [`${words.minimum} ${moneyText(scope, least)}`])])]
      : []),
  ]);
}

export const shop = {
  products,
  product,
  cart: ({ empty }, scope) => [
    when(['>', 'cart.count', 0], [bill(scope, [counter(scope)])], [h('p.hint', {}, text(scope, empty))]),
  ],
  summary: ({ title }, scope) => [
    when(
      ['>', 'cart.count', 0],
      [
        bill(
          scope,
          [h('span.hint', {}, [join('× ', column('$count'))])],
          title ? [h('h3', {}, text(scope, title))] : [],
        ),
      ],
    ),
  ],
} satisfies { readonly [Type in ElementType]?: Block<Type> };
