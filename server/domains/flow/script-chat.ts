// A private chat with a bot as a script sees it: makes updates, runs turns, keeps what the bot said. No clock: time is told.

import { buttonInfo } from './button-info.ts';
import type { CompiledRelease } from './compile.ts';
import { conversationKey } from './conversation-key.ts';
import type { ConversationKey, FlowEvent, IncomingEvent } from './event-types.ts';
import { ScriptTables } from './script-tables.ts';
import { writeMessage } from './script-words.ts';
import { step } from './step.ts';
import type { Effect, EffectButton, FlowState, Markup, StepResult, TableAnswer } from './step-types.ts';
import { toEvents } from './update.ts';

/** One thing the bot did, as a script writes it: `bot: Hello  [A] [B]`. */
export type Said = { readonly who: string; readonly text: string };

export type Person = { readonly id: number; readonly firstName: string; readonly language: string };

type Shown = {
  readonly messageId: number;
  readonly key: string;
  markup: Markup | undefined;
  readonly media: boolean;
  readonly used: Set<string>;
};
type Timer = { readonly id: string; readonly dueMs: number };

export class ScriptChat {
  state: FlowState;
  nowMs: number;
  readonly said: Said[] = [];
  readonly #release: CompiledRelease;
  readonly #person: Person;
  readonly #random: () => number;
  readonly #tables: ScriptTables;
  readonly #shown: Shown[] = [];
  #timers: Timer[] = [];
  #calls: string[] = [];
  #updates = 0;
  #messages = 0;
  #submitted = 0;

  constructor(release: CompiledRelease, person: Person, startMs: number, random: () => number) {
    this.#release = release;
    this.#person = person;
    this.#random = random;
    this.#tables = new ScriptTables(release.document);
    this.nowMs = startMs;
    this.state = {
      conversation: null,
      contact: {
        vars: {},
        tags: [],
        locale: null,
        id: person.id,
        firstName: person.firstName,
        language: person.language,
      },
      bot: { vars: {}, username: 'script_bot', app: { address: 'https://example.com/a/script' } },
    };
  }

