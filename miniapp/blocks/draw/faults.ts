// What a page says under a field before anything is sent. The server looks again, and has words of its own.

import type { FormField, FormFieldType } from '../../../contract/app/forms.ts';
import type { AppView, AppWord } from '../../../contract/app/view.ts';

/** Where a field is empty that must not be: the word that says what to do there, `required` for the others. */
export const EMPTY_WORDS: { readonly [Type in FormFieldType]?: AppWord } = {
  checkbox: 'tick',
  choices: 'pickSome',
  consent: 'consent',
  pick: 'pickOne',
  radio: 'pickOne',
  rating: 'pickOne',
  select: 'pickOne',
  slot: 'slot',
};

/** Where a browser finds that what was written does not fit; nothing for fields where it finds nothing. */
export function wrongWords({ words, locale }: Pick<AppView, 'words' | 'locale'>, field: FormField): string | undefined {
  const { type } = field;
  if (type === 'phone' || type === 'email' || type === 'date') return words[type];
  if (type !== 'number') return undefined;
  const limit = (word: string, of: number | undefined): string[] =>
    of === undefined ? [] : [`${word} ${of.toLocaleString(locale)}`];
  const limits = [...limit(words.atLeast, field.min), ...limit(words.atMost, field.max)].join(', ');
  const kind = Number.isInteger(field.step) ? words.whole : words.number;
  return limits === '' ? kind : `${kind}: ${limits}`;
}
