import type { CallLog } from '../log/call-log.ts';
import type { Bot } from '../world/bot.ts';
import type { World } from '../world/world.ts';
import type { CallBody, RawBody } from './body.ts';
import { readBody } from './body.ts';
import { Call } from './call.ts';
import { checkParams } from './check.ts';
import type { ActiveFault, Faults } from './faults.ts';
import type { AnswerPort } from './port.ts';
import { ApiRefusal, badRequest } from './refusal.ts';
import type { Entry } from './registry.ts';
import type { Reply } from './reply.ts';
import { faultReply, refusalReply, replyOf, strikesBefore } from './reply.ts';

const MISSING: Readonly<Record<string, string>> = {
  chat_id: 'chat_id is empty',
  text: 'message text is empty',
  message_id: 'message identifier is not specified',
  from_chat_id: 'from_chat_id is empty',
  user_id: 'invalid user_id specified',
  latitude: 'latitude is empty',
  longitude: 'longitude is empty',
  file_id: 'file_id not specified',
  action: 'wrong parameter action in request',
  message_ids: 'message identifiers are not specified',
  options: "can't parse options JSON object",
  commands: "can't parse commands JSON object",
  prices: "can't parse prices JSON object",
  results: 'expected an Array of inline query results',
  callback_query_id: 'query is too old and response timeout expired or query ID is invalid',
  message_thread_id: 'message thread identifier is not specified',
  ...Object.fromEntries(
    ['photo', 'video', 'animation', 'audio', 'document', 'voice', 'video_note', 'sticker', 'live_photo'].map((kind) => [
      kind,
      `there is no ${kind.replace('_', ' ')} in the request`,
    ]),
  ),
};

/** What is no JSON, or JSON of another kind: refused in these words, whether or not the parameter is needed. */
const UNREADABLE: Readonly<Record<string, string>> = {
  media: "can't parse media JSON object",
  options: "can't parse options JSON object",
  commands: "can't parse commands JSON object",
  prices: "can't parse prices JSON object",
  shipping_options: "can't parse shipping options JSON object",
};

/** Telegram passes over what it cannot read here, so that the text goes without marks. */
const PASSED_OVER: ReadonlySet<string> = new Set([
  'entities',
  'caption_entities',
  'explanation_entities',
  'question_entities',
  'text_entities',
  'description_entities',
]);

/** Why a reply_markup that is no object is refused: text that is no JSON, or JSON of another kind. */
function markupFault(value: unknown): string {
  if (typeof value !== 'string') return 'object expected as reply markup';
  try {
    JSON.parse(value);
    return 'object expected as reply markup';
  } catch {
    return "can't parse reply keyboard markup JSON object";
  }
}

/** Telegram itself passes over such parameters, and some client libraries send them. */
const WAY_OUT =
  '. Telegram would pass over it; so does this simulator when started with --lenient, or after PATCH /control/settings {"strict": false}';

/** What the endpoint needs of the simulator. */
export type EndpointParts = {
  world: World;
  log: CallLog;
  faults: Faults;
  registry: ReadonlyMap<string, Entry>;
  /** Begins to serve a bot again that was closed. */
  serve: (bot: Bot) => void;
};

/** A call on its way: what arrived and where its answer goes. */
type Arrival = { row: number; port: AnswerPort; fault: ActiveFault | undefined };

/** Answers `/bot<token>/<method>`. A call is decided when its body has arrived; latency holds back only the answer. */
export class Endpoint {
  readonly #parts: EndpointParts;
  readonly #hanging = new Set<AnswerPort>();

  constructor(parts: EndpointParts) {
    this.#parts = parts;
  }

