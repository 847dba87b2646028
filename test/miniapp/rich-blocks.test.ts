// For each of Telegram's rich message blocks something stands on a page, or one place says why nothing does.
import type { InputRichBlock } from '@grammyjs/types';
import { expect, test } from 'vitest';
import { ELEMENTS, type ElementType } from '../../contract/app/elements.ts';
import { RICH_BLOCKS, type RichBlockType, type RichCounterpart } from '../../contract/app/rich-blocks.ts';

type Telegrams = InputRichBlock<never>['type'];

/** Does not compile where the Bot API has a type more, or one less, than the table. */
const table: { readonly [Type in Telegrams]: RichCounterpart } = RICH_BLOCKS;
const types: { readonly [Type in RichBlockType]: Telegrams } = Object.fromEntries(
  Object.keys(RICH_BLOCKS).map((type) => [type, type]),
) as { [Type in Telegrams]: Type };

test('every type of Telegram has an element that there is, or a reason', () => {
  expect(Object.keys(types)).toHaveLength(24);
  for (const [type, counterpart] of Object.entries<RichCounterpart>(table)) {
    if ('none' in counterpart) expect([type, counterpart.none]).toEqual([type, expect.stringMatching(/^[A-Z].+\.$/)]);
    else for (const element of counterpart) expect([type, Object.hasOwn(ELEMENTS, element)]).toEqual([type, true]);
  }
});

test('content that stands for no block of Telegram is known by name', () => {
  const named = new Set<ElementType>(
    Object.values<RichCounterpart>(table).flatMap((counterpart) => ('none' in counterpart ? [] : counterpart)),
  );
  const others = (Object.keys(ELEMENTS) as ElementType[]).filter((type) => !named.has(type));
  expect(others).toEqual([
    ...['stack', 'columns', 'each', 'spacer'],
    ...['products', 'product', 'cart', 'summary', 'form', 'quiz', 'profile', 'language', 'cookies'],
  ]);
});
