// What visitors have sent, by what became of it: for the metrics.
import { ZodError } from 'zod';
import { isDatabaseFault, Refusal, type RefusalCode } from '../../../kernel/errors.ts';

/** By result, and what was refused by its reason too: `accepted`, `refused SLOT_TAKEN`. */
export type SubmissionCounts = { readonly [outcome: string]: number };

/** `duplicate`: it was stored before. `robot`: it filled in what people do not see, and nothing was stored. */
export type Taken<Answer> = { readonly outcome: 'accepted' | 'duplicate' | 'robot'; readonly answer: Answer };

export type SubmissionCounter = {
  readonly counts: SubmissionCounts;
  /** Counts how it ends, and ends the same way. */
  counted<Answer>(take: () => Promise<Taken<Answer>>): Promise<Answer>;
};

/** Shown from the start, so that the first of them is seen as one more. */
const usual: readonly RefusalCode[] = [
  'INPUT_WRONG',
  'UNKNOWN_VISITOR',
  'APP_OUTDATED',
  'CART_CHANGED',
  'SLOT_TAKEN',
  'TOO_MANY_REQUESTS',
  'BUSY',
  'DATABASE_UNAVAILABLE',
];

export function createSubmissionCounter(): SubmissionCounter {
  const outcomes = ['accepted', 'duplicate', 'robot', 'failed', ...usual.map((code) => `refused ${code}`)];
  const counts: Record<string, number> = Object.fromEntries(outcomes.map((outcome) => [outcome, 0]));
  const add = (outcome: string): void => {
    counts[outcome] = (counts[outcome] ?? 0) + 1;
  };
  return {
    counts,
    async counted(take) {
      try {
        const { outcome, answer } = await take();
        add(outcome);
        return answer;
      } catch (error) {
        const reason = reasonOf(error);
        add(reason === undefined ? 'failed' : `refused ${reason}`);
        throw error;
      }
    },
  };
}

/** As the visitor is answered (kernel/http.ts); undefined for a bug. */
function reasonOf(error: unknown): RefusalCode | undefined {
  if (error instanceof Refusal) return error.code;
  if (error instanceof ZodError) return 'INPUT_WRONG';
  return isDatabaseFault(error) ? 'DATABASE_UNAVAILABLE' : undefined;
}
