import type { Project, ReleaseInfo } from '../../domains/projects/projects.ts';

/** A project as programs see it. */
export function projectView(project: Project): object {
  return {
    id: project.publicId,
    name: project.name,
    status: project.status,
    release: project.releaseNumber,
    draftAt: project.draftAt,
    createdAt: project.createdAt,
  };
}

/** A release as programs see it. */
export function releaseView(release: ReleaseInfo): object {
  return { number: release.number, hash: release.hash, note: release.note, createdAt: release.createdAt };
}

/** The argument that names a project, the same in every command. */
export const projectArgument = { name: 'PROJECT', about: 'name or id of the project' } as const;
