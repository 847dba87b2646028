// The load as a process of its own. It is told what to post over its channel and tells what came of it.
import { Connection } from './connection.ts';
import type { LoadMessage, Plan, Sent } from './plan.ts';
import { messageUpdate, webhookRequest } from './updates.ts';

const monoMs = (): number => Number(process.hrtime.bigint()) / 1e6;

/** Connections stay open from plan to plan, as Telegram's do. */
const pools = new Map<number, Connection[]>();

async function connections(port: number, count: number): Promise<Connection[]> {
  const kept = (pools.get(port) ?? []).filter((connection) => !connection.broken);
  while (kept.length < count) kept.push(new Connection(port));
  pools.set(port, kept);
  const wanted = kept.slice(0, count);
  await Promise.all(wanted.map((connection) => connection.opened()));
  return wanted;
}

/** Carries one plan out. */
class Run {
  readonly #plan: Plan;
  readonly #idle: Connection[];
  readonly #total: number;
  readonly #posted: Float64Array;
  readonly #answered: Float64Array;
  readonly #status: Uint16Array;
  readonly #startMs = monoMs();
  readonly #endMs: number;
  readonly #finish: (sent: Sent) => void;
  #next = 0;
  #open = 0;
  #lateMsMax = 0;
  #over = false;
  #ended = false;

  constructor(plan: Plan, idle: Connection[], finish: (sent: Sent) => void) {
    this.#plan = plan;
    this.#idle = [...idle];
    this.#total = plan.posts.target.length;
    this.#posted = new Float64Array(this.#total).fill(Number.NaN);
    this.#answered = new Float64Array(this.#total).fill(Number.NaN);
    this.#status = new Uint16Array(this.#total);
    this.#endMs = this.#startMs + (plan.stopAfterMs ?? Number.POSITIVE_INFINITY);
    this.#finish = finish;
  }

  start(): void {
    if (this.#plan.ratePerSecond === undefined) {
      for (let connection = this.#idle.pop(); connection; connection = this.#idle.pop()) this.#postNext(connection);
      this.#endWhenDone();
    } else this.#tick(1_000 / this.#plan.ratePerSecond);
  }

  /** Posts what is due by now, as far as there are free connections, and comes back in a millisecond. */
  #tick(stepMs: number): void {
    const nowMs = monoMs();
    if (nowMs >= this.#endMs) this.#over = true;
    while (!this.#over && this.#next < this.#total) {
      const dueMs = this.#startMs + this.#next * stepMs;
      if (dueMs > nowMs) break;
      const connection = this.#idle.pop();
      if (connection === undefined) break;
      this.#lateMsMax = Math.max(this.#lateMsMax, monoMs() - dueMs);
      this.#post(connection);
    }
    if (this.#over || this.#next >= this.#total) this.#endWhenDone();
    else setTimeout(() => this.#tick(stepMs), 1);
  }

  #postNext(connection: Connection): void {
    if (this.#next < this.#total && monoMs() < this.#endMs) this.#post(connection);
    else this.#over = true;
  }

  #post(connection: Connection): void {
    const { posts, targets, texts, port, ratePerSecond } = this.#plan;
    const at = this.#next;
    this.#next += 1;
    this.#open += 1;
    const target = targets[posts.target[at]!]!;
    const text = texts[posts.text[at]!]!;
    const body = messageUpdate(posts.updateId[at]!, posts.chatId[at]!, text, Math.floor(Date.now() / 1_000));
    const request = webhookRequest(target, port, body);
    this.#posted[at] = monoMs();
    connection.send(request, (status) => {
      this.#answered[at] = monoMs();
      this.#status[at] = status;
      this.#open -= 1;
      // A connection that broke is out; when all have, what was not posted counts as not posted.
      if (status !== 0 && ratePerSecond === undefined) this.#postNext(connection);
      else if (status !== 0) this.#idle.push(connection);
      else if (this.#open === 0 && this.#idle.length === 0) this.#over = true;
      this.#endWhenDone();
    });
  }

  #endWhenDone(): void {
    if (this.#ended || this.#open > 0 || (!this.#over && this.#next < this.#total)) return;
    this.#ended = true;
    this.#finish({
      count: this.#next,
      posted: this.#posted,
      answered: this.#answered,
      status: this.#status,
      lateMsMax: this.#lateMsMax,
    });
  }
}

function tell(message: LoadMessage): void {
  process.send?.(message);
}

async function carryOut(plan: Plan): Promise<void> {
  try {
    const idle = await connections(plan.port, plan.connections);
    const sent = await new Promise<Sent>((resolve) => new Run(plan, idle, resolve).start());
    tell({ kind: 'sent', sent });
  } catch (error) {
    tell({ kind: 'failed', reason: String(error) });
  }
}

process.on('message', (plan: Plan) => void carryOut(plan));
process.on('disconnect', () => process.exit(0));
tell({ kind: 'ready' });
