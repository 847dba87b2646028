// Posts every body as Telegram would, and looks in the database at what became of it.
import type { Db } from '../../kernel/db.ts';
import type { Sample, SampleFile } from './corpus.ts';
import type { House, Webhook } from './house.ts';

/** What was found out about one body. */
export type Finding = {
  readonly file: string;
  readonly sample: string;
  readonly fate: 'done' | 'ignored' | 'kept' | 'other';
  readonly faults: readonly string[];
};

type Row = { id: number; key: string; seq: number; text: string | null; bytes: Buffer | null };
type Posted = { file: string; sample: Sample; webhook: Webhook; row: Row | undefined; faults: string[] };

const postMsMax = 30_000;
const restMsMax = 120_000;

/** One file after the other; within a file its bots side by side, each bot's updates in order. */
export async function tryFile(house: House, file: SampleFile): Promise<Posted[]> {
  const bots = new Map<number, Sample[]>();
  for (const sample of file.samples) bots.set(sample.bot, [...(bots.get(sample.bot) ?? []), sample]);
  const posted = await Promise.all(
    [...bots.values()].map(async (samples) => {
      const webhook = await house.connect();
      const results: Posted[] = [];
      for (const sample of samples) results.push(await trySample(house.db, file.name, sample, webhook));
      return results;
    }),
  );
  return posted.flat();
}

async function trySample(db: Db, file: string, sample: Sample, webhook: Webhook): Promise<Posted> {
  const posted: Posted = { file, sample, webhook, row: undefined, faults: [] };
  const before = await rowsOf(db, webhook);
  const answer = await post(webhook, sample.body);
  // Read at once, over another connection: what is not committed yet cannot be seen here.
  const after = await rowsOf(db, webhook);
  const fresh = after.filter((row) => !before.some((known) => known.seq === row.seq));
  if (answer.status !== 200) posted.faults.push(`answered ${answer.status}: ${answer.text.slice(0, 100)}`);
  else if (answer.text !== '{"ok":true,"duplicate":false}') posted.faults.push(`answered ${answer.text}`);
  posted.row = fresh[0];
  if (fresh.length !== 1) posted.faults.push(`${fresh.length} rows instead of one when it was answered`);
  else if (!keeps(fresh[0] as Row, sample.body)) posted.faults.push('what is stored differs from what was sent');
  await tryAgain(db, webhook, posted);
  return posted;
}

async function tryAgain(db: Db, webhook: Webhook, posted: Posted): Promise<void> {
  const answer = await post(webhook, posted.sample.body);
  if (answer.status !== 200 || answer.text !== '{"ok":true,"duplicate":true}')
    posted.faults.push(`answered ${answer.status} ${answer.text.slice(0, 100)} when it came again`);
  const copies = (await rowsOf(db, webhook)).filter((row) => row.key === posted.row?.key);
  if (posted.row !== undefined && copies.length !== 1) posted.faults.push(`stands there ${copies.length} times`);
}

/** Without the events that the bot's own turns make. */
const rowsOf = (db: Db, { publicId }: Webhook): Promise<Row[]> =>
  db.many<Row>({
    text: `select integration_id as id, key, seq, body::text as text, body_bytes as bytes from inbox
      where integration_id = (select id from integration where public_id = $1) and key !~ '^(timer|call|fault|sent)'`,
    values: [publicId],
  });

const keeps = ({ text, bytes }: Row, sent: Buffer): boolean =>
  (text !== null && Buffer.from(text).equals(sent)) || (bytes?.equals(sent) ?? false);

async function post({ url, secret }: Webhook, body: Buffer): Promise<{ status: number; text: string }> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-telegram-bot-api-secret-token': secret },
    body: new Uint8Array(body),
    signal: AbortSignal.timeout(postMsMax),
  });
  return { status: response.status, text: await response.text() };
}

const stateNames = new Map([
  [0, 'pending'],
  [3, 'a dead letter'],
]);

/** Waits until nothing is left to do, then says what became of each. */
export async function conclude(db: Db, posted: readonly Posted[]): Promise<Finding[]> {
  await untilRest(db);
  const states = await db.many<{ id: number; key: string; state: number; error: string | null }>({
    text: 'select integration_id as id, key, state, error from inbox',
    values: [],
  });
  const byRow = new Map(states.map((row) => [`${row.id} ${row.key}`, row]));
  return posted.map(({ file, sample, row, faults }) => {
    const end = row && byRow.get(`${row.id} ${row.key}`);
    const state = end?.state ?? -1;
    if (!sample.valid && state === 3) return { file, sample: sample.name, fate: 'kept', faults };
    if (sample.valid && state === 2) return { file, sample: sample.name, fate: 'done', faults };
    if (state === 4) return { file, sample: sample.name, fate: 'ignored', faults };
    const became = end === undefined ? 'gone' : `${stateNames.get(state) ?? state}${end.error ? `: ${end.error}` : ''}`;
    return { file, sample: sample.name, fate: 'other', faults: [...faults, `is ${became} in the end`] };
  });
}

/** Gives up after a while: what is still pending then is a fault of its own. */
async function untilRest(db: Db): Promise<void> {
  const giveUpAt = performance.now() + restMsMax;
  while (performance.now() < giveUpAt) {
    const row = await db.one<{ open: number }>({
      text: 'select count(*)::int as open from inbox where state = 0',
      values: [],
    });
    if (row?.open === 0) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
