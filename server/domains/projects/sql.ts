// Every statement of the projects domain. The caller owns the transaction; nothing here begins or ends one.
import type { Queryable, Tx } from '../../../kernel/db.ts';
import { sql } from '../../../kernel/sql.ts';

export type ProjectStatus = 'active' | 'paused';

/** A project without its documents, which can be megabytes. */
export type Project = {
  id: number;
  publicId: string;
  name: string;
  status: ProjectStatus;
  /** The release that new conversations begin with; null before the first publish. */
  releaseNumber: number | null;
  draftAt: Date | null;
  createdAt: Date;
  rev: number;
};

/** The beginning of a file, and how long the whole is. */
export type MediaHead = { kind: string; size: number; bytes: Buffer };

/** A release without its document. */
export type ReleaseInfo = { number: number; hash: string; note: string | null; createdAt: Date };

/** A file of a project. `kind` is what the content is, as `image/jpeg`. */
export type MediaFile = { sha256: string; kind: string; name: string; bytes: Buffer };

/** Adds a project; undefined when the name is taken. */
export const insertProject = (tx: Tx, p: { publicId: string; name: string }) =>
  tx.one<Project>(sql`
    insert into project (public_id, name) values (${p.publicId}, ${p.name})
    on conflict (name) do nothing
    returning id, public_id as "publicId", name, status, release_number as "releaseNumber",
      draft_at as "draftAt", created_at as "createdAt", rev`);

/** By name or by public id: both are unique, and no name looks like a public id. */
export const selectProject = (db: Queryable, nameOrId: string) =>
  db.one<Project>(sql`
    select id, public_id as "publicId", name, status, release_number as "releaseNumber",
      draft_at as "draftAt", created_at as "createdAt", rev
    from project where public_id = ${nameOrId} or name = ${nameOrId}`);

export const selectProjects = (db: Queryable, limit: number) =>
  db.many<Project>(sql`
    select id, public_id as "publicId", name, status, release_number as "releaseNumber",
      draft_at as "draftAt", created_at as "createdAt", rev
    from project order by name limit ${limit}`);

/** Locks the project until the transaction ends: two publishes follow each other, and bots may join meanwhile. */
export const lockProject = (tx: Tx, projectId: number) =>
  tx.one<{ id: number; releaseNumber: number | null; draft: string | null }>(sql`
    select id, release_number as "releaseNumber", draft from project where id = ${projectId} for no key update`);

export const selectDraft = (db: Queryable, projectId: number) =>
  db.one<{ draft: string | null }>(sql`select draft from project where id = ${projectId}`);

/** Stores a draft. The running release is not touched, so `rev` stays. */
export const updateDraft = (tx: Tx, projectId: number, document: string) =>
  tx.run(sql`update project set draft = ${document}, draft_at = now() where id = ${projectId}`);

export const updateStatus = (tx: Tx, projectId: number, status: ProjectStatus) =>
  tx.run(sql`
    update project set status = ${status}, rev = nextval('change_rev')
    where id = ${projectId} and status <> ${status}`);

/** Points a project at a release. */
export const updateRelease = (tx: Tx, projectId: number, number: number) =>
  tx.run(sql`
    update project set release_number = ${number}, rev = nextval('change_rev') where id = ${projectId}`);

/** Writes the next release. Numbers have no gaps, since the project is locked by then. */
export const insertRelease = (tx: Tx, r: { projectId: number; hash: string; document: string; note: string | null }) =>
  tx.one<ReleaseInfo>(sql`
    insert into release (project_id, number, hash, document, note)
    select ${r.projectId}::bigint, coalesce(max(number), 0) + 1, ${r.hash}, ${r.document}::json, ${r.note}
    from release where project_id = ${r.projectId}
    returning number, hash, note, created_at as "createdAt"`);

export const selectRelease = (db: Queryable, projectId: number, number: number) =>
  db.one<ReleaseInfo & { document: string }>(sql`
    select number, hash, note, created_at as "createdAt", document
    from release where project_id = ${projectId} and number = ${number}`);

export const selectReleaseHash = (db: Queryable, projectId: number, number: number) =>
  db.one<{ hash: string }>(sql`
    select hash from release where project_id = ${projectId} and number = ${number}`);

export const selectReleases = (db: Queryable, projectId: number, limit: number) =>
  db.many<ReleaseInfo>(sql`
    select number, hash, note, created_at as "createdAt"
    from release where project_id = ${projectId} order by number desc limit ${limit}`);

/** Keeps a file under its hash. The same bytes again are not written; another name of theirs is. */
export const insertMedia = (tx: Tx, projectId: number, file: MediaFile) =>
  tx.run(sql`
    insert into media (project_id, sha256, kind, name, bytes)
    values (${projectId}, ${file.sha256}, ${file.kind}, ${file.name}, ${file.bytes})
    on conflict (project_id, sha256) do update set name = excluded.name where media.name <> excluded.name`);

export const selectMedia = (db: Queryable, projectId: number, sha256: string) =>
  db.one<MediaFile>(sql`
    select sha256, kind, name, bytes from media where project_id = ${projectId} and sha256 = ${sha256}`);

export const selectMediaName = (db: Queryable, projectId: number, sha256: string) =>
  db.one<{ name: string; size: number }>(sql`
    select name, octet_length(bytes) as size from media where project_id = ${projectId} and sha256 = ${sha256}`);

export const selectMediaHead = (db: Queryable, projectId: number, sha256: string, bytes: number) =>
  db.one<MediaHead>(sql`
    select kind, octet_length(bytes) as size, substring(bytes from 1 for ${bytes}) as bytes
    from media where project_id = ${projectId} and sha256 = ${sha256}`);

export const selectMediaPart = (
  db: Queryable,
  projectId: number,
  sha256: string,
  part: { readonly from: number; readonly length: number },
) =>
  db.one<{ bytes: Buffer }>(sql`
    select substring(bytes from ${part.from + 1} for ${part.length}) as bytes
    from media where project_id = ${projectId} and sha256 = ${sha256}`);

/** Which of these files the project has. */
export const selectMediaHashes = (db: Queryable, projectId: number, hashes: readonly string[]) =>
  db.many<{ sha256: string }>(sql`
    select sha256 from media where project_id = ${projectId} and sha256 = any(${hashes})`);
