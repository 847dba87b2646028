// Loaded before a server that tools/run.mjs starts. When that parent is killed, nobody could pass on a signal any
// more: the server then stops as if it had been asked to.
process.channel?.unref();
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
