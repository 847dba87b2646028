// The long-running loops of the bots, for roles.

export type { PollerOptions } from './watch/poller.ts';
export { createPoller } from './watch/poller.ts';
export { createReconciler } from './watch/reconciler.ts';
