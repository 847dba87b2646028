// Runs the embedded PostgreSQL of DATA_DIR and nothing else, until it is told to stop.
import { Refusal } from '../../../kernel/errors.ts';
import { startEmbedded } from '../../../kernel/postgres/embedded.ts';

const say = (line: string): void => console.log(`say ${line}`);

// Becomes a plain user once everything is loaded: the clone itself may be closed to them.
const uid = Number(process.env.BECOME ?? 0);
if (uid !== 0) {
  process.setgroups?.([uid]);
  process.setgid?.(uid);
  process.setuid?.(uid);
}

try {
  const embedded = await startEmbedded({
    dataDir: process.env.DATA_DIR ?? '',
    known: process.env.KNOWN === 'yes',
    say,
  });
  const stop = async (signal: string): Promise<void> => {
    say(`got ${signal}`);
    await embedded.stop();
    say('stopped');
    process.exit(0);
  };
  process.on('SIGINT', () => void stop('SIGINT'));
  process.on('SIGTERM', () => void stop('SIGTERM'));
  console.log(`ready ${JSON.stringify({ url: embedded.url, adopted: embedded.adopted })}`);
} catch (error) {
  if (!(error instanceof Refusal)) throw error;
  console.error(`${error.code}: ${error.message}`);
  process.exit(1);
}
