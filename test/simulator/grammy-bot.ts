import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  Bot,
  type Context,
  GrammyError,
  InlineKeyboard,
  InputFile,
  InputMediaBuilder,
  Keyboard,
  webhookCallback,
} from 'grammy';
import { type Failure, KINDS, PIXEL, SECRET, type SmallBot, type SmallBotParts } from './small-bot.ts';

function failureOf(error: unknown): Failure {
  if (!(error instanceof GrammyError)) throw error;
  const { retry_after: retryAfter, migrate_to_chat_id: migrateTo } = error.parameters;
  return {
    code: error.error_code,
    description: error.description,
    ...(retryAfter === undefined ? {} : { retryAfter }),
    ...(migrateTo === undefined ? {} : { migrateTo }),
  };
}

/** Runs a call that is expected to fail. */
async function caught(failures: Failure[], work: Promise<unknown>): Promise<void> {
  await work.catch((error: unknown) => failures.push(failureOf(error)));
}

function counter(presses: number): { text: string; keyboard: InlineKeyboard } {
  return { text: `Нажато: ${presses}`, keyboard: new InlineKeyboard().text('Ещё', `plus:${presses}`) };
}

function answers(bot: Bot, apiRoot: string, failures: Failure[]): void {
  bot.command('start', (ctx) =>
    ctx.reply(`Здравствуйте, ${ctx.from?.first_name}! ${ctx.match}`.trim(), {
      reply_markup: new Keyboard().text('Меню').requestContact('Телефон'),
    }),
  );
  bot.command('count', (ctx) => {
    const { text, keyboard } = counter(0);
    return ctx.reply(text, { reply_markup: keyboard });
  });
  bot.callbackQuery(/^plus:(\d+)$/, async (ctx) => {
    const { text, keyboard } = counter(Number(ctx.match[1]) + 1);
    await ctx.answerCallbackQuery({ text: 'Есть' });
    await ctx.editMessageText(text, { reply_markup: keyboard });
    await caught(failures, ctx.editMessageText(text, { reply_markup: keyboard }));
  });
  bot.command('bold', (ctx) => ctx.reply('<b>Жирно</b> и <i>косо</i>', { parse_mode: 'HTML' }));
  bot.command('broken', (ctx) => caught(failures, ctx.reply('<b>нет конца', { parse_mode: 'HTML' })));
  bot.command('document', (ctx) =>
    ctx.replyWithDocument(new InputFile(Buffer.from('отчёт'), 'отчёт.txt'), { caption: 'вот' }),
  );
  bot.command('album', (ctx) =>
    ctx.replyWithMediaGroup([
      InputMediaBuilder.photo(new InputFile(PIXEL, 'a.png'), { caption: 'два' }),
      InputMediaBuilder.photo(new InputFile(PIXEL, 'b.png')),
    ]),
  );
  bot.command('flood', async (ctx) => {
    for (let index = 0; index < 5; index++) await caught(failures, ctx.reply(`${index}`));
  });
  bot.command('write', (ctx) => caught(failures, ctx.api.sendMessage(Number(ctx.match), 'привет')));
  bot.command('sell', (ctx) =>
    ctx.replyWithInvoice('Хлеб', 'свежий', 'order 1', 'XTR', [{ label: 'Хлеб', amount: 5 }]),
  );
  bot.command('delete', async (ctx) => {
    const { message_id: id } = await ctx.reply('исчезну');
    await ctx.api.deleteMessage(ctx.chat.id, id);
  });
  bot.on('pre_checkout_query', (ctx) => ctx.answerPreCheckoutQuery(true));
  bot.on('message:successful_payment', (ctx) => ctx.reply(`Оплачено ${ctx.message.successful_payment.total_amount}`));
  bot.on('message:contact', (ctx) => ctx.reply(`Телефон ${ctx.message.contact.phone_number}`));
  bot.on('edited_message:text', (ctx) => ctx.reply(`Теперь: ${ctx.editedMessage.text}`));
  bot.on('message:photo', (ctx) => photo(ctx, `${apiRoot}/file/bot${bot.token}`));
  bot.on('my_chat_member', (ctx) => caught(failures, ctx.reply('вернитесь')));
}

/** Downloads the photo through getFile and sends it back by its id. */
async function photo(ctx: Context, root: string): Promise<void> {
  const largest = ctx.message?.photo?.at(-1);
  if (!largest) return;
  const file = await ctx.getFile();
  const response = await fetch(`${root}/${file.file_path}`);
  const bytes = (await response.arrayBuffer()).byteLength;
  await ctx.replyWithPhoto(largest.file_id, { caption: `${bytes} байт` });
}

export function grammyBot({ apiRoot, token, transport }: SmallBotParts): SmallBot {
  const bot = new Bot(token, { client: { apiRoot } });
  const failures: Failure[] = [];
  answers(bot, apiRoot, failures);
  if (transport === 'polling') {
    return {
      failures,
      start: () => new Promise((resolve) => void bot.start({ onStart: () => resolve(), allowed_updates: KINDS })),
      stop: () => bot.stop(),
    };
  }
  const server = createServer(webhookCallback(bot, 'http', { secretToken: SECRET }));
  return {
    failures,
    start: async () => {
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const { port } = server.address() as AddressInfo;
      await bot.api.setWebhook(`http://127.0.0.1:${port}/`, { secret_token: SECRET, allowed_updates: KINDS });
    },
    stop: async () => {
      await bot.api.deleteWebhook();
      await new Promise((resolve) => server.close(resolve).closeAllConnections());
    },
  };
}
