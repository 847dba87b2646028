// Pages: how many there are, where they stand, and whether each has an address of its own.
import { APP_LIMITS } from '../../../../contract/app/limits.ts';
import type { Fault } from '../../../../contract/flow.ts';
import type { Manifest } from '../../../../contract/manifest.ts';
import { named, stop } from './fault.ts';

/** Below the address of an app these belong to the installation. */
const TAKEN = /^\/(_|v1)(\/|$)|^\/(sitemap\.xml|robots\.txt)$/;

/** Counts, addresses, and that no name means two things. */
export function checkPages(manifest: Manifest): Fault[] {
  return [...counts(manifest), ...addresses(manifest)];
}

type Counted = readonly [field: 'pages' | 'elements' | 'texts' | 'data' | 'forms' | 'bookings', limit: number];
const COUNTED: readonly Counted[] = [
  ['pages', APP_LIMITS.pages],
  ['elements', APP_LIMITS.elements],
  ['texts', APP_LIMITS.texts],
  ['data', APP_LIMITS.data],
  ['forms', APP_LIMITS.forms],
  ['bookings', APP_LIMITS.bookings],
];

function counts(manifest: Manifest): Fault[] {
  const faults = COUNTED.filter(([field, limit]) => Object.keys(manifest[field] ?? {}).length > limit).map(
    ([field, limit]) => stop('too_many', field, `There can be at most ${limit} ${field}.`),
  );
  for (const [id, form] of Object.entries(manifest.forms ?? {})) {
    if (Object.keys(form.fields).length > APP_LIMITS.fieldsPerForm)
      faults.push(
        stop('too_many', `forms.${id}.fields`, `A form has at most ${APP_LIMITS.fieldsPerForm} fields.`, 'Ask less.'),
      );
  }
  return faults;
}

function addresses(manifest: Manifest): Fault[] {
  const faults: Fault[] = [];
  const pages = new Map<string, string>();
  for (const [id, { path }] of Object.entries(manifest.pages)) {
    const other = pages.get(path);
    if (other !== undefined)
      faults.push(
        stop(
          'path_twice',
          `pages.${id}.path`,
          `Page "${other}" has the address "${path}" already.`,
          'Give this page another one.',
        ),
      );
    else pages.set(path, id);
    if (TAKEN.test(path))
      faults.push(stop('path_taken', `pages.${id}.path`, `The address "${path}" belongs to Roost itself.`));
  }
  for (const [id, { path }] of Object.entries(manifest.pages)) faults.push(...itemAddress(manifest, id, path));
  const start = Object.hasOwn(manifest.pages, manifest.start) ? manifest.pages[manifest.start] : undefined;
  if (start === undefined)
    faults.push(
      stop(
        'page_missing',
        'start',
        `There is no page "${manifest.start}" to begin with.`,
        `Choose one of ${named(Object.keys(manifest.pages))}.`,
      ),
    );
  else if (start.path !== '/')
    faults.push(
      stop('start_path', `pages.${manifest.start}.path`, 'The first page has the address "/".', 'Write "/" here.'),
    );
  return faults;
}

/** `/goods/12` is row 12 on the page `/goods`; a page of that address would never be seen. */
function itemAddress(manifest: Manifest, id: string, path: string): Fault[] {
  const cut = path.lastIndexOf('/');
  if (!/^\d+$/.test(path.slice(cut + 1))) return [];
  const parent = path.slice(0, cut) || '/';
  return Object.values(manifest.pages).some((page) => page.path === parent)
    ? [
        stop(
          'path_number',
          `pages.${id}.path`,
          `"${path}" means a row of the page "${parent}".`,
          'End the address with a word.',
        ),
      ]
    : [];
}
