// Which updates a document needs from Telegram: what nobody listens to only costs traffic.

import type { FlowDocument } from '../../../contract/flow.ts';

/** Always wanted: people, presses, being blocked or added, and money that waits ten seconds. */
const ALWAYS = ['message', 'callback_query', 'my_chat_member', 'pre_checkout_query'] as const;

const OF_OTHERS: ReadonlySet<string> = new Set(['joined', 'left', 'promoted', 'demoted', 'restricted']);

/** The kinds of updates that a document listens to, for `setWebhook`. */
export function allowedUpdates(document: FlowDocument): string[] {
  const wanted = new Set<string>(ALWAYS);
  for (const trigger of Object.values(document.triggers)) {
    if (trigger.type === 'member' && trigger.props.changes.some((change) => OF_OTHERS.has(change)))
      wanted.add('chat_member');
    if (trigger.type !== 'member' && trigger.in?.includes('channel')) wanted.add('channel_post');
  }
  return [...wanted];
}
