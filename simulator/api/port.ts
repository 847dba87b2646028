import type { Reply } from './reply.ts';

/** Where the answer to one call goes, whatever kind of connection it came by. */
export type AnswerPort = {
  send(reply: Reply): void;
  /** Takes the connection away: the caller sees a reset and no answer. */
  cut(): void;
  /** Does `work` when the connection is gone. */
  onClose(work: () => void): void;
};
