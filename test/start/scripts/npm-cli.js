// Stands in for npm: writes down that it ran, fails where there is a file `.fail`, waits while there is a file `.wait`,
// and installs by copying the lock file.
import fs from 'node:fs';

const log = process.env.NPM_LOG;
fs.appendFileSync(log, `${process.argv.slice(2).join(' ')}\n`);
if (fs.existsSync(`${log}.fail`)) {
  console.error('npm error code E404');
  process.exit(1);
}
while (fs.existsSync(`${log}.wait`)) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
fs.mkdirSync('node_modules/thing', { recursive: true });
fs.copyFileSync('package-lock.json', 'node_modules/.package-lock.json');
