// placeholder
import type { Fault, FlowDocument } from '../../../contract/flow.ts';
export function checkDocument(_document: FlowDocument): Fault[] { return []; }
