// From draft to release, and back to an older one. A release is written once and never changed.
import type { Fault, FlowDocument } from '../../../contract/flow.ts';
import { canonicalJson } from '../../../kernel/canonical.ts';
import type { Queryable, Tx } from '../../../kernel/db.ts';
import { Refusal } from '../../../kernel/errors.ts';
import { setAllowedUpdates, setMenuCommands, setMenuText } from '../bots/bots.ts';
import { allowedUpdates, checkDocument, menuCommands, parseDocument } from '../flow/flow.ts';
import { checkManifest } from '../manifest/manifest.ts';
import { customsOf } from '../readers/readers.ts';
import { filterFaults, settleTables, tableFaults } from '../tables/tables.ts';
import { documentRefusal, mediaFaultAt } from './faults.ts';
import { sha256Of } from './files.ts';
import { parseReleased } from './releases.ts';
import { menuTextOf } from './rules.ts';
import {
  insertRelease,
  lockProject,
  type Project,
  type ReleaseInfo,
  selectMediaHashes,
  selectRelease,
  selectReleases,
  updateRelease,
} from './sql.ts';

export const noteCharsMax = 500;

export type Published = {
  /** False: the draft is what already runs, and nothing was written. */
  readonly published: boolean;
  readonly release: ReleaseInfo;
  /** What the checks found that does not stop publishing. */
  readonly warnings: readonly Fault[];
};

/**
 * Makes the draft the running release. Refuses with every fault that stops. The same transaction tells the
 * project's bots which updates they need from now on, so that no bot runs a release it cannot hear for.
 */
export async function publish(
  tx: Tx,
  projectId: number,
  options: { note?: string | undefined } = {},
): Promise<Published> {
  const project = await locked(tx, projectId);
  if (project.draft === null) {
    throw new Refusal('DOCUMENT_WRONG', 'The project has no draft. Import a document first.');
  }
  const document = read(parseDocument(JSON.parse(project.draft)));
  const warnings = await checked(tx, projectId, document);
  const text = canonicalJson(document);
  const hash = sha256Of(text);
  const running =
    project.releaseNumber === null ? undefined : await selectRelease(tx, projectId, project.releaseNumber);
  if (running !== undefined && running.hash === hash) {
    // Published by a version that told the bots less.
    await tellBots(tx, projectId, document);
    return { published: false, release: infoOf(running), warnings };
  }
  const release = await insertRelease(tx, { projectId, hash, document: text, note: noteOf(options.note) });
  if (release === undefined) throw new Error('The release was not written.');
  await settled(tx, projectId, document);
  await pointAt(tx, projectId, release.number, document);
  return { published: true, release, warnings };
}

/** Makes an older (or newer) release the running one. The draft stays as it is. */
export async function rollback(
  tx: Tx,
  projectId: number,
  number: number,
): Promise<{ changed: boolean; release: ReleaseInfo }> {
  const project = await locked(tx, projectId);
  const release = await selectRelease(tx, projectId, number);
  if (release === undefined)
    throw new Refusal('RELEASE_NOT_FOUND', `The project has no release ${number}.`, { release: number });
  if (project.releaseNumber === number) return { changed: false, release: infoOf(release) };
  const document = read(parseReleased(release));
  // Rows that have become alike since do not stand in the way back: their column stays as it is.
  await settleTables(tx, projectId, document.tables ?? {});
  await pointAt(tx, projectId, number, document);
  return { changed: true, release: infoOf(release) };
}

/** The releases of a project, newest first. */
export function releases(db: Queryable, projectId: number, limit = 50): Promise<ReleaseInfo[]> {
  return selectReleases(db, projectId, limit);
}

/** The kinds of updates that the running release needs; undefined while nothing is published. For a bot that joins. */
export async function neededUpdates(
  db: Queryable,
  project: Pick<Project, 'id' | 'releaseNumber'>,
): Promise<string[] | undefined> {
  if (project.releaseNumber === null) return undefined;
  const release = await selectRelease(db, project.id, project.releaseNumber);
  return release === undefined ? undefined : allowedUpdates(read(parseReleased(release)));
}

/** What stands in the way of publishing this document, files included; warnings come after faults that stop. */
export async function faultsOf(db: Queryable, projectId: number, document: FlowDocument): Promise<Fault[]> {
  const ofPages = checkManifest(document);
  const told = new Set(ofPages.map(({ path }) => path));
  const faults = [
    ...checkDocument(document),
    ...ofPages,
    ...filterFaults(document.tables ?? {}, document.app?.data ?? {}, told),
    ...tableFaults(document.tables ?? {}, document.media ?? {}, { customs: customsOf(document) }),
    ...(await missingMedia(db, projectId, document)),
  ];
  return faults.sort((a, b) => Number(a.severity === 'warns') - Number(b.severity === 'warns'));
}

async function locked(tx: Tx, projectId: number): Promise<{ releaseNumber: number | null; draft: string | null }> {
  const project = await lockProject(tx, projectId);
  if (project === undefined) throw new Refusal('PROJECT_NOT_FOUND');
  return project;
}

function read(result: ReturnType<typeof parseDocument>): FlowDocument {
  if (!result.ok) throw documentRefusal(result.faults);
  return result.document;
}

async function checked(tx: Tx, projectId: number, document: FlowDocument): Promise<Fault[]> {
  const faults = await faultsOf(tx, projectId, document);
  const stopping = faults.filter((fault) => fault.severity === 'stops');
  if (stopping.length > 0) throw documentRefusal(stopping, 'The draft cannot be published: it');
  return faults;
}

/** Columns become unique with the release that says so; rows that are alike stop it. */
async function settled(tx: Tx, projectId: number, document: FlowDocument): Promise<void> {
  const { faults } = await settleTables(tx, projectId, document.tables ?? {});
  if (faults.length > 0) throw documentRefusal(faults, 'The draft cannot be published: it');
}

async function missingMedia(db: Queryable, projectId: number, document: FlowDocument): Promise<Fault[]> {
  const entries = Object.entries(document.media ?? {});
  if (entries.length === 0) return [];
  const rows = await selectMediaHashes(
    db,
    projectId,
    entries.map(([, media]) => media.sha256),
  );
  const stored = new Set(rows.map((row) => row.sha256));
  return entries
    .filter(([, media]) => !stored.has(media.sha256))
    .map(([id, media]) =>
      mediaFaultAt(
        id,
        `The file ${media.name} was never stored.`,
        'Import the project again with the file beside the document.',
      ),
    );
}

async function pointAt(tx: Tx, projectId: number, number: number, document: FlowDocument): Promise<void> {
  await updateRelease(tx, projectId, number);
  await tellBots(tx, projectId, document);
}

/** Leaves alone what is so already. */
async function tellBots(tx: Tx, projectId: number, document: FlowDocument): Promise<void> {
  await setAllowedUpdates(tx, projectId, allowedUpdates(document));
  await setMenuText(tx, projectId, menuTextOf(document));
  await setMenuCommands(tx, projectId, menuCommands(document));
}

function noteOf(note: string | undefined): string | null {
  const text = note?.trim() ?? '';
  if ([...text].length > noteCharsMax) throw new Refusal('USAGE', `A note has at most ${noteCharsMax} characters.`);
  return text === '' ? null : text;
}

function infoOf(row: ReleaseInfo): ReleaseInfo {
  return { number: row.number, hash: row.hash, note: row.note, createdAt: row.createdAt };
}
