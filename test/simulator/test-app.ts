import { createHmac, createPublicKey, timingSafeEqual, verify } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** A Mini App of a few lines, on an origin of its own; it loads the script it is told. */
export async function startTestApp(script: string): Promise<string> {
  const html = `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Test app</title>
<style>body { margin: 16px; font: 16px/1.4 system-ui; color: var(--tg-theme-text-color); background: var(--tg-theme-bg-color) }
.card { padding: 16px; border-radius: 12px; background: var(--tg-theme-secondary-bg-color) }</style>
<script src="${script}"></script>
<h1>Bakery</h1><div class="card"><p id="who"></p><label>Loaves <input id="loaves" value="1"></label></div>
<script src="/app.js"></script></html>`;
  const server = createServer((request, response) => {
    const code = request.url === '/app.js';
    response.writeHead(200, { 'content-type': code ? 'text/javascript' : 'text/html; charset=utf-8' });
    response.end(code ? APP : html);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

const APP = `
const tg = Telegram.WebApp;
window.heard = [];
for (const name of ['themeChanged', 'viewportChanged', 'popupClosed', 'contactRequested', 'settingsButtonClicked'])
  tg.onEvent(name, (data) => heard.push([name, data]));
document.getElementById('who').textContent = tg.initDataUnsafe.user?.first_name ?? 'nobody';
tg.ready();
`;

/** The checks that Telegram's documentation asks of a server, written without the simulator's code. */
export function verifyLaunch(
  initData: string,
  known: { token: string; publicKeyHex: string },
): { hash: boolean; signature: boolean; fields: Record<string, string> } {
  const query = new URLSearchParams(initData);
  const names = [...query.keys()].sort();
  const lines = (without: readonly string[]): string =>
    names
      .filter((name) => !without.includes(name))
      .map((name) => `${name}=${query.get(name)}`)
      .join('\n');
  const secret = createHmac('sha256', 'WebAppData').update(known.token).digest();
  const expected = createHmac('sha256', secret)
    .update(lines(['hash']))
    .digest();
  const given = Buffer.from(query.get('hash') ?? '', 'hex');
  const x = Buffer.from(known.publicKeyHex, 'hex').toString('base64url');
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  const text = `${known.token.split(':')[0]}:WebAppData\n${lines(['hash', 'signature'])}`;
  const twice = new Set(names).size !== names.length;
  return {
    hash: !twice && given.length === expected.length && timingSafeEqual(given, expected),
    signature: !twice && verify(null, Buffer.from(text), key, Buffer.from(query.get('signature') ?? '', 'base64url')),
    fields: Object.fromEntries(query),
  };
}
