// Parts of texts that do nothing where they stand: marks where plain words are shown, and money of no currency.
import type { ElementType } from '../../../../contract/app/elements.ts';
import type { AppSpan } from '../../../../contract/app/texts.ts';
import type { Fault } from '../../../../contract/flow.ts';
import type { Manifest } from '../../../../contract/manifest.ts';
import type { Use } from '../uses.ts';
import { own, stop, warn } from './fault.ts';

/** What is dropped without a word when a page is drawn. */
export function checkSpans(manifest: Manifest, uses: readonly Use[]): Fault[] {
  const plain = plainPlaces(manifest, uses);
  const texts = Object.entries(manifest.texts).flatMap(([key, text]) =>
    Object.entries(text).flatMap(([locale, body]) =>
      typeof body === 'string'
        ? []
        : body.flatMap((span, index): Fault[] => {
            if (typeof span === 'string') return [];
            const path = `texts.${key}.${locale}.${index}`;
            return [
              ...checkMarks(path, span, plain.get(key)),
              ...checkMoney(manifest, 'from' in span ? span.format : undefined, path),
            ];
          }),
    ),
  );
  const values = uses.flatMap((use) =>
    use.what === 'read' ? checkMoney(manifest, use.format, use.path.replace(/\.from$/, '')) : [],
  );
  return [...texts, ...values];
}

/** Props of elements that are buttons, names, attributes or addresses: nothing in them can be bold or pressed. */
const PLAIN: { readonly [Type in ElementType]?: readonly string[] } = {
  image: ['alt'],
  gallery: ['alt'],
  video: ['title'],
  audio: ['title'],
  file: ['title'],
  button: ['text'],
  links: ['items'],
  tabs: ['labels'],
  details: ['summary'],
  price: ['amount', 'before'],
  contacts: ['phone', 'email', 'telegram'],
  map: ['label'],
  cookies: ['accept', 'decline'],
};

/** The first place of each text in which plain words are shown. */
function plainPlaces(manifest: Manifest, uses: readonly Use[]): Map<string, string> {
  const places = new Map<string, string>();
  for (const use of uses)
    if (use.what === 'text' && !places.has(use.key) && isPlain(manifest, use.path)) places.set(use.key, use.path);
  return places;
}

function isPlain(manifest: Manifest, path: string): boolean {
  const [root = '', id = '', part = '', name = '', prop = ''] = path.split('.');
  if (path.endsWith('.share') || path.endsWith('.openFrom')) return true;
  if (root === 'pages' || root === 'site') return true;
  if (root === 'forms') {
    if (part !== 'fields') return true;
    const field = own(own(manifest.forms, id)?.fields, name);
    return prop === 'placeholder' || (prop === 'options' && field?.type === 'select');
  }
  const element = own(manifest.elements, id);
  if (element === undefined) return false;
  if (element.type === 'quote' && name === 'by') return element.props.look === 'folded';
  return PLAIN[element.type]?.includes(name) === true;
}

const MARKS = ['bold', 'italic', 'underline', 'strike', 'code', 'link'] as const;

function checkMarks(path: string, span: Exclude<AppSpan, string>, place: string | undefined): Fault[] {
  const lost = MARKS.filter((mark) => span[mark] !== undefined);
  if (place === undefined || lost.length === 0) return [];
  const verb = lost.length > 1 ? 'do' : 'does';
  const alsoIn = place.startsWith('elements.') ? ', on the page and in a message of it' : '';
  return [
    warn(
      'marks_lost',
      `${path}.${lost[0] ?? ''}`,
      `"${lost.join('", "')}" ${verb} nothing in "app.${place}": plain words are shown there${alsoIn}.`,
      'Write plain words there, under a key of their own where another place needs the marks.',
    ),
  ];
}

/** The shop is what says in which currency the project's sums are. */
function checkMoney({ shop }: Manifest, format: string | undefined, path: string): Fault[] {
  if (format !== 'money' || shop !== undefined) return [];
  return [
    stop(
      'currency_missing',
      `${path}.format`,
      '"money" has no currency here: the project has no shop.',
      'Write the "currency" in "app.shop", or "format": "number" with the sign of the currency behind it, as [{ "from": "row.price", "format": "number" }, " €"].',
    ),
  ];
}
