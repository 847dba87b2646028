// A Mini App under test, people who send forms from it, and what must be true of all they have sent.
import { Agent, type Dispatcher, request } from 'undici';
import type { Db } from '../../kernel/db.ts';
import { sql } from '../../kernel/sql.ts';
import { shopDocument } from '../../server/domains/miniapps/fixtures.ts';
import { freshKey, signed } from '../../server/domains/miniapps/harness.ts';
import { botAppId } from '../../server/domains/miniapps/miniapps.ts';
import { sha256Of } from '../../server/domains/projects/files.ts';
import { onePixel } from '../../server/domains/projects/fixtures.ts';
import type { Chance } from './chance.ts';
import type { Installation, TestBot } from './installation.ts';
import { pause } from './waiting.ts';

/** How many there are of the one thing that is ordered: fewer than are wanted. */
export const stockAtFirst = 40;

/**
 * The shop of the miniapps domain. Its bot puts each number into a table that takes a number once, and says it; a turn
 * that had its effect twice would say "twice".
 */
export function shopBundle(): { document: never; files: Map<string, Buffer> } {
  const shop = shopDocument() as Record<string, Record<string, object>>;
  const goods = shop['tables']?.['goods'] as { rows: object[] };
  const sha256 = sha256Of(onePixel);
  const document = {
    ...shop,
    cards: { heard: { blocks: ['note', 'say'] }, twice: { blocks: ['sayTwice'] } },
    blocks: {
      note: {
        type: 'table',
        props: { do: 'insert', table: 'noted', set: { number: { var: 'event.number' } } },
        exits: { error: 'twice' },
      },
      say: { type: 'message', props: { text: 'heard' } },
      sayTwice: { type: 'message', props: { text: 'twice' } },
    },
    texts: { ...shop['texts'], twice: { ru: 'twice', en: 'twice' } },
    tables: {
      ...shop['tables'],
      goods: { ...goods, rows: goods.rows.map((row) => ({ ...row, stock: stockAtFirst })) },
      noted: { columns: { number: { type: 'number', unique: true } } },
    },
    media: { cover: { ...shop['media']?.['cover'], sha256 } },
  };
  return { document: document as never, files: new Map([[sha256, onePixel]]) };
}

/** One form that somebody sent as often as it took to be told what became of it. */
type Sent = {
  readonly bot: TestBot;
  readonly person: number;
  readonly form: string;
  readonly units: number;
  readonly slot: string | undefined;
  /** Its number, or the code of the refusal. */
  outcome: number | string | undefined;
};

export type Visitors = {
  readonly sent: readonly Sent[];
  /** People come and send forms, about so many a second, until told to stop; resolves when all were told. */
  keepSending(perSecond: number, signal: AbortSignal): Promise<void>;
};

export function createVisitors({ front, simulator, bots }: Installation, chance: Chance): Visitors {
  const sent: Sent[] = [];
  const address = `http://127.0.0.1:${front.port}/v1/apps`;

  async function sendOne(): Promise<void> {
    const bot = chance.one(bots);
    const person = simulator.people.create().id;
    // Telegram lets a bot write to whoever has pressed Start.
    simulator.people.text({ user: person, bot: bot.id, text: '/start' });
    const form = chance.one(['lead', 'order', 'visit']);
    const units = form === 'order' ? chance.whole(1, 3) : 0;
    const app = `${address}/${botAppId(bot.project.publicId, bot.id)}`;
    const slot = form === 'visit' ? chance.one(await slotsOf(app)) : undefined;
    const one: Sent = { bot, person, form, units, slot, outcome: undefined };
    sent.push(one);
    const values = {
      lead: { name: 'Anna', agree: true },
      order: { name: 'Anna' },
      visit: { master: 1, time: slot },
    }[form];
    const cart = form === 'order' ? { '1': units } : undefined;
    one.outcome = await told(app, bot, person, { key: freshKey(), form, values, cart, locale: 'en' });
  }

  return {
    sent,
    async keepSending(perSecond, signal) {
      const under: Promise<void>[] = [];
      while (!signal.aborted) {
        under.push(sendOne());
        await pause((2_000 / perSecond) * chance.next());
      }
      await Promise.all(under);
    },
  };
}

/** The first four times of the first master, taken or not: fewer than are wanted. */
async function slotsOf(app: string): Promise<string[]> {
  const known = slots.get(app);
  if (known) return known;
  const { slots: found } = (await insist(`${app}/slots?booking=visit&each=1&days=14`)).body as unknown as {
    slots: { start: string }[];
  };
  const chosen = slots.get(app) ?? found.slice(0, 4).map(({ start }) => start);
  slots.set(app, chosen);
  return chosen;
}
const slots = new Map<string, string[]>();

