/** One update handled in one transaction: the flow's step, what is remembered, and the messages it asks for. The only hub. */
export { type Acknowledger, createAcknowledger } from './acknowledge.ts';
export { endLeftovers, type Leftovers } from './leftovers.ts';
export { createPressMint, type PressMint } from './presses.ts';
