// What may be wrong with a turn, told apart.

const guardCode = 'RG001';

/** A turn whose questions to tables take too long, every time: it counts as an attempt. */
export class SlowTurn extends Error {}

/** The same where it may have been for want of time: once more, with more of it and apart from the others. */
export class NeedsTime extends Error {}

/** A turn asks what only one that is alone, in the run of its project, may ask. */
export class AsksApart extends Error {}

/** As the fence throws it. */
export const bucketLost = (): Error => Object.assign(new Error('guard: bucket'), { code: guardCode });

/** True where the server has ended a statement because it took longer than it may. */
export function isTimeUp(error: unknown): boolean {
  const { code, message } = error as { code?: unknown; message?: string };
  return code === '57014' && message?.includes('statement timeout') === true;
}

/** The name of the guard that failed, or undefined for any other error. */
export function guardOf(error: unknown): string | undefined {
  const { code, message } = error as { code?: unknown; message?: string };
  return code === guardCode ? (message?.replace(/^guard: /, '') ?? '') : undefined;
}