async function told(app: string, bot: TestBot, person: number, event: object): Promise<number | string> {
  const user = JSON.stringify({ id: person, first_name: 'Anna' });
  const headers = { 'content-type': 'application/json', authorization: `tma ${signed({ user }, bot.token)}` };
  const { body } = await insist(`${app}/events`, { method: 'POST', headers, body: JSON.stringify(event) });
  return body.number ?? body.error?.code ?? 'nothing';
}

/**
 * Each request has a connection of its own, as each visitor has a phone of their own: one that is kept would bring
 * everybody to the same server, and the other would never be put to the test.
 */
const phones = new Agent({ pipelining: 0 });

/** Asks again until there is an answer that is no accident; what a phone does. */
async function insist(
  address: string,
  init: Pick<Dispatcher.RequestOptions, 'headers' | 'body'> & { method?: 'POST' } = {},
): Promise<{ body: { number?: number; error?: { code: string } } }> {
  for (;;) {
    try {
      const response = await request(address, { ...init, dispatcher: phones });
      const body = await response.body.text();
      if (response.statusCode < 500) return { body: JSON.parse(body) as object };
    } catch {
      // Its server was killed; the next try comes to another one.
    }
    await pause(100);
  }
}

/** What is wrong with what the database holds, for the forms that were sent. */
export async function faultsOf(db: Db, bots: readonly TestBot[], sent: readonly Sent[]): Promise<string[]> {
  const faults: string[] = [];
  for (const { id, project } of bots) {
    const mine = sent.filter(({ bot }) => bot.id === id);
    const taken = mine.filter(({ outcome }) => typeof outcome === 'number');
    const refused = mine.filter(({ outcome }) => typeof outcome === 'string').map(({ outcome }) => outcome);
    const strange = refused.filter((code) => code !== 'CART_CHANGED' && code !== 'SLOT_TAKEN');
    const numbers = taken.map(({ outcome }) => outcome as number).sort((a, b) => a - b);
    const facts = (await factsOf(db, project.id)) as Facts;
    const units = taken.reduce((sum, one) => sum + one.units, 0);
    const check = (holds: boolean, what: string): void => void (holds || faults.push(`bot ${id}: ${what}`));
    check(strange.length === 0, `refused with ${strange.join(', ')}`);
    check(numbers.join() === numbers.map((_, index) => index + 1).join(), `numbers ${numbers.join()}`);
    check(facts.leads === numbers.length, `${facts.leads} stored, ${numbers.length} answered`);
    check(facts.stock === stockAtFirst - units && facts.stock >= 0, `${facts.stock} left after ${units}`);
    check(facts.placesMost <= 2, `${facts.placesMost} in one place`);
    check(facts.cells === 12 * taken.filter(({ form }) => form === 'visit').length, `${facts.cells} cells`);
    check(facts.events === numbers.length, `${facts.events} events of ${numbers.length}`);
    check(facts.noted === numbers.length && facts.notedTwice === 0, `${facts.noted} noted, ${facts.notedTwice} twice`);
    check(facts.said === numbers.length, `${facts.said} answers to ${numbers.length}`);
    check(facts.twice === 0, `${facts.twice} had an effect twice`);
  }
  return faults;
}

type Facts = Record<
  'leads' | 'stock' | 'placesMost' | 'cells' | 'events' | 'noted' | 'notedTwice' | 'said' | 'twice',
  number
>;

const factsOf = (db: Db, projectId: number) =>
  db.one<Facts>(sql`
    with mine as (select id from integration where project_id = ${projectId}),
      noted as (select values->>'number' as number from record where project_id = ${projectId} and table_name = 'noted'),
      said as (select params->>'text' as text from outbox where integration_id in (select id from mine) and state in (2, 4))
    select (select count(*)::int from lead where project_id = ${projectId}) as leads,
      (select (values->>'stock')::int from record where project_id = ${projectId} and table_name = 'goods' and id = 1) as stock,
      (select coalesce(max(n), 0)::int from (
        select count(*) as n from booking_cell where project_id = ${projectId} group by booking, each_row, cell_at
      ) as c) as "placesMost",
      (select count(*)::int from booking_cell where project_id = ${projectId}) as cells,
      (select count(*)::int from inbox where integration_id in (select id from mine) and key like 'app:%' and state = 2) as events,
      (select count(*)::int from noted) as noted,
      (select (count(*) - count(distinct number))::int from noted) as "notedTwice",
      (select count(distinct text)::int from said where text ~ '^(lead|order|visit) [0-9]+$') as said,
      (select count(*)::int from said where text = 'twice') as twice`);
