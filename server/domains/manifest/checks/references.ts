// Does everything that is named exist, and is it of the right kind?
import { isSafeUrl } from '../../../../contract/app/texts.ts';
import type { Fault, FlowDocument, Media } from '../../../../contract/flow.ts';
import type { Manifest } from '../../../../contract/manifest.ts';
import type { Use } from '../uses.ts';
import { named, own, stop, warn } from './fault.ts';

/** Pages, forms, data sources, fields, files, languages, and the shop where something needs one. */
export function checkReferences(document: FlowDocument, manifest: Manifest, uses: readonly Use[]): Fault[] {
  return [...uses.flatMap((use) => checkUse(document, manifest, use)), ...unused(manifest, uses)];
}

function checkUse(document: FlowDocument, manifest: Manifest, use: Use): Fault[] {
  switch (use.what) {
    case 'page':
      // The first page has its own sentence.
      return use.path === 'start'
        ? []
        : [...missing('page', manifest.pages, use.id, use.path), ...checkItem(manifest, use)];
    case 'form':
      return missing('form', manifest.forms, use.id, use.path);
    case 'data':
      return missing('data', manifest.data, use.id, use.path);
    case 'field':
      return checkField(manifest, use);
    case 'media':
      return checkMedia(document, use);
    case 'locale':
      return document.locales.includes(use.id)
        ? []
        : [stop('locale_unknown', use.path, `The pages do not speak "${use.id}".`, 'Add it to "locales".')];
    case 'address':
      return checkAddress(manifest, use);
    case 'shop':
      return manifest.shop === undefined
        ? [
            stop(
              'shop_missing',
              use.path,
              'There is no shop.',
              'Describe it under "app.shop": its data, title and price.',
            ),
          ]
        : [];
    default:
      return [];
  }
}

const NOUNS = { page: 'page', form: 'form', data: 'data source' } as const;

function missing(
  kind: keyof typeof NOUNS,
  map: { readonly [id: string]: unknown } | undefined,
  id: string,
  path: string,
): Fault[] {
  if (own(map, id) !== undefined) return [];
  return [
    stop(`${kind}_missing`, path, `There is no ${NOUNS[kind]} "${id}".`, `There is ${named(Object.keys(map ?? {}))}.`),
  ];
}

function checkField(manifest: Manifest, use: Extract<Use, { what: 'field' }>): Fault[] {
  const data = own(manifest.data, use.data);
  // A data source that is missing is told where it is named.
  if (data === undefined || data.fields.includes(use.field)) return [];
  return [
    stop(
      'field_missing',
      use.path,
      `The data source "${use.data}" does not bring "${use.field}".`,
      `Add it to its "fields", or choose one of ${named(data.fields)}.`,
    ),
  ];
}

/** A row of one table under the address of another would be somebody else's. */
function checkItem(manifest: Manifest, { id, path, rows }: Extract<Use, { what: 'page' }>): Fault[] {
  const page = own(manifest.pages, id);
  if (page === undefined || rows === undefined) return [];
  if (rows.length === 0) return [stop('row_nowhere', path, 'There is no row here to take along.')];
  const data = page.data ?? manifest.shop?.data;
  if (data !== undefined && rows.includes(data)) return [];
  return [
    stop(
      'page_data',
      path,
      `The page "${id}" shows ${data === undefined ? 'no rows' : `rows of "${data}"`}, and this leads to it with a row of ${named(rows)}.`,
      `Write "data": "${rows[0]}" at the page.`,
    ),
  ];
}

/** What stands in it already; values are looked at where they are opened. */
function checkAddress(manifest: Manifest, { key, path }: Extract<Use, { what: 'address' }>): Fault[] {
  return Object.entries(own(manifest.texts, key) ?? {}).flatMap(([locale, body]) => {
    const spans = typeof body === 'string' ? [body] : body;
    const words = spans.map((span) => (typeof span === 'string' ? span : 'text' in span ? span.text : undefined));
    if (words.includes(undefined) || isSafeUrl(words.join(''))) return [];
    return [
      stop(
        'address_unsafe',
        path,
        `The text "${key}" is no address in "${locale}".`,
        'Begin it with https://, http://, mailto:, tel: or tg://.',
      ),
    ];
  });
}

const KINDS: { readonly [Kind in Media['kind']]: string } = {
  photo: 'a photo',
  video: 'a video',
  animation: 'an animation',
  audio: 'an audio file',
  voice: 'a voice message',
  document: 'a document',
};

function checkMedia(document: FlowDocument, use: Extract<Use, { what: 'media' }>): Fault[] {
  const media = own(document.media, use.id);
  if (media === undefined)
    return [stop('media_missing', use.path, `There is no file "${use.id}".`, 'Add it to "media".')];
  if (use.kinds.includes(media.kind)) return [];
  const wanted = use.kinds.map((kind) => KINDS[kind]).join(' or ');
  return [stop('media_kind', use.path, `The file "${use.id}" is kept as ${media.kind}; here ${wanted} is needed.`)];
}

function unused(manifest: Manifest, uses: readonly Use[]): Fault[] {
  const forms = new Set(uses.flatMap((use) => (use.what === 'form' && use.shown ? [use.id] : [])));
  const data = new Set(uses.flatMap((use) => (use.what === 'data' ? [use.id] : [])));
  if (manifest.shop !== undefined) data.add(manifest.shop.data);
  for (const booking of Object.values(manifest.bookings ?? {})) if (booking.each) data.add(booking.each.data);
  return [
    ...Object.keys(manifest.forms ?? {})
      .filter((id) => !forms.has(id))
      .map((id) => warn('form_nowhere', `forms.${id}`, `No page shows the form "${id}".`)),
    ...Object.keys(manifest.data ?? {})
      .filter((id) => !data.has(id))
      .map((id) =>
        warn('data_nowhere', `data.${id}`, `No page shows the data source "${id}", yet its rows go to every phone.`),
      ),
  ];
}
