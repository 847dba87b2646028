import type { WebhookAnswer } from '../delivery/transport.ts';
import type { Bot } from '../world/bot.ts';
import { RawBody, readBody } from './body.ts';
import { Call } from './call.ts';
import { checkParams } from './check.ts';
import type { EndpointParts } from './endpoint.ts';
import { ApiRefusal } from './refusal.ts';

/** Never carried out from a webhook's answer. */
const NEVER = /^(setwebhook|deletewebhook|close|logout|get.*)$/;

/**
 * Carries out the method that a webhook put into its 2xx answer. Its result and its errors are lost; the call log
 * shows it as fault `webhook_reply`.
 */
export async function runWebhookReply(parts: EndpointParts, bot: Bot, answer: WebhookAnswer): Promise<void> {
  const { world, log, registry } = parts;
  const type = answer.contentType ?? '';
  if (!/^(application\/json|application\/x-www-form-urlencoded|multipart\/form-data)/.test(type)) return;
  let body: ReturnType<typeof readBody>;
  try {
    body = readBody(new RawBody(type, Buffer.from(answer.body), ''));
  } catch {
    return; // Broken JSON in a good answer is ignored.
  }
  const { method, ...params } = body.params;
  const name = typeof method === 'string' ? method.toLowerCase() : '';
  const entry = registry.get(name);
  if (!entry || NEVER.test(name)) return;
  const row = log.begin(world.clock.mono(), bot.id, entry.spec.name, answer.body, world.settings.logMax);
  log.fault(row, 'webhook_reply');
  try {
    checkParams(entry.spec, params, undefined);
    log.target(row, params.chat_id);
    const call = new Call(world, bot, entry.spec, params, body.uploads);
    await entry.run(call);
    if (call.messageId !== undefined) log.message(row, call.messageId);
    log.decide(row, true, 200);
  } catch (error) {
    log.note(row, { description: error instanceof Error ? error.message : String(error) });
    log.decide(row, false, error instanceof ApiRefusal ? error.code : 500);
  }
}
