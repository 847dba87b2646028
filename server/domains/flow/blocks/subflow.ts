// Runs another card and comes back.

import type { MakeRunner } from '../runner.ts';

export const makeSubflow: MakeRunner<'subflow'> = () => ({ run: () => ({ to: 'call' }) });
