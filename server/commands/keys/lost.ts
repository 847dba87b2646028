import { Refusal } from '../../../kernel/errors.ts';
import { replaceKeyCheck, whereKeyIs } from '../../../kernel/identity.ts';
import { forgetSecrets } from '../../domains/bots/bots.ts';
import { listProcesses } from '../../domains/ops/ops.ts';
import { defineCommand } from '../cli/command.ts';
import { count, quote } from '../cli/print.ts';

export const keysLost = defineCommand({
  name: 'keys lost',
  summary: 'Goes on with a new master key where the old one is lost for good',
  details: [
    'Only the lost key could open the tokens of the bots, so each bot stops until it was given its token again:',
    '`roost bot rotate BOT --token TOKEN`, with the token that @BotFather shows. Everything else stays: projects, people,',
    'conversations, what waits, what visitors have sent. Buttons of messages that were sent before answer that they are out',
    'of date, addresses of files that were given out before do not open any more, and a visitor of a site is somebody new.',
    'The new key is ROOST_KEY where that is set, else a file in the data folder. Stop the server before.',
  ],
  args: [],
  options: { yes: { type: 'flag', about: 'the key is lost for good; without it only what would happen is said' } },
  changes: 'telegram',
  json: true,
  async run({ answer, config, installation, options }) {
    const { db, ground } = await installation();
    if (ground.hasKey) throw new Refusal('KEY_THERE');
    const running = (await listProcesses(db)).filter((process) => process.fresh);
    if (running.length > 0) throw new Refusal('STILL_RUNNING');
    if (!options.yes) {
      answer({ changed: false }, [
        'The master key is not here. Look for it first: in your backups, on the other machines of this installation, in ROOST_KEY.',
        'With it nothing is lost. If it is gone for good: roost keys lost --yes',
      ]);
      return;
    }
    const masterKey = await ground.freshKey();
    const bots = await db.tx(async (tx) => {
      await replaceKeyCheck(tx, ground.id, masterKey);
      return forgetSecrets(tx);
    });
    answer({ changed: true, bots }, [
      `The new master key ${whereKeyIs(config)}. Keep a copy of it in a safe place.`,
      ...(bots.length === 0
        ? ['No bot was connected, so nothing has to be done.']
        : [
            `${count(bots.length, 'bot')} must be given ${bots.length === 1 ? 'its token' : 'their tokens'} again; until then updates wait, in order:`,
            ...bots.map((bot) => `  roost bot rotate @${bot.username} --token TOKEN   (${quote(bot.project)})`),
          ]),
    ]);
  },
});
