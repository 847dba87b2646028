import { filesOf } from './files.ts';
import { placesOf, type Slot } from './pacing.ts';

/**
 * Calls that belong to no chat (answers to presses, questions) get a line of their own each, named by a number above any
 * chat id, so that none waits for another.
 */
export const loneLineBase = 2 ** 51;

/** A message in a line of its own: it speaks to no chat, so nothing that is answered to it is about a chat of the outbox. */
export const isAlone = ({ chatId }: { chatId: number }): boolean => chatId >= loneLineBase;

/** A message in memory: a row of the outbox that waits or is being sent. */
export type Message = {
  readonly integrationId: number;
  readonly bucket: number;
  readonly key: string;
  /** Place in order; undefined until the insert told it. */
  id: number | undefined;
  chatId: number;
  readonly class: 0 | 1;
  readonly method: string;
  readonly params: string;
  readonly target: string | null;
  readonly report: string | null;
  /** How many messages it counts as. */
  readonly places: number;
  /** The keys of the files that it shows. */
  readonly files: readonly string[];
  tries: number;
  doubts: number;
  /** Monotonic time before which it must not be tried again; so are all times here. */
  notBeforeMs: number;
  /** The answer to marking it as being sent was lost: its row may be marked already, and nobody calls it. */
  perhapsMarked: boolean;
  /** How often in a row it could not be marked though the database works. */
  notMarked: number;
  /** Its place in the bot's window, from the decision to the answer, and when it was called. */
  slot: Slot | undefined;
  calledMs: number | undefined;
};

/** A message that nothing has happened to yet. */
export function freshMessage(row: Omit<Message, 'id' | 'places' | 'files' | keyof typeof untouched>): Message {
  const { method, params } = row;
  return { ...row, id: undefined, places: placesOf(method, params), files: filesOf(params), ...untouched };
}

const untouched = {
  tries: 0,
  doubts: 0,
  notBeforeMs: 0,
  perhapsMarked: false,
  notMarked: 0,
  slot: undefined,
  calledMs: undefined,
};
