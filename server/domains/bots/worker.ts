// The long-running loops of the bots, for roles.

export type { PollerOptions } from './poller.ts';
export { createPoller } from './poller.ts';
export { createReconciler } from './reconciler.ts';
