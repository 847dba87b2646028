import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance } from 'fastify';
import { readAppScript } from './app-script.ts';
import { APP_SCRIPT_PATH } from './core.ts';

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
};

/** Nothing but our own files may run, and messages can never become markup. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' blob:",
  "media-src 'self' blob:",
  "connect-src 'self'",
  // Mini Apps: theirs is another page, whatever it may do.
  'frame-src http: https:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The chat page: the files of `page/`, read once. */
export async function pageRoutes(server: FastifyInstance): Promise<void> {
  const folder = fileURLToPath(new URL('./page/', import.meta.url));
  for (const name of await readdir(folder)) {
    const type = TYPES[name.split('.').at(-1) ?? ''];
    if (!type) continue;
    const text = await readFile(`${folder}${name}`, 'utf8');
    server.get(name === 'index.html' ? '/' : `/${name}`, (request, reply) => {
      // Without the last slash the page's own addresses would point beside it.
      const path = request.url.split('?')[0] ?? '';
      if (name === 'index.html' && !path.endsWith('/')) return reply.redirect(`${path}/`);
      reply
        .header('Content-Security-Policy', POLICY)
        .header('X-Content-Type-Options', 'nosniff')
        .header('Referrer-Policy', 'no-referrer');
      return reply.header('Cache-Control', 'no-cache').type(type).send(text);
    });
  }
}

/** The script that apps load, whatever their origin: there is nothing in it but what everybody may read. */
export async function appScriptRoute(server: FastifyInstance): Promise<void> {
  const script = await readAppScript();
  server.get(APP_SCRIPT_PATH, (_request, reply) =>
    reply
      .header('Cache-Control', 'no-cache')
      .header('Cross-Origin-Resource-Policy', 'cross-origin')
      .type(TYPES.js ?? '')
      .send(script),
  );
}