  /** `path` is what stands behind `/bot`: `<token>/<method>` and no query. */
  handle(port: AnswerPort, path: string, raw: RawBody): void {
    const { world, log, registry } = this.#parts;
    const slash = path.indexOf('/');
    const token = slash === -1 ? path : path.slice(0, slash);
    const name = slash === -1 ? '' : path.slice(slash + 1).toLowerCase();
    const bot = world.botsByToken.get(token);
    const entry = registry.get(name);
    const params = this.#logged(raw);
    const row = log.begin(world.clock.mono(), bot?.id, entry?.spec.name ?? name, params, world.settings.logMax);
    const arrival: Arrival = { row, port, fault: undefined };
    if (!bot)
      this.#refuse(
        arrival,
        /^\d+:/.test(token) ? new ApiRefusal(401, 'Unauthorized') : new ApiRefusal(404, 'Not Found'),
      );
    else if (world.clock.mono() < bot.loggedOutUntil) this.#refuse(arrival, new ApiRefusal(400, 'Logged out'));
    else if (!entry) this.#refuse(arrival, new ApiRefusal(404, 'Not Found: method not found'));
    else this.#run(arrival, bot, entry, raw);
  }

  knowsToken(token: string): boolean {
    return this.#parts.world.botsByToken.has(token);
  }

  /** What the log keeps of a body. */
  #logged({ text, bytes, query }: RawBody): string | undefined {
    const { logParams } = this.#parts.world.settings;
    if (logParams === 'none') return undefined;
    if (text === undefined) return `(multipart, ${bytes.length} bytes)`;
    if (text === '') return query;
    return logParams === 'full' ? text : hashText(text);
  }

  #run(arrival: Arrival, bot: Bot, entry: Entry, raw: RawBody): void {
    const { log, faults } = this.#parts;
    if (bot.servedSince === undefined) this.#parts.serve(bot);
    try {
      const body = readBody(raw);
      const call = this.#prepare(arrival, bot, entry, body);
      if (faults.any) arrival.fault = faults.pick(entry.spec.name.toLowerCase(), bot.id, call.params.chat_id);
      if (arrival.fault) {
        log.fault(arrival.row, arrival.fault.kind);
        if (strikesBefore(arrival.fault)) return this.#strike(arrival, arrival.fault);
      }
      const result = entry.run(call);
      if (result instanceof Promise) {
        result.then(
          (value) => this.#accept(arrival, call, value),
          (error: unknown) => this.#refuse(arrival, error),
        );
      } else {
        this.#accept(arrival, call, result);
      }
    } catch (error) {
      this.#refuse(arrival, error);
    }
  }

  #prepare(arrival: Arrival, bot: Bot, entry: Entry, body: CallBody): Call {
    const { world, log } = this.#parts;
    const files = body.uploads && body.uploads.size > 0 ? new Set(body.uploads.keys()) : undefined;
    const { reply_markup: markup } = body.params;
    const findings = checkParams(entry.spec, body.params, files);
    log.target(arrival.row, body.params.chat_id);
    const { unknown, bad, missing } = findings;
    if (unknown || bad) log.note(arrival.row, { ...(unknown ? { unknown } : {}), ...(bad ? { bad } : {}) });
    if (bad?.includes('reply_markup')) throw badRequest(markupFault(markup));
    const unreadable = bad?.map((name) => UNREADABLE[name]).find((words) => words !== undefined);
    if (unreadable) throw badRequest(unreadable);
    if (missing) throw badRequest(MISSING[missing] ?? `parameter "${missing}" is required`);
    if (world.settings.strict) {
      const wrong = bad?.filter((name) => !PASSED_OVER.has(name));
      if (unknown) throw badRequest(`STRICT: ${entry.spec.name} has no parameter ${unknown.join(', ')}${WAY_OUT}`);
      if (wrong?.length) throw badRequest(`STRICT: wrong type of ${wrong.join(', ')} in ${entry.spec.name}${WAY_OUT}`);
    }
    return new Call(world, bot, entry.spec, body.params, body.uploads);
  }

  #accept(arrival: Arrival, call: Call, result: unknown): void {
    const { log } = this.#parts;
    if (call.messageId !== undefined) log.message(arrival.row, call.messageId);
    const reply = replyOf(result, call.accepted);
    const { fault } = arrival;
    if (!fault || fault.kind === 'slow') {
      log.decide(arrival.row, true, reply.status);
      this.#send(arrival, reply);
    } else {
      this.#spoil(arrival, fault, reply);
    }
  }

  /** The call was carried out, its answer is what goes wrong. */
  #spoil(arrival: Arrival, fault: ActiveFault, reply: Reply): void {
    const { log } = this.#parts;
    if (fault.kind === 'lost' || fault.kind === 'hang') {
      log.decide(arrival.row, true, 0);
      if (fault.kind === 'lost') this.#later(() => this.#cut(arrival));
      else this.#hang(arrival);
      return;
    }
    const spoiled =
      fault.kind === 'truncated'
        ? { status: 200, body: reply.body.slice(0, reply.body.length >> 1) }
        : faultReply(fault);
    log.decide(arrival.row, true, spoiled.status);
    this.#send(arrival, spoiled);
  }

  /** The call was not carried out. */
  #strike(arrival: Arrival, fault: ActiveFault): void {
    const { log } = this.#parts;
    if (fault.kind === 'refused' || fault.kind === 'hang') {
      log.decide(arrival.row, false, 0);
      if (fault.kind === 'refused') this.#cut(arrival);
      else this.#hang(arrival);
      return;
    }
    const reply = faultReply(fault);
    log.decide(arrival.row, false, reply.status);
    this.#send(arrival, reply);
  }

  #refuse(arrival: Arrival, error: unknown): void {
    const { log } = this.#parts;
    const refusal =
      error instanceof ApiRefusal ? error : new ApiRefusal(500, `Internal Server Error: ${String(error)}`);
    log.note(arrival.row, { description: refusal.message });
    if (refusal.limit !== undefined) log.limit(arrival.row, refusal.limit);
    log.decide(arrival.row, false, refusal.code);
    this.#send(arrival, refusalReply(refusal));
  }

  #send(arrival: Arrival, reply: Reply): void {
    const extra = arrival.fault?.kind === 'slow' ? (arrival.fault.ms ?? 1_000) : 0;
    this.#later(() => {
      arrival.port.send(reply);
      this.#parts.log.answered(arrival.row, this.#parts.world.clock.mono());
    }, extra);
  }

  #later(work: () => void, extraMs = 0): void {
    const ms = this.#parts.world.settings.latencyMs + extraMs;
    if (ms <= 0) work();
    // One timer a call: Node keeps timers of one length in one list, a wheel of our own would save nothing (measured).
    else setTimeout(work, ms).unref();
  }

  #cut(arrival: Arrival): void {
    arrival.port.cut();
    this.#parts.log.answered(arrival.row, this.#parts.world.clock.mono());
  }

  #hang(arrival: Arrival): void {
    this.#hanging.add(arrival.port);
    arrival.port.onClose(() => this.#hanging.delete(arrival.port));
  }

  /** Ends whatever hangs, so that the server can close. */
  close(): void {
    for (const port of this.#hanging) port.cut();
    this.#hanging.clear();
  }
}

/** FNV-1a: enough to see that two calls said the same. */
function hashText(text: string): string {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return `#${(hash >>> 0).toString(16)}:${text.length}`;
}
