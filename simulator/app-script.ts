import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

/** In this order each part finds what it imports above itself. */
const PARTS = ['wire', 'launch', 'events', 'look', 'buttons', 'asks', 'web-app'] as const;

/** The modules of `page/web-app/` as one classic script: apps expect `window.Telegram` at once. */
export async function readAppScript(): Promise<string> {
  const folder = fileURLToPath(new URL('./page/web-app/', import.meta.url));
  const parts = await Promise.all(PARTS.map((part) => readFile(`${folder}${part}.js`, 'utf8')));
  return `(() => {\n'use strict';\n${parts.map(joined).join('\n')}})();\n`;
}

/** A module's text without its imports, its names no longer exported. */
function joined(text: string): string {
  return text.replace(/^import [^;]*;\n/gm, '').replace(/^export /gm, '');
}
