// Documents of releases that have pages: what views, rows and forms are made from. A release never changes.
import type { Photo } from '../../../../contract/app/view.ts';
import type { FlowDocument } from '../../../../contract/flow.ts';
import type { Manifest } from '../../../../contract/manifest.ts';
import type { Db } from '../../../../kernel/db.ts';
import { shownMedia } from '../../manifest/manifest.ts';
import { mediaHeads, readRelease } from '../../projects/projects.ts';
import { sizeOfImage } from '../uploads/images.ts';
import { type Cache, type CacheFigures, createCache, type Sized } from './cache.ts';

/** What pages need of a release; the flow of its bot is not among it. */
export type AppRelease = Sized & {
  readonly projectId: number;
  readonly number: number;
  readonly document: Pick<FlowDocument, 'locales' | 'defaultLocale' | 'timezone' | 'tables' | 'media'>;
  readonly app: Manifest;
  /** The time zone whose day stands on its pages; undefined where none does. */
  readonly showsDayOf: string | undefined;
  /** Files that everybody may fetch: by their hash, what they are; by their id, how large they are shown. */
  readonly files: ReadonlyMap<string, { readonly kind: string; readonly size: number }>;
  readonly photos: { readonly [mediaId: string]: Omit<Photo, 'src'> };
};

export type AppReleases = {
  peek(projectId: number, number: number): AppRelease | undefined;
  /** undefined: the release is not there, or has no pages. */
  get(projectId: number, number: number): Promise<AppRelease | undefined>;
  forget(): void;
  figures(): CacheFigures;
};

type Kept = Sized & { readonly release: AppRelease | undefined };

/** Parsed, a document takes several times what it does as text. */
const memoryFactor = 4;
const headBytes = 65_536;

export function createAppReleases(db: Db, options: { readonly bytesMax: number }): AppReleases {
  const kept: Cache<Kept> = createCache<Kept>(options);
  return {
    peek: (projectId, number) => kept.peek(`${projectId}:${number}`)?.release,
    get: async (projectId, number) =>
      (await kept.get(`${projectId}:${number}`, () => load(db, projectId, number))).release,
    forget: () => kept.forget(),
    figures: () => kept.figures(),
  };
}

async function load(db: Db, projectId: number, number: number): Promise<Kept> {
  const found = await readRelease(db, projectId, number);
  if (found?.document.app === undefined) return { bytes: 200, release: undefined };
  const { app, locales, defaultLocale, timezone, tables, media } = found.document;
  const { files, photos } = await filesOf(db, projectId, found.document, app);
  const document = {
    locales,
    defaultLocale,
    ...(timezone === undefined ? {} : { timezone }),
    ...(tables === undefined ? {} : { tables: withoutRows(tables) }),
    ...(media === undefined ? {} : { media }),
  };
  const showsDayOf = showsToday(app) ? (timezone ?? 'UTC') : undefined;
  const bytes = JSON.stringify({ app, document }).length * memoryFactor;
  return { bytes, release: { bytes, projectId, number, document, app, showsDayOf, files, photos } };
}

/** A date field that begins or ends today. */
function showsToday({ forms = {} }: Manifest): boolean {
  const fields = Object.values(forms).flatMap((form) => Object.values(form.fields));
  return fields.some((field) => field.type === 'date' && (field.min === 'today' || field.max === 'today'));
}

/** What a table began with is of no use here. */
function withoutRows(tables: NonNullable<FlowDocument['tables']>): NonNullable<FlowDocument['tables']> {
  return Object.fromEntries(Object.entries(tables).map(([id, { rows: _rows, ...table }]) => [id, table]));
}

async function filesOf(
  db: Db,
  projectId: number,
  document: FlowDocument,
  app: Manifest,
): Promise<Pick<AppRelease, 'files' | 'photos'>> {
  const shown = shownMedia(app);
  // A row may name any photo of the document.
  const hasPhotos = Object.values(app.data ?? {}).some((data) =>
    data.fields.some((field) => document.tables?.[data.table]?.columns[field]?.type === 'photo'),
  );
  const wanted = Object.entries(document.media ?? {}).filter(
    ([id, media]) => shown.has(id) || (hasPhotos && media.kind === 'photo'),
  );
  const heads = await mediaHeads(
    db,
    projectId,
    wanted.map(([, media]) => media.sha256),
    headBytes,
  );
  const files = new Map<string, { kind: string; size: number }>();
  const photos: { [id: string]: Omit<Photo, 'src'> } = {};
  for (const [id, media] of wanted) {
    const head = heads.get(media.sha256);
    if (head === undefined) continue;
    files.set(media.sha256, { kind: head.kind, size: head.size });
    photos[id] = sizeOfImage(head.bytes) ?? {};
  }
  return { files, photos };
}
