// One turn while it runs: a draft of the state, the effects so far, and what blocks may ask about the world.
// It lives for one call of `step`; nothing outside sees it, so `step` stays pure.

import { FLOW_LIMITS, VARS_BYTES } from '../../../contract/limits.ts';
import { KNOWN_VALUES, type Value, type Variable } from '../../../contract/variables.ts';
import { acceptableEffect } from './acceptable.ts';
import { buttonInfo } from './button-info.ts';
import { Chance } from './chance.ts';
import type { CompiledRelease } from './compile.ts';
import { goesHere } from './deliver.ts';
import type { FlowEvent } from './event-types.ts';
import { EventView, isIncoming } from './event-view.ts';
import type { Program } from './expressions.ts';
import { knownValue, scopeOf } from './known.ts';
import { listenTo, pickLocale } from './locales.ts';
import { Meter } from './meter.ts';
import { placeOf, placeOfId } from './places.ts';
import { type Refs, withRef } from './refs.ts';
import type { CompiledBlock } from './runner.ts';
import type {
  Answer,
  AppPlace,
  ConversationState,
  Effect,
  FlowState,
  Ref,
  TableAnswer,
  TableAsk,
  TraceEntry,
  UnkeyedEffect,
  Wait,
} from './step-types.ts';
import { AnswerMissing, LimitPassed } from './stops.ts';
import type { Place } from './taken.ts';
import type { RichText } from './texts.ts';
import { TurnTexts } from './turn-texts.ts';
import { emptyOf, fitValue, jsonBytes, readOwn, sameValue, type Vars } from './values.ts';

export class Turn {
  release: CompiledRelease;
  readonly event: FlowEvent;
  readonly view: EventView;
  readonly meter = new Meter();
  readonly effects: Effect[] = [];
  readonly trace: TraceEntry[] = [];
  block: CompiledBlock | null = null;
  wait: Wait | null;
  stack: string[];
  refs: Refs;
  keyboard: string;
  vars: { conversation: Vars; contact: Vars; bot: Vars };
  tags: readonly string[];
  locale: string;
  chosenLocale: string | null;
  /** The card "something went wrong" runs once a turn. */
  failed = false;
  /** The conversation was ended in this turn. */
  ended = false;
  readonly botUsername: string;
  readonly app: AppPlace | null;
  /** What Telegram takes depends on it. */
  readonly place: Place;
  readonly #plainHttp: boolean;
  blocksLeft: number = FLOW_LIMITS.blocksPerTurn;
  effectsLeft: number = FLOW_LIMITS.effectsPerTurn;
  #answered = false;
  readonly #answers: readonly Answer[];
  #asked = 0;
  readonly #chance: Chance;
  readonly #texts = new TurnTexts(this);
  /** Variables that hold words of the person's language, and the same in the project's. */
  readonly #own = new Map<string, { readonly said: Value; readonly own: Value }>();

  constructor(
    release: CompiledRelease,
    state: FlowState,
    event: FlowEvent,
    random: number,
    answers: readonly Answer[],
  ) {
    const { conversation, contact, bot } = state;
    this.release = release;
    this.event = event;
    this.view = new EventView(event, contact);
    this.wait = this.#waitOf(release, conversation);
    this.stack = conversation ? [...conversation.stack] : [];
    this.refs = conversation?.refs ?? {};
    this.keyboard = conversation?.keyboard ?? '';
    this.vars = { conversation: conversation?.vars ?? {}, contact: contact.vars, bot: bot.vars };
    this.tags = contact.tags;
    this.chosenLocale = contact.locale;
    this.locale = pickLocale(release, contact.locale, this.view.language);
    listenTo(this);
    this.botUsername = bot.username ?? '';
    this.app = bot.app ?? null;
    this.place = placeOf(event, conversation);
    this.#plainHttp = bot.plainHttp === true;
    this.#answers = answers;
    this.#chance = new Chance(random);
  }

