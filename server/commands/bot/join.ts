import {
  type BotsDeps,
  type Connected,
  type ConnectRequest,
  connectBot,
  setAllowedUpdates,
} from '../../domains/bots/bots.ts';
import { getProject, neededUpdates, type Project } from '../../domains/projects/projects.ts';

/**
 * Connects a bot with the kinds of updates that the running release of its project needs. A release that is
 * published while Telegram is being asked has told the project's other bots only, so it is looked for afterwards.
 */
export async function joinProject(
  deps: BotsDeps,
  project: Project,
  request: Omit<ConnectRequest, 'project' | 'allowedUpdates'>,
): Promise<Connected> {
  const allowedUpdates = await neededUpdates(deps.db, project);
  const connected = await connectBot(deps, {
    ...request,
    project: project.publicId,
    ...(allowedUpdates === undefined ? {} : { allowedUpdates }),
  });
  const now = await getProject(deps.db, project.publicId);
  const kinds = now.releaseNumber === project.releaseNumber ? undefined : await neededUpdates(deps.db, now);
  if (kinds !== undefined) await deps.db.tx((tx) => setAllowedUpdates(tx, project.id, kinds));
  return connected;
}
