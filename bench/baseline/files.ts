import type { FastifyInstance } from 'fastify';
import type { FilesPlan } from './plan.ts';

/** A route a file, each with a buffer that is ready. */
export function files(app: FastifyInstance, plan: FilesPlan): void {
  for (const [path, { headers, bytes }] of plan.files) {
    const buffer = Buffer.from(bytes);
    app.get(path, (_request, reply) => reply.headers(headers).send(buffer));
  }
}
