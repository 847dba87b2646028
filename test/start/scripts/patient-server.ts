// Stands in for the server: tells every signal it gets, and takes a while to end, as one that drains does.
console.log(`pid ${process.pid} args ${JSON.stringify(process.argv.slice(2))} node ${process.versions.node}`);

let asked = 0;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    console.log(`got ${signal}`);
    asked += 1;
    if (asked === 2) process.exit(9);
    setTimeout(
      () => {
        console.log('drained');
        process.exit(Number(process.env.EXIT ?? 0));
      },
      Number(process.env.DRAIN_MS ?? 500),
    );
  });
}
if (process.env.DIE) process.kill(process.pid, process.env.DIE);
if (process.env.EXIT_NOW) process.exit(Number(process.env.EXIT_NOW));
setInterval(() => {}, 1_000);
console.log('serving');
