import type { Call, Method } from '../api/call.ts';
import { writableChat } from '../api/chats.ts';
import { readMarkup } from '../api/markup.ts';
import { badRequest } from '../api/refusal.ts';
import { showToBots } from '../people/visibility.ts';
import { composeMessage, senderOf } from '../world/compose.ts';
import type { InvoiceTerms } from '../world/conversation.ts';
import { accept } from './send.ts';

/** The only period that Stars subscriptions can have: 30 days. */
const SUBSCRIPTION_SECONDS = 2_592_000;

function sumOf(prices: readonly unknown[]): number {
  let total = 0;
  for (const price of prices) {
    const { label, amount } = (price ?? {}) as { label?: unknown; amount?: unknown };
    if (typeof label !== 'string' || !Number.isInteger(amount))
      throw badRequest("can't parse LabeledPrice: wrong label or amount");
    total += amount as number;
  }
  if (total <= 0) throw badRequest('CURRENCY_TOTAL_AMOUNT_INVALID');
  return total;
}

/** The terms of an invoice, checked as Telegram does. */
function readTerms(call: Call): InvoiceTerms {
  const payload = call.text('payload') ?? '';
  const bytes = Buffer.byteLength(payload);
  if (bytes < 1 || bytes > 128) throw badRequest('INVOICE_PAYLOAD_INVALID');
  const title = call.text('title') ?? '';
  if (title === '' || [...title].length > 32) throw badRequest('TITLE_INVALID');
  if ([...(call.text('description') ?? '')].length > 255) throw badRequest('DESCRIPTION_INVALID');
  const currency = call.text('currency') ?? '';
  if (!/^[A-Z]{3}$/.test(currency)) throw badRequest('CURRENCY_INVALID');
  const prices = call.list('prices') ?? [];
  const provider = call.text('provider_token') ?? '';
  if (currency === 'XTR' && prices.length !== 1) throw badRequest('STARS_INVOICE_INVALID');
  if (currency === 'XTR' ? provider !== '' : provider === '') throw badRequest('PAYMENT_PROVIDER_INVALID');
  const subscription = call.number('subscription_period');
  if (subscription !== undefined && subscription !== SUBSCRIPTION_SECONDS)
    throw badRequest('SUBSCRIPTION_PERIOD_INVALID');
  return {
    botId: call.bot.id,
    title,
    currency,
    total: sumOf(prices),
    payload,
    ...(subscription ? { subscription } : {}),
  };
}

export const sendInvoice: Method = (call) => {
  const chat = writableChat(call);
  const terms = readTerms(call);
  const price = terms.currency === 'XTR' ? `⭐️${terms.total}` : `${(terms.total / 100).toFixed(2)} ${terms.currency}`;
  const markup = readMarkup(call, chat) ?? {
    inline: { inline_keyboard: [[{ text: `Pay ${price}`, pay: true as const }]] },
  };
  const first = markup.inline?.inline_keyboard[0]?.[0];
  if (markup.reply || !first || !('pay' in first)) throw badRequest('first button must be a Pay button');
  const invoice = {
    title: terms.title,
    description: call.text('description') ?? '',
    start_parameter: call.text('start_parameter') ?? '',
    currency: terms.currency,
    total_amount: terms.total,
  };
  const message = accept(call, chat, { invoice }, markup);
  chat.invoices.set(message.message_id, terms);
  return message;
};

export const createInvoiceLink: Method = (call) => `https://t.me/$${call.world.payments.addLink(readTerms(call))}`;

export const refundStarPayment: Method = (call) => {
  const { world, bot } = call;
  const charge = world.payments.charges.get(call.text('telegram_payment_charge_id') ?? '');
  if (!charge || charge.terms.botId !== bot.id || charge.userId !== call.number('user_id'))
    throw badRequest('CHARGE_NOT_FOUND');
  if (charge.refunded) throw badRequest('CHARGE_ALREADY_REFUNDED');
  charge.refunded = true;
  const user = world.users.get(charge.userId);
  if (!user) return true;
  const chat = world.privateChat(bot, user);
  const refund = {
    currency: 'XTR' as const,
    total_amount: charge.terms.total,
    invoice_payload: charge.terms.payload,
    telegram_payment_charge_id: charge.id,
  };
  const message = composeMessage(world, chat, user, { refunded_payment: refund });
  world.keep(chat, message);
  showToBots(world, chat, message);
  return true;
};

export const getStarTransactions: Method = (call) => {
  const offset = call.number('offset') ?? 0;
  const limit = call.number('limit') ?? 100;
  const transactions = call.world.payments
    .ofBot(call.bot.id)
    .filter(({ terms }) => terms.currency === 'XTR')
    .flatMap((charge) => {
      const user = call.world.users.get(charge.userId) ?? senderOf(call.bot);
      const partner = {
        type: 'user',
        transaction_type: 'invoice_payment',
        user,
        invoice_payload: charge.terms.payload,
      };
      const paid = { id: charge.id, amount: charge.terms.total, date: charge.date, source: partner };
      return charge.refunded
        ? [paid, { id: charge.id, amount: charge.terms.total, date: charge.date, receiver: partner }]
        : [paid];
    });
  return { transactions: transactions.slice(offset, offset + limit) };
};

export const getMyStarBalance: Method = (call) => {
  const charges = call.world.payments.ofBot(call.bot.id);
  return {
    amount: charges.reduce(
      (sum, { terms, refunded }) => sum + (refunded || terms.currency !== 'XTR' ? 0 : terms.total),
      0,
    ),
  };
};
