import type { Call, Method } from '../api/call.ts';
import { checkGroup, findChat } from '../api/chats.ts';
import type { MethodSpec } from '../api/method-table.ts';

/** What a method without an answer of its own hands back, by the shape of its result. */
const RESULTS: Readonly<Record<string, (call: Call) => unknown>> = {
  true: () => true,
  'Message|true': () => true,
  number: () => 1,
  string: (call) => `https://t.me/+${call.bot.id.toString(36)}`,
};

/** A method that Roost does not use: its chat is checked, then it says yes. */
export function plausible(spec: MethodSpec): Method {
  const result = RESULTS[spec.result];
  return (call) => {
    if (call.params.chat_id !== undefined) {
      const chat = findChat(call);
      if (!chat.isPrivate) checkGroup(call, chat);
    }
    if (result) return result(call);
    return spec.result.endsWith('[]') ? [] : {};
  };
}
