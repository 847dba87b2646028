import { parseArgs } from 'node:util';
import type { SimulatorOptions } from './settings.ts';
import { createSimulator } from './simulator.ts';

const HELP = `node simulator/main.ts [--host 127.0.0.1] [--port 0] [--latency MS] [--speed N] [--no-limits] [--lenient]
  [--auto-chats] [--log-max N] [--log-params full|hash|none] [--history-max N] [--seed N] [--keep FOLDER]
Prints one line of JSON with its address. SIGTERM or SIGINT stops it.`;

const { values } = parseArgs({
  options: {
    host: { type: 'string', default: '127.0.0.1' },
    port: { type: 'string', default: '0' },
    latency: { type: 'string' },
    speed: { type: 'string' },
    'no-limits': { type: 'boolean', default: false },
    lenient: { type: 'boolean', default: false },
    'auto-chats': { type: 'boolean', default: false },
    'log-max': { type: 'string' },
    'log-params': { type: 'string' },
    'history-max': { type: 'string' },
    seed: { type: 'string' },
    keep: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});

function numberOf(text: string | undefined, name: string): Record<string, number> {
  return text === undefined ? {} : { [name]: Number(text) };
}

function optionsOf(): SimulatorOptions {
  const kept = values['log-params'];
  return {
    strict: !values.lenient,
    autoChats: values['auto-chats'],
    ...(values['no-limits'] ? { limits: false as const } : {}),
    ...(kept === 'full' || kept === 'hash' || kept === 'none' ? { logParams: kept } : {}),
    ...numberOf(values.latency, 'latencyMs'),
    ...numberOf(values.speed, 'speed'),
    ...numberOf(values['log-max'], 'logMax'),
    ...numberOf(values['history-max'], 'historyMax'),
    ...numberOf(values.seed, 'seed'),
  };
}

async function run(): Promise<void> {
  const simulator = createSimulator(optionsOf());
  if (values.keep !== undefined) await simulator.keepIn(values.keep);
  const address = await simulator.listen({ host: values.host, port: Number(values.port) });
  process.stdout.write(
    `${JSON.stringify({
      address,
      page: simulator.page,
      control: `${address}/control`,
      control_key: simulator.controlKey,
      app_key: simulator.appPublicKey,
      pid: process.pid,
    })}\n`,
  );
  const stop = (): void => {
    simulator.close().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
}

if (values.help) process.stdout.write(`${HELP}\n`);
else await run();
