import { type Service, startAll, stopAll } from '../../kernel/service.ts';
import { createReconciler } from '../domains/bots/worker.ts';
import { createRetention as createInboxRetention } from '../domains/inbox/worker.ts';
import { appAddress } from '../domains/miniapps/miniapps.ts';
import { createRetention as createUploadRetention } from '../domains/miniapps/worker.ts';
import { createRetention as createNoticeRetention } from '../domains/notices/worker.ts';
import { createRetention as createOutboxRetention } from '../domains/outbox/worker.ts';
import { createLeftovers, createRetention as createPressRetention } from '../domains/turns/worker.ts';
import type { Groundwork } from './groundwork.ts';

/** Keeps order: webhooks kept as they should be, and what is old removed. Nothing a bot's client waits for. */
export function createControl({ kit, db, bots, tokens, config }: Groundwork): Service {
  const { keep } = config;
  const services: Service[] = [
    createReconciler(bots, tokens, (bot) => appAddress(bot, config.publicUrl)),
    createInboxRetention(kit, db, keep),
    createOutboxRetention(kit, db, { hours: keep.sentHours }),
    createPressRetention(kit, db),
    createLeftovers(kit, db),
    createNoticeRetention(kit, db),
    createUploadRetention(kit, db),
  ];
  return { name: 'control', start: () => startAll(services), stop: () => stopAll(services) };
}
