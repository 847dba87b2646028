// Puts marks on the person and takes them off.

import { FLOW_LIMITS } from '../../../../contract/limits.ts';
import { type MakeRunner, NEXT_MOVE } from '../runner.ts';

export const makeTag: MakeRunner<'tag'> = (id, { props }) => {
  const add = props.add ?? [];
  const remove = new Set(props.remove);
  return {
    run: (turn) => {
      const kept = turn.tags.filter((tag) => !remove.has(tag));
      const added = add.filter((tag, index) => !kept.includes(tag) && add.indexOf(tag) === index);
      const room = Math.max(0, FLOW_LIMITS.tagsPerContact - kept.length);
      if (added.length > room) turn.note(id, 'tag', undefined, `more than ${FLOW_LIMITS.tagsPerContact} tags`);
      if (kept.length < turn.tags.length || added.length > 0) turn.tags = [...kept, ...added.slice(0, room)];
      return NEXT_MOVE;
    },
  };
};
