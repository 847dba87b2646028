// What ours is compared with, as a process of its own: told over its channel which bots there are, it listens.
import fastify, { type FastifyInstance } from 'fastify';
import { createHttp } from '../../kernel/http.ts';
import { realKit } from '../../kernel/kit.ts';
import { createLog } from '../../kernel/log.ts';
import { createTelegram } from '../../server/domains/telegram/telegram.ts';
import { files } from './files.ts';
import { grammy } from './grammy.ts';
import type { BaselinePlan, FilesPlan } from './plan.ts';
import { bare, unsafe } from './routes.ts';

const kit = realKit(createLog({ level: 'info' }));

async function start(plan: BaselinePlan | FilesPlan): Promise<void> {
  // Files come from Fastify as it is, without anything of ours around it.
  const app: FastifyInstance = plan.kind === 'files' ? fastify() : createHttp(kit);
  if (plan.kind === 'files') files(app, plan);
  else if (plan.kind === 'bare') bare(app, plan);
  else if (plan.kind === 'unsafe') unsafe(app, plan, createTelegram(kit));
  else grammy(app, plan);
  await app.listen({ host: '127.0.0.1', port: plan.port });
  process.send?.('listening');
}

process.on('message', (plan: BaselinePlan | FilesPlan) => {
  start(plan).catch((error) => {
    process.stderr.write(`${String(error)}\n`);
    process.exit(1);
  });
});
process.on('disconnect', () => process.exit(0));
