import type { Db } from '../../kernel/db.ts';
import type { Kit } from '../../kernel/kit.ts';
import { type Service, startAll, stopAll } from '../../kernel/service.ts';
import type { BotsDeps, TokenWatch } from '../domains/bots/bots.ts';
import { createReconciler } from '../domains/bots/worker.ts';
import { createRetention as createInboxRetention } from '../domains/inbox/worker.ts';
import { createRetention as createNoticeRetention } from '../domains/ops/worker.ts';
import { createRetention as createOutboxRetention } from '../domains/outbox/worker.ts';
import { createRetention as createPressRetention } from '../domains/turns/worker.ts';

/** For people and for order: webhooks kept as they should be, and what is old removed. Nothing a bot's client waits for. */
export function createControl(deps: {
  kit: Kit;
  db: Db;
  bots: BotsDeps;
  tokens: TokenWatch;
  keep: { bodyHours: number; keyHours: number; sentHours: number };
}): Service {
  const { kit, db, keep } = deps;
  const services: Service[] = [
    createReconciler(deps.bots, deps.tokens),
    createInboxRetention(kit, db, keep),
    createOutboxRetention(kit, db, { hours: keep.sentHours }),
    createPressRetention(kit, db),
    createNoticeRetention(kit, db),
  ];
  return { name: 'control', start: () => startAll(services), stop: () => stopAll(services) };
}
