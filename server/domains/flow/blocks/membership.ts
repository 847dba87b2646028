// Asks Telegram whether the person is in a chat, and waits for its answer.

import type { PropsOf } from '../../../../contract/blocks/registry.ts';
import { FLOW_LIMITS } from '../../../../contract/limits.ts';
import type { CallResultEvent } from '../event-types.ts';
import { exitMove, failMove, type MakeRunner, type Move, WAIT_MOVE } from '../runner.ts';
import type { Turn } from '../turn.ts';
import { fieldsOf } from '../update-fields.ts';
import { asNumber } from '../values.ts';

export const makeMembership: MakeRunner<'membership'> = (_id, { props, exits }) => {
  const late = exits?.['timeout'] === undefined ? failMove('Telegram did not answer in time') : exitMove('timeout');
  return {
    run: (turn) => {
      const chat = chatOf(turn, props.chat);
      const user = turn.view.userId;
      if (chat === null || user === 0)
        return failMove(chat === null ? 'there is no chat to look in' : 'there is no person to look for');
      const call = turn.nextKey();
      turn.emit({ type: 'call', id: call, method: 'getChatMember', params: { chat_id: chat, user_id: user } });
      turn.startWait('call', FLOW_LIMITS.callTimeoutMs, { call });
      return WAIT_MOVE;
    },
    resume: (turn, event) => {
      if (event.kind === 'timer') return event.id === turn.wait?.timer ? late : null;
      return event.kind === 'callResult' && event.id === turn.wait?.call ? judge(event) : null;
    },
  };
};

function chatOf(turn: Turn, chat: PropsOf<'membership'>['chat']): number | string | null {
  if (typeof chat !== 'object') return chat;
  const value = turn.read(chat.var);
  if (typeof value === 'string' && /^@[A-Za-z][A-Za-z0-9_]{3,31}$/.test(value)) return value;
  const id = asNumber(value);
  return Number.isSafeInteger(id) && id !== 0 ? id : null;
}

function judge(event: CallResultEvent): Move {
  const member = event.ok ? fieldsOf(event.result) : null;
  switch (member?.['status']) {
    case 'creator':
    case 'administrator':
    case 'member':
      return exitMove('member');
    case 'restricted':
      return exitMove(member['is_member'] === true ? 'member' : 'stranger');
    case 'left':
    case 'kicked':
      return exitMove('stranger');
    default:
      return failMove(event.error ?? 'Telegram did not say');
  }
}
