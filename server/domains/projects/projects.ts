// The door of the projects domain: a maker's workspace, its draft, its files and its releases.
import { randomBytes } from 'node:crypto';
import type { Fault, FlowDocument } from '../../../contract/flow.ts';
import { canonicalJson } from '../../../kernel/canonical.ts';
import type { Queryable, Tx } from '../../../kernel/db.ts';
import { Refusal } from '../../../kernel/errors.ts';
import { parseDocument } from '../flow/flow.ts';
import { type Customs, customsOf } from '../readers/readers.ts';
import {
  applyRows,
  type RowsDiffer,
  type RowsMode,
  seedTables,
  type Tables,
  withCurrentRows,
} from '../tables/tables.ts';
import { documentRefusal, mediaFaultAt } from './faults.ts';
import { type Bundle, sha256Of } from './files.ts';
import { faultsOf } from './publishing.ts';
import { kindOfContent, mediaFault, nameFault, normalName, publicIdOf } from './rules.ts';
import {
  insertMedia,
  insertProject,
  lockProject,
  type MediaFile,
  type MediaHead,
  type Project,
  type ProjectStatus,
  selectDraft,
  selectMedia,
  selectMediaHead,
  selectMediaName,
  selectMediaPart,
  selectProject,
  selectProjects,
  selectRelease,
  updateDraft,
  updateStatus,
} from './sql.ts';

export { type Bundle, documentText, readBundle, writeBundle } from './files.ts';
export { neededUpdates, type Published, publish, releases, rollback } from './publishing.ts';
export { createReleases, type Releases, type ReleasesOptions, readRelease } from './releases.ts';
export { nameFromFile } from './rules.ts';
export type { MediaFile, MediaHead, Project, ProjectStatus, ReleaseInfo } from './sql.ts';

/** Makes an empty project. Refuses a name that is wrong or taken. */
export async function createProject(tx: Tx, input: { name: string }): Promise<Project> {
  const name = normalName(input.name);
  const fault = nameFault(name);
  if (fault !== undefined) throw new Refusal('PROJECT_NAME_WRONG', fault);
  const project = await insertProject(tx, { publicId: publicIdOf(randomBytes(20)), name });
  if (project === undefined) throw new Refusal('PROJECT_EXISTS', `A project with the name "${name}" exists.`);
  return project;
}

/** A project by its name or public id, or undefined. */
export function findProject(db: Queryable, nameOrId: string): Promise<Project | undefined> {
  return selectProject(db, normalName(nameOrId));
}

/** The same, refusing when there is none. The refusal repeats only what was asked: other names stay unknown. */
export async function getProject(db: Queryable, nameOrId: string): Promise<Project> {
  const project = await findProject(db, nameOrId);
  if (project === undefined) throw new Refusal('PROJECT_NOT_FOUND', `There is no project "${nameOrId}".`);
  return project;
}

export function listProjects(db: Queryable, limit = 1_000): Promise<Project[]> {
  return selectProjects(db, limit);
}

/** What an import did. `faults` are those that stand in the way of publishing, and warnings. */
export type Imported = {
  readonly project: Project;
  readonly created: boolean;
  readonly faults: readonly Fault[];
  /** Tables whose rows are not those of the document, and what was done about it. */
  readonly rows: readonly RowsDiffer[];
};

/**
 * Stores a document and its files as the draft of a project: a new one of this name or, with `into`, one that
 * exists. The document must be of the right shape; whether it can be published is told, not demanded. The rows of its
 * tables are put in where a table is still empty, and as `rows` says where it is not.
 */
export async function importProject(
  tx: Tx,
  input: { name: string; bundle: Bundle; into?: boolean; rows?: RowsMode | undefined },
): Promise<Imported> {
  const document = accepted(input.bundle);
  const project = input.into === true ? await getProject(tx, input.name) : await createProject(tx, input);
  await saveDraft(tx, project.id, document, input.bundle.files);
  const { tables = {}, media = {} } = document;
  const writing = { customs: customsOf(document) };
  await seedTables(tx, project.id, tables, media, writing);
  const facts = { projectId: project.id, tables, media, writing };
  const rows = input.into === true ? await applyRows(tx, facts, input.rows ?? 'keep') : [];
  const faults = await faultsOf(tx, project.id, document);
  const stored = await getProject(tx, project.publicId);
  return { project: stored, created: input.into !== true, faults, rows };
}

/** Stores a draft that was parsed, with the files that came along. */
export async function saveDraft(
  tx: Tx,
  projectId: number,
  document: FlowDocument,
  files: Bundle['files'] = new Map(),
): Promise<void> {
  if ((await lockProject(tx, projectId)) === undefined) throw new Refusal('PROJECT_NOT_FOUND');
  for (const media of Object.values(document.media ?? {})) {
    const bytes = files.get(media.sha256);
    if (bytes === undefined) continue;
    await insertMedia(tx, projectId, { sha256: media.sha256, kind: kindOfContent(bytes), name: media.name, bytes });
  }
  await updateDraft(tx, projectId, canonicalJson(document));
}

/**
 * The draft, or with `release` a published document, with all its files: what `importProject` takes again. With `rows` its
 * tables have the rows that they have now.
 */
