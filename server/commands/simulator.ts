import { once } from 'node:events';
import { listenRefusal } from '../../kernel/http.ts';
import { defineCommand } from './cli/command.ts';
import { numberOf } from './cli/values.ts';

export const simulator = defineCommand({
  name: 'simulator',
  summary: 'Runs the simulated Telegram alone, with its chat page, until it is stopped',
  details: [
    'Point a server at it with TELEGRAM_API_ROOT. It keeps everything in memory: stopping it forgets its bots and chats.',
  ],
  examples: ['simulator --port 8090 --latency 120'],
  args: [],
  options: {
    port: { type: 'text', value: 'NUMBER', about: 'where it listens; 8090 when absent, 0 takes any free one' },
    host: { type: 'text', value: 'ADDRESS', about: 'on which address; 127.0.0.1 when absent' },
    latency: { type: 'text', value: 'MS', about: 'how long each answer is held back' },
    seed: { type: 'text', value: 'NUMBER', about: 'makes its chance repeatable' },
    lenient: {
      type: 'flag',
      about: 'passes over parameters that a method does not have, as Telegram does, instead of refusing them',
    },
  },
  json: true,
  serves: 'talking',
  async run({ options, answer, stop }) {
    // Only here, so that a server in production never loads it.
    const { createSimulator, pageAddress } = await import('../../simulator/simulator.ts');
    const telegram = createSimulator({
      ...(options.latency === undefined ? {} : { latencyMs: numberOf(options.latency, '--latency', 600_000, 0) }),
      ...(options.seed === undefined ? {} : { seed: numberOf(options.seed, '--seed') }),
      strict: !options.lenient,
    });
    const port = options.port === undefined ? 8090 : numberOf(options.port, '--port', 65_535, 0);
    const address = await telegram.listen({ host: options.host ?? '127.0.0.1', port }).catch((error) => {
      throw listenRefusal(error, options.host ?? '127.0.0.1', port, '--port');
    });
    const { controlKey } = telegram;
    answer({ address, page: pageAddress(address, controlKey), controlKey }, [
      `The simulated Telegram runs. Its chat page: ${pageAddress(address, controlKey)}`,
      `A server that shall talk to it: TELEGRAM_API_ROOT=${address} roost serve`,
      'Stop it with Ctrl-C.',
    ]);
    if (!stop.aborted) await once(stop, 'abort');
    await telegram.close();
  },
});
