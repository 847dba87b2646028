// How every block type runs. Forget one and the compiler names it.

import type { BlockType } from '../../../../contract/blocks/registry.ts';
import type { MakeRunner } from '../runner.ts';
import { makeAnswer } from './answer.ts';
import { makeCondition } from './condition.ts';
import { makeDelete } from './delete.ts';
import { makeEdit } from './edit.ts';
import { makeEnd } from './end.ts';
import { makeInput } from './input.ts';
import { makeJump } from './jump.ts';
import { makeMembership } from './membership.ts';
import { makeMessage } from './message.ts';
import { makeNotify } from './notify.ts';
import { makePage } from './page.ts';
import { makeRandom } from './random.ts';
import { makeSet } from './set.ts';
import { makeSubflow } from './subflow.ts';
import { makeTable } from './table.ts';
import { makeTag } from './tag.ts';
import { makeWait } from './wait.ts';

export const RUNNERS = {
  message: makeMessage,
  page: makePage,
  edit: makeEdit,
  delete: makeDelete,
  answer: makeAnswer,
  input: makeInput,
  condition: makeCondition,
  set: makeSet,
  random: makeRandom,
  jump: makeJump,
  subflow: makeSubflow,
  wait: makeWait,
  tag: makeTag,
  notify: makeNotify,
  membership: makeMembership,
  table: makeTable,
  end: makeEnd,
} as const satisfies { readonly [Type in BlockType]: MakeRunner<Type> };
