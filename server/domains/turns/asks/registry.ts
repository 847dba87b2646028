import type { AskKinds } from './kinds.ts';
import { tableAsks } from './tables.ts';

/** A new kind of question is a file here and a line; the compiler asks for it. */
export const askKinds: AskKinds = { table: tableAsks };
