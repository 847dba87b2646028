import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Input, Markup, Telegraf, TelegramError } from 'telegraf';
import { message } from 'telegraf/filters';
import { type Failure, KINDS, PIXEL, SECRET, type SmallBot, type SmallBotParts } from './small-bot.ts';

function failureOf(error: unknown): Failure {
  if (!(error instanceof TelegramError)) throw error;
  const { retry_after: retryAfter, migrate_to_chat_id: migrateTo } = error.parameters ?? {};
  return {
    code: error.code,
    description: error.description,
    ...(retryAfter === undefined ? {} : { retryAfter }),
    ...(migrateTo === undefined ? {} : { migrateTo }),
  };
}

/** Runs a call that is expected to fail. */
async function caught(failures: Failure[], work: Promise<unknown>): Promise<void> {
  await work.catch((error: unknown) => failures.push(failureOf(error)));
}

function counter(presses: number): { text: string; keyboard: ReturnType<typeof Markup.inlineKeyboard> } {
  return {
    text: `Нажато: ${presses}`,
    keyboard: Markup.inlineKeyboard([Markup.button.callback('Ещё', `plus:${presses}`)]),
  };
}

function answers(bot: Telegraf, failures: Failure[]): void {
  bot.start((ctx) =>
    ctx.reply(
      `Здравствуйте, ${ctx.from.first_name}! ${ctx.payload}`.trim(),
      Markup.keyboard([['Меню', Markup.button.contactRequest('Телефон')]]),
    ),
  );
  bot.command('count', (ctx) => {
    const { text, keyboard } = counter(0);
    return ctx.reply(text, keyboard);
  });
  bot.action(/^plus:(\d+)$/, async (ctx) => {
    const { text, keyboard } = counter(Number(ctx.match[1]) + 1);
    await ctx.answerCbQuery('Есть');
    await ctx.editMessageText(text, keyboard);
    await caught(failures, ctx.editMessageText(text, keyboard));
  });
  bot.command('bold', (ctx) => ctx.replyWithHTML('<b>Жирно</b> и <i>косо</i>'));
  bot.command('broken', (ctx) => caught(failures, ctx.replyWithHTML('<b>нет конца')));
  bot.command('document', (ctx) =>
    ctx.replyWithDocument(Input.fromBuffer(Buffer.from('отчёт'), 'отчёт.txt'), { caption: 'вот' }),
  );
  bot.command('album', (ctx) =>
    ctx.replyWithMediaGroup([
      { type: 'photo', media: Input.fromBuffer(PIXEL, 'a.png'), caption: 'два' },
      { type: 'photo', media: Input.fromBuffer(PIXEL, 'b.png') },
    ]),
  );
  bot.command('flood', async (ctx) => {
    for (let index = 0; index < 5; index++) await caught(failures, ctx.reply(`${index}`));
  });
  bot.command('write', (ctx) => caught(failures, ctx.telegram.sendMessage(Number(ctx.payload), 'привет')));
  bot.command('sell', (ctx) =>
    ctx.sendInvoice({
      title: 'Хлеб',
      description: 'свежий',
      payload: 'order 1',
      provider_token: '',
      currency: 'XTR',
      prices: [{ label: 'Хлеб', amount: 5 }],
    }),
  );
  bot.command('delete', async (ctx) => {
    const { message_id: id } = await ctx.reply('исчезну');
    await ctx.deleteMessage(id);
  });
  bot.on('pre_checkout_query', (ctx) => ctx.answerPreCheckoutQuery(true));
  bot.on(message('successful_payment'), (ctx) => ctx.reply(`Оплачено ${ctx.message.successful_payment.total_amount}`));
  bot.on(message('contact'), (ctx) => ctx.reply(`Телефон ${ctx.message.contact.phone_number}`));
  bot.on('edited_message', (ctx) => ctx.reply(`Теперь: ${'text' in ctx.editedMessage ? ctx.editedMessage.text : ''}`));
  bot.on(message('photo'), async (ctx) => {
    const largest = ctx.message.photo.at(-1);
    if (!largest) return;
    // The library makes the address of a file by itself, from the same root.
    const bytes = (await (await fetch(await ctx.telegram.getFileLink(largest.file_id))).arrayBuffer()).byteLength;
    await ctx.replyWithPhoto(largest.file_id, { caption: `${bytes} байт` });
  });
  bot.on('my_chat_member', (ctx) => caught(failures, ctx.reply('вернитесь')));
}

export function telegrafBot({ apiRoot, token, transport }: SmallBotParts): SmallBot {
  const bot = new Telegraf(token, { telegram: { apiRoot, webhookReply: false } });
  const failures: Failure[] = [];
  answers(bot, failures);
  if (transport === 'polling') {
    return {
      failures,
      start: () => new Promise((resolve) => void bot.launch({ allowedUpdates: [...KINDS] }, () => resolve())),
      stop: async () => bot.stop(),
    };
  }
  const server = createServer(bot.webhookCallback('/hook', { secretToken: SECRET }));
  return {
    failures,
    start: async () => {
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const { port } = server.address() as AddressInfo;
      await bot.telegram.setWebhook(`http://127.0.0.1:${port}/hook`, {
        secret_token: SECRET,
        allowed_updates: [...KINDS],
      });
    },
    stop: async () => {
      await bot.telegram.deleteWebhook();
      await new Promise((resolve) => server.close(resolve).closeAllConnections());
    },
  };
}
