import { deleteWebhook, getMe, getUpdates, getWebhookInfo } from '../methods/updates.ts';
import { sendChatAction, sendMessage } from '../methods/send.ts';
import { plausible } from '../methods/plausible.ts';
import type { Method } from './call.ts';
import type { MethodSpec } from './method-table.ts';
import { methodSpecs } from './method-table.ts';

/** A method as it can be called. */
export type Entry = { spec: MethodSpec; run: Method };

/** Methods with answers of their own. Whatever is not here answers plausibly by the shape of its result. */
const METHODS: Readonly<Record<string, Method>> = {
  getMe,
  getUpdates,
  deleteWebhook,
  getWebhookInfo,
  sendMessage,
  sendChatAction,
};

/** All methods by their name in lower case; `more` are those that need parts of the simulator. */
export function createRegistry(more: Readonly<Record<string, Method>>): ReadonlyMap<string, Entry> {
  const registry = new Map<string, Entry>();
  for (const [name, spec] of methodSpecs) {
    const run = more[spec.name] ?? METHODS[spec.name] ?? plausible(spec);
    registry.set(name, { spec, run });
  }
  return registry;
}
