// A release made ready to run.

import type { FlowDocument } from '../../../contract/flow.ts';

export type CompiledRelease = {
  readonly number: number;
  readonly hash: string;
  readonly document: FlowDocument;
};
