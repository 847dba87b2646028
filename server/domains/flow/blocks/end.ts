// Ends the conversation, or the card that a subflow runs.

import type { MakeRunner } from '../runner.ts';

export const makeEnd: MakeRunner<'end'> = (_id, { props }) => ({
  run: () => ({ to: 'end', what: props.what ?? 'conversation' }),
});
