/** Text that waits, by class. */
export type HeldBytes = [replies: number, bulk: number];

/** What of one class waits for a bot in memory, and what of it memory has not: replies and bulk keep no place from each other. */
export class Window {
  waiting = 0;
  /** Text of the messages that wait. */
  bytes = 0;
  inHand = 0;
  /** The table holds messages that are not in memory. */
  behind = false;
  /** A message was left in the table since the table was last read. */
  refusedSince = false;
}