export async function exportProject(
  db: Queryable,
  projectId: number,
  options: { release?: number | undefined; rows?: boolean | undefined } = {},
): Promise<Bundle> {
  const text = await documentOf(db, projectId, options.release);
  const stored = JSON.parse(text) as FlowDocument;
  const document =
    options.rows && stored.tables ? { ...stored, tables: await withCurrentRows(db, projectId, stored.tables) } : stored;
  const files = new Map<string, Buffer>();
  for (const { sha256 } of Object.values(document.media ?? {})) {
    const file = await selectMedia(db, projectId, sha256);
    if (file !== undefined) files.set(sha256, file.bytes);
  }
  return { document, files };
}

/** A file of the project by its hash, for sending it; undefined when it was never stored. */
export function readMedia(db: Queryable, projectId: number, sha256: string): Promise<MediaFile | undefined> {
  return selectMedia(db, projectId, sha256);
}

/** Of a file that is sent, so much is held at a time: an album of ten large ones would otherwise hold 200 MB. */
const sentPartBytes = 1024 * 1024;

/** A file of the project for sending it, read part by part while it goes out; undefined when it was never stored. */
export async function openMedia(
  db: Queryable,
  projectId: number,
  sha256: string,
): Promise<{ name: string; size: number; open(): AsyncIterable<Uint8Array> } | undefined> {
  const found = await selectMediaName(db, projectId, sha256);
  if (found === undefined) return undefined;
  const { name, size } = found;
  async function* open(): AsyncGenerator<Uint8Array> {
    for (let from = 0; from < size; from += sentPartBytes) {
      const part = await selectMediaPart(db, projectId, sha256, { from, length: sentPartBytes });
      // A file that is gone meanwhile ends early, which the sender notices.
      if (part === undefined) return;
      yield part.bytes;
    }
  }
  return { name, size, open };
}

/** What these files are, and how each begins; one that was never stored is not among them. */
export async function mediaHeads(
  db: Queryable,
  projectId: number,
  hashes: readonly string[],
  bytes: number,
): Promise<Map<string, MediaHead>> {
  const heads = new Map<string, MediaHead>();
  for (const sha256 of new Set(hashes)) {
    const head = await selectMediaHead(db, projectId, sha256, bytes);
    if (head !== undefined) heads.set(sha256, head);
  }
  return heads;
}

/** A part of a file, for those who ask for a range of it. */
export async function readMediaPart(
  db: Queryable,
  projectId: number,
  sha256: string,
  part: { readonly from: number; readonly length: number },
): Promise<Buffer | undefined> {
  return (await selectMediaPart(db, projectId, sha256, part))?.bytes;
}

/** The tables of the running release, and how its people write; before the first publish, those of the draft. */
export async function tablesOf(
  db: Queryable,
  project: Pick<Project, 'id' | 'releaseNumber'>,
): Promise<{ readonly tables: Tables; readonly customs: Customs; readonly timezone: string }> {
  const text = await documentOf(db, project.id, project.releaseNumber ?? undefined);
  const document = JSON.parse(text) as FlowDocument;
  return { tables: document.tables ?? {}, customs: customsOf(document), timezone: document.timezone ?? 'UTC' };
}

/** Pauses or resumes: updates of a paused project are stored in order and worked on after it resumes. */
export async function setProjectStatus(
  tx: Tx,
  projectId: number,
  status: ProjectStatus,
): Promise<{ changed: boolean }> {
  return { changed: (await updateStatus(tx, projectId, status)) > 0 };
}

/** The document of a bundle, when its shape and its files are right. */
function accepted(bundle: Bundle): FlowDocument {
  const result = parseDocument(bundle.document);
  const faults = [...(bundle.faults ?? [])];
  if (result.ok) faults.push(...contentFaults(result.document, bundle.files));
  // A file that could not be read has no hash either; that was said once.
  else faults.push(...result.faults.filter(({ path }) => !faults.some((known) => path.startsWith(`${known.path}.`))));
  if (result.ok && faults.length === 0) return result.document;
  throw documentRefusal(faults);
}

function contentFaults(document: FlowDocument, files: Bundle['files']): Fault[] {
  const faults: Fault[] = [];
  for (const [id, media] of Object.entries(document.media ?? {})) {
    const bytes = files.get(media.sha256);
    if (bytes === undefined) continue;
    if (sha256Of(bytes) !== media.sha256)
      faults.push(mediaFaultAt(id, 'The content does not have the SHA-256 that the document names.'));
    const fault = mediaFault(media.kind, kindOfContent(bytes), bytes.length);
    if (fault !== undefined) faults.push(mediaFaultAt(id, fault));
  }
  return faults;
}

async function documentOf(db: Queryable, projectId: number, release: number | undefined): Promise<string> {
  if (release !== undefined) {
    const row = await selectRelease(db, projectId, release);
    if (row === undefined)
      throw new Refusal('RELEASE_NOT_FOUND', `The project has no release ${release}.`, { release });
    return row.document;
  }
  const draft = (await selectDraft(db, projectId))?.draft;
  if (draft == null) throw new Refusal('DOCUMENT_WRONG', 'The project has no draft yet. Import a document first.');
  return draft;
}