  /** The person sends a message: fields of it as Telegram has them. */
  send(content: { readonly [field: string]: unknown }): void {
    this.#messages += 1;
    this.#take({
      message: {
        message_id: this.#messages,
        from: this.#from(),
        chat: this.#chat(),
        date: Math.floor(this.nowMs / 1000),
        ...content,
      },
    });
  }

  /** The person sends a form of the app: what the inbox holds then, but for who it was and its number. */
  submit(content: { readonly [field: string]: unknown }): void {
    this.#submitted += 1;
    const { id, firstName, language } = this.#person;
    const visitor = { id, firstName, languageCode: language };
    const roost = { kind: 'app', visitor, number: this.#submitted, ...content };
    this.#run(toEvents({ roost }, { key: `app:${this.#nextKey()}`, atMs: this.nowMs }));
  }

  /** Presses the newest button with these words, or sends the words of a key. */
  tap(label: string): void {
    for (const message of this.#shown.toReversed()) {
      const { markup } = message;
      if (markup && 'keyboard' in markup && markup.keyboard.flat().some((key) => key.text === label)) {
        this.send({ text: label });
        return;
      }
      const button =
        markup && 'inline_keyboard' in markup
          ? markup.inline_keyboard.flat().find((one) => one.text === label)
          : undefined;
      if (button?.press) {
        this.#press(message, button);
        return;
      }
    }
    throw new Error(`there is no button "${label}" to press`);
  }

  #press(message: Shown, button: EffectButton): void {
    const press = button.press ?? { block: '', button: '' };
    const name = `${press.block}/${press.button}`;
    const info = buttonInfo(this.#release, press.block, press.button);
    const published = message.used.has(name) && !info?.repeats ? undefined : info?.answer?.[this.#locale()];
    if (published) this.said.push({ who: 'bot answers', text: published.text });
    const media = message.media ? { photo: [{ file_id: 'p', file_unique_id: 'p', width: 1, height: 1 }] } : {};
    const incoming = this.#incoming({
      callback_query: {
        id: `q${this.#updates}`,
        from: this.#from(),
        data: name,
        message: { message_id: message.messageId, chat: this.#chat(), date: 1, ...media },
      },
    });
    const use = message.used.has(name) ? 'again' : 'first';
    message.used.add(name);
    this.#run({ ...incoming, press: { id: incoming.press?.id ?? '', data: name, ...press, use, source: message.key } });
  }

  #locale(): string {
    const { contact } = this.state;
    return (
      contact.locale ??
      (this.#release.locales.includes(this.#person.language) ? this.#person.language : this.#release.defaultLocale)
    );
  }

  /** Time goes by; timers that come due run, the earliest first. */
  pass(ms: number): void {
    const end = this.nowMs + ms;
    for (;;) {
      const [next] = this.#timers.filter((timer) => timer.dueMs <= end).sort((left, right) => left.dueMs - right.dueMs);
      if (!next) break;
      this.#timers = this.#timers.filter((timer) => timer !== next);
      this.nowMs = Math.max(this.nowMs, next.dueMs);
      this.#run({
        kind: 'timer',
        id: next.id,
        key: this.#nextKey(),
        atMs: this.nowMs,
        conversation: this.#conversation(),
      });
    }
    this.nowMs = end;
  }

  /** Telegram answers the oldest outside call. */
  answerCall(ok: boolean, result: unknown): void {
    const id = this.#calls.shift();
    if (id === undefined) throw new Error('the bot asked Telegram nothing');
    const given = ok ? { ok, result } : { ok, error: String(result) };
    this.#run({
      kind: 'callResult',
      id,
      key: this.#nextKey(),
      atMs: this.nowMs,
      conversation: this.#conversation(),
      ...given,
    });
  }

  #conversation(): ConversationKey {
    return { chatId: this.#person.id, threadId: 0, userId: 0 };
  }

  #from(): object {
    return {
      id: this.#person.id,
      is_bot: false,
      first_name: this.#person.firstName,
      language_code: this.#person.language,
    };
  }

  #chat(): object {
    return { id: this.#person.id, type: 'private', first_name: this.#person.firstName };
  }

  #nextKey(): string {
    this.#updates += 1;
    return `u${this.#updates}`;
  }

  #incoming(update: object): IncomingEvent {
    const key = this.#nextKey();
    return toEvents({ update_id: this.#updates, ...update }, { key, atMs: this.nowMs });
  }

  #take(update: object): void {
    this.#run(this.#incoming(update));
  }

  #run(event: FlowEvent): void {
    const where = conversationKey(this.#release, event);
    if (where.chatId !== this.#person.id) throw new Error('a script has one chat');
    const result = this.#step({ ...event, random: this.#random() });
    this.state = result.state;
    for (const effect of result.effects) this.#carryOut(effect);
    if (result.outcome === 'fault') this.said.push({ who: 'fault', text: result.trace.at(-1)?.note ?? '' });
  }

  #step(event: FlowEvent & { readonly random: number }): StepResult {
    const answers: TableAnswer[] = [];
    for (;;) {
      const result = step(this.#release, this.state, event, this.#release, answers);
      if (!result.asks) return result;
      answers.push(this.#tables.answer(result.asks));
    }
  }

  #carryOut(effect: Effect): void {
    switch (effect.type) {
      case 'send':
        this.#carrySend(effect);
        break;
      case 'edit':
        this.#carryEdit(effect);
        break;
      case 'delete':
        this.said.push({ who: 'bot deletes', text: '' });
        break;
      case 'answerButton':
        if (effect.text !== undefined) this.said.push({ who: 'bot answers', text: effect.text });
        break;
      case 'timer':
        this.#timers.push({ id: effect.id, dueMs: this.nowMs + effect.delayMs });
        break;
      case 'cancelTimer':
        this.#timers = this.#timers.filter((timer) => timer.id !== effect.id);
        break;
      case 'call':
        this.#calls.push(effect.id);
        break;
      case 'typing':
        break;
    }
  }

  #carrySend(effect: Extract<Effect, { type: 'send' }>): void {
    const { params, chat } = effect;
    if (chat !== 'here') {
      this.said.push({ who: `bot tells ${chat}`, text: writeMessage(params) });
      return;
    }
    this.#messages += 1;
    this.#shown.push({
      messageId: this.#messages,
      key: effect.key,
      markup: params.reply_markup,
      media: params.text === undefined && params.rich_message === undefined,
      used: new Set(),
    });
    this.said.push({ who: 'bot', text: writeMessage(params) });
  }

  #carryEdit(effect: Extract<Effect, { type: 'edit' }>): void {
    const { target, params } = effect;
    const message = this.#shown.find((one) =>
      'key' in target ? one.key === target.key : one.messageId === target.messageId,
    );
    if (message) {
      message.markup = params.reply_markup;
      message.used.clear();
    }
    this.said.push({ who: 'bot edits', text: writeMessage(params) });
  }
}