  /** A wait in a block that is gone (the conversation was moved to a release without it) is over. */
  #waitOf(release: CompiledRelease, conversation: ConversationState | null): Wait | null {
    const wait = conversation?.wait ?? null;
    if (wait === null || release.blocks.has(wait.block)) return wait;
    this.note(wait.block, 'gone');
    return null;
  }

  /** Goes on with another release: a trigger of the current one caught the event. */
  switchTo(release: CompiledRelease): void {
    this.release = release;
    this.locale = pickLocale(release, this.chosenLocale, this.view.language);
    this.#texts.forget();
  }

  note(at: string, what: string, exit?: string, note?: string): void {
    // A long round must not hide what stopped it.
    if (this.trace.length >= FLOW_LIMITS.traceEntries && what === 'fault') this.trace.pop();
    if (this.trace.length >= FLOW_LIMITS.traceEntries) return;
    this.trace.push({
      at,
      what,
      ...(exit === undefined ? {} : { exit }),
      ...(note === undefined ? {} : { note: note.slice(0, 200) }),
    });
  }

  /** The key that the next effect gets. */
  nextKey(): string {
    return `${this.event.key}/${this.block?.id ?? ''}/${this.effects.length}`;
  }

  /** Adds an effect and gives its key; '' where there is no chat that it could reach. */
  emit(effect: UnkeyedEffect): string {
    if (this.view.isChatless && goesHere(effect)) {
      this.note(this.block?.id ?? '', effect.type, undefined, 'a visitor of the site has no chat');
      return '';
    }
    const taken = this.#taken(effect);
    if (taken === null) return '';
    if (this.effectsLeft <= 0) throw new LimitPassed(`more than ${FLOW_LIMITS.effectsPerTurn} effects in one turn`);
    this.effectsLeft -= 1;
    const key = this.nextKey();
    this.effects.push({ ...taken, key, block: this.block?.id ?? '' } as Effect);
    return key;
  }

  /** The effect without what Telegram would refuse in its chat. */
  #taken(effect: UnkeyedEffect): UnkeyedEffect | null {
    const at = this.block?.id ?? '';
    const elsewhere = effect.type === 'send' && effect.chat !== 'here' ? placeOfId(effect.chat) : undefined;
    const where = { place: elsewhere ?? this.place, plainHttp: this.#plainHttp };
    return acceptableEffect(effect, where, (why) => this.note(at, effect.type, undefined, why));
  }

  /** The answer of a table. Where there is none yet the turn ends here, and is run again with it. */
  askTable(ask: TableAsk): TableAnswer {
    if (this.#asked >= FLOW_LIMITS.tableUsesPerTurn)
      throw new LimitPassed(`more than ${FLOW_LIMITS.tableUsesPerTurn} uses of tables in one turn`);
    const answer = this.#answers[this.#asked];
    if (answer === undefined) throw new AnswerMissing(ask);
    this.#asked += 1;
    return answer;
  }

  /** Puts down what the present block waits for. */
  startWait(kind: Wait['kind'], delayMs: number, given: { call?: string; asked?: string } = {}): void {
    const id = this.nextKey();
    if (delayMs > 0) this.emit({ type: 'timer', id, delayMs });
    this.wait = {
      block: this.block?.id ?? '',
      kind,
      timer: delayMs > 0 ? id : '',
      call: given.call ?? '',
      failed: 0,
      asked: given.asked ?? '',
    };
  }

  /** Leaves the block that waits. A timer that is still running is called off. */
  leaveWait(): void {
    const timer = this.wait?.timer ?? '';
    this.wait = null;
    const fired = this.event.kind === 'timer' && this.event.id === timer;
    if (timer !== '' && !fired) this.emit({ type: 'cancelTimer', id: timer });
  }

  /** True while a press waits for an answer of this turn. */
  mayAnswer(): boolean {
    return isIncoming(this.event) && this.event.press !== null && !this.#answered;
  }

  /** Answers the press. One that is refused or left over has an effect even when the turn has used its own up. */
  answer(given: { text?: string; alert?: true; outOfDate?: true }): void {
    if (!this.mayAnswer() || !isIncoming(this.event)) return;
    this.#answered = true;
    this.effectsLeft += 1;
    this.emit({ type: 'answerButton', id: this.event.press?.id ?? '', ...given });
  }

  /** A button marked "answers later" spins until it is answered, so the turn's end does it. */
  answerLate(): void {
    const press = isIncoming(this.event) ? this.event.press : null;
    if (press && press.use !== 'foreign' && buttonInfo(this.release, press.block, press.button)?.answersLater)
      this.answer({});
  }

  /** The next number in [0,1) of this turn. */
  chance(): number {
    return this.#chance.next();
  }

  hasTag(tag: string): boolean {
    return this.tags.includes(tag);
  }

  /** What a path leads to, for a reader of this language; undefined while unset. */
  read(path: string, locale: string = this.locale): Value | undefined {
    if (Object.hasOwn(KNOWN_VALUES, path)) return knownValue(this, path, locale);
    const variable = readOwn(this.release.variables, path);
    if (variable) return this.#stored(path, variable, locale) ?? variable.default;
    const dot = path.indexOf('.');
    if (dot < 0) return undefined;
    const whole = this.read(path.slice(0, dot), locale);
    return typeof whole === 'object' && !Array.isArray(whole) ? readOwn(whole as Vars, path.slice(dot + 1)) : undefined;
  }

  /** The same, with the empty value of its type while unset: a number counts as 0. */
  readFull(path: string): Value | undefined {
    const value = this.read(path);
    if (value !== undefined) return value;
    const variable = readOwn(this.release.variables, path);
    return variable ? emptyOf(variable.type) : undefined;
  }

  #stored(name: string, variable: Variable, locale: string): Value | undefined {
    if (variable.scope === 'secret') return undefined;
    const value = readOwn(this.vars[variable.scope], name);
    const both = locale === this.locale ? undefined : this.#own.get(name);
    return both !== undefined && value !== undefined && sameValue(value, both.said) ? both.own : value;
  }

  /** Remembers a value, or tells why not. `own`: the same in the project's language, for whoever reads that in this turn. */
  set(name: string, value: Value, own?: Value): string | null {
    if (own !== undefined) this.#own.set(name, { said: value, own });
    const variable = readOwn(this.release.variables, name);
    if (!variable || variable.scope === 'secret') return `there is no variable "${name}"`;
    const fitting = fitValue(value, variable);
    if (fitting === undefined) return `the value does not fit "${name}"`;
    const vars = this.vars[variable.scope];
    if (Object.hasOwn(vars, name) && sameValue(vars[name], fitting)) return null;
    const next = { ...vars, [name]: fitting };
    const limit = VARS_BYTES[variable.scope];
    if (jsonBytes(next, limit) > limit) return 'there is no more room for values';
    this.vars[variable.scope] = next;
    return null;
  }

  clear(name: string): string | null {
    const variable = readOwn(this.release.variables, name);
    if (!variable || variable.scope === 'secret') return `there is no variable "${name}"`;
    const { [name]: _gone, ...rest } = this.vars[variable.scope];
    if (Object.hasOwn(this.vars[variable.scope], name)) this.vars[variable.scope] = rest;
    return null;
  }

  /** Names a message for later edits. */
  name(name: string, ref: Ref): void {
    const { refs, forgotten } = withRef(this.refs, name, ref);
    for (const gone of forgotten) this.note(this.block?.id ?? '', 'forgot', gone);
    this.refs = refs;
  }

  /** Chooses the language; false for one that the flow does not speak. */
  chooseLocale(locale: string): boolean {
    if (!this.release.locales.includes(locale)) return false;
    this.chosenLocale = locale;
    this.locale = locale;
    return true;
  }

  /** Runs an expression. Throws when it fails. */
  evaluate(program: Program, locale: string = this.locale): Value {
    return program.run(scopeOf(this, program, locale), this.meter);
  }

  /** A text of the release in the person's language, or in the one asked for. */
  text(key: string, locale: string = this.locale): RichText {
    const text = this.release.text(key, locale);
    return text ? this.#texts.render(text, locale) : { text: '', entities: [] };
  }
}
