// Blocks about the visitor: who it is, in which language, what may be kept.

import type { ElementType } from '../../../contract/app/elements.ts';
import type { Drawn } from '../../../contract/app/view.ts';
import { picture } from './content.ts';
import { type Block, button, from, h, is, isSet, join, plain, press, type Scope, text, when } from './nodes.ts';

/** Links to the pages in each language; in the head of a page, to the others alone. */
export function languages(scope: Scope, inHead = false): Drawn[] {
  const { locale, locales, words } = scope.view;
  if (locales.length < 2) return [];
  const links = (inHead ? locales.filter((language) => language !== locale) : locales).map((language) => {
    const name = new Intl.DisplayNames(language, { type: 'language' }).of(language) ?? language;
    const [tag, attrs, ...kids] = press(scope, { language }, '', [name]) as [string, object, ...Drawn[]];
    return h(tag, { ...attrs, lang: language, ...(language === locale && { 'aria-current': 'true' }) }, kids);
  });
  return [h('nav.languages', { 'aria-label': words.language }, links)];
}

const name = join(from('visitor.firstName'), ' ', from('visitor.lastName'));

export const visitor = {
  profile: (_props, { view: { words } }) => [
    h('div.card.profile', {}, [
      when(isSet('visitor.photoUrl'), [picture({ src: from('visitor.photoUrl') }, '')]),
      h('div', {}, [
        h('b', {}, [when(isSet('visitor.firstName'), [name], [words.guest])]),
        when(isSet('visitor.username'), [h('small', {}, [join('@', from('visitor.username'))])]),
      ]),
    ]),
  ],
  language: (_props, scope) => languages(scope),
  cookies: ({ text: content, accept, decline }, scope) => [
    when(is('page.cookies', 'ask'), [
      h('aside.card.stack.gap-s.cookies', {}, [
        h('p.plain', {}, text(scope, content)),
        h('div.buttons', {}, [
          button('.button.quiet', { keep: 'no' }, [plain(scope, decline)]),
          button('.button.quiet', { keep: 'yes' }, [plain(scope, accept)]),
        ]),
      ]),
    ]),
  ],
} satisfies { readonly [Type in ElementType]?: Block<Type> };
