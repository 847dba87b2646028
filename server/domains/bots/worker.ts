// The long-running loops of the bots, for roles.

export type { AppAddress } from './watch/menu.ts';
export type { PollerOptions } from './watch/poller.ts';
export { createPoller } from './watch/poller.ts';
export { createReconciler } from './watch/reconciler.ts';
