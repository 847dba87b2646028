import type { Message, User } from '@grammyjs/types';
import type { Bot } from '../world/bot.ts';
import type { InvoiceTerms } from '../world/conversation.ts';
import type { World } from '../world/world.ts';
import { sayIn } from './person.ts';
import type { Place } from './place.ts';
import { findBot, findUser, PeopleError, placeOf } from './place.ts';

/** Seconds a bot has to answer a pre_checkout_query. */
const CHECKOUT_SECONDS = 10;

/** Which invoice: a message of the chat, the newest one, or a link from createInvoiceLink. */
export type Payment = Place & { message_id?: number; link?: string };

/** How a payment ended. */
export type PaymentEnd = { ok: boolean; error_message?: string; charge_id?: string; message?: Message };

function termsOf(world: World, payment: Payment): { terms: InvoiceTerms; bot: Bot; user: User } {
  const user = findUser(world, payment.user);
  if (payment.link !== undefined) {
    const terms = world.payments.links.get(payment.link.replace(/^.*\$/, ''));
    if (!terms) throw new PeopleError(`there is no invoice ${payment.link}`);
    return { terms, bot: findBot(world, terms.botId), user };
  }
  const { chat } = placeOf(world, payment);
  const id = payment.message_id ?? [...chat.invoices.keys()].at(-1);
  const terms = id === undefined ? undefined : chat.invoices.get(id);
  if (!terms) throw new PeopleError('there is no invoice here');
  return { terms, bot: findBot(world, terms.botId), user };
}

/** The money moves whatever the bot said: what a successful_payment looks like. */
function settle(world: World, bot: Bot, user: User, terms: InvoiceTerms): PaymentEnd {
  const charge = world.payments.charge(user.id, terms, world.date());
  const chat = world.privateChat(bot, user);
  const renewal = terms.subscription
    ? {
        subscription_expiration_date: world.date() + terms.subscription,
        is_recurring: true as const,
        is_first_recurring: true as const,
      }
    : {};
  const payment = {
    currency: terms.currency,
    total_amount: terms.total,
    invoice_payload: terms.payload,
    ...renewal,
    telegram_payment_charge_id: charge.id,
    provider_payment_charge_id: `${user.id}_${charge.date}`,
  };
  const message = sayIn(world, chat, user, { successful_payment: payment } as Partial<Message>);
  return { ok: true, charge_id: charge.id, message };
}

/**
 * Pays: asks the bot by pre_checkout_query, waits for its answer, then sends successful_payment. Without an answer in
 * ten seconds the payment fails, as for people.
 */
export function pay(world: World, payment: Payment): Promise<PaymentEnd> {
  const { terms, bot, user } = termsOf(world, payment);
  return new Promise((resolve) => {
    const timer = setTimeout(
      () => resolve({ ok: false, error_message: 'BOT_PRECHECKOUT_TIMEOUT' }),
      CHECKOUT_SECONDS * 1000,
    );
    timer.unref();
    checkout(world, bot, user, terms, (answer) => {
      clearTimeout(timer);
      if (answer.ok === true) resolve(settle(world, bot, user, terms));
      else resolve({ ok: false, error_message: String(answer.error_message ?? '') });
    });
  });
}

function checkout(
  world: World,
  bot: Bot,
  user: User,
  terms: InvoiceTerms,
  onAnswer: (answer: Record<string, unknown>) => void,
): string {
  const query = world.queries.open({
    kind: 'pre_checkout',
    bot,
    userId: user.id,
    chat: `${bot.id}:${user.id}`,
    seconds: CHECKOUT_SECONDS,
    onAnswer,
  });
  const payload = {
    id: query.id,
    from: user,
    currency: terms.currency,
    total_amount: terms.total,
    invoice_payload: terms.payload,
  };
  world.update(bot, 'pre_checkout_query', user.id, user.id, payload);
  return query.id;
}

/** Pays without waiting: the end comes as a `checkout` event of the feed. */
export function startPayment(world: World, payment: Payment): true {
  const { bot, user } = termsOf(world, payment);
  void pay(world, payment).then((end) =>
    world.feed.publish('checkout', `${bot.id}:${user.id}`, {
      user_id: user.id,
      ok: end.ok,
      error_message: end.error_message ?? null,
    }),
  );
  return true;
}

/** Sends successful_payment without asking first: the second payment of an old invoice, or one whose question was lost. */
export function forcePayment(world: World, payment: Payment): PaymentEnd {
  const { terms, bot, user } = termsOf(world, payment);
  return settle(world, bot, user, terms);
}
