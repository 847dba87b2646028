// One thing that a visitor sends: checked, stored with everything it takes, and told to the bot, in one transaction.

import { createHash } from 'node:crypto';
import type { Form } from '../../../../contract/app/forms.ts';
import type { AppEvent, AppEventAnswer, AppView, Scalar } from '../../../../contract/app/view.ts';
import { canonicalJson } from '../../../../kernel/canonical.ts';
import type { Db, Tx } from '../../../../kernel/db.ts';
import { piece } from '../../../../kernel/echo.ts';
import { Refusal } from '../../../../kernel/errors.ts';
import { faultPoint } from '../../../../kernel/faultpoint.ts';
import type { Kit } from '../../../../kernel/kit.ts';
import { shortName } from '../../../../kernel/names.ts';
import { insertEvents } from '../../inbox/inbox.ts';
import { holds, plainText, type Read, writerOf } from '../../manifest/manifest.ts';
import { customsOf } from '../../readers/readers.ts';
import type { AppEntry } from '../apps.ts';
import { outdated } from '../kept.ts';
import type { AppRelease } from '../serving/releases.ts';
import * as statements from '../sql.ts';
import { claimUploads } from '../uploads/sql.ts';
import type { Visitor } from '../visitors/visitor.ts';
import { words } from '../words.ts';
import { takeSlot } from './booking.ts';
import { type Order, takeOrder } from './cart.ts';
import { eventBody } from './event-body.ts';
import { pickedRows, saidInBoth, summaryOf } from './said.ts';
import { dayIn } from './slots.ts';
import { type Kept, readForm } from './values.ts';

export type SubmitDeps = {
  readonly kit: Kit;
  readonly db: Db;
  /** After the commit: this bot has an event in its inbox. */
  eventsStored(integrationIds: readonly number[]): void;
  /** After the commit: rows of this project may have changed. */
  rowsChanged(projectId: number): void;
  /** Where the owner fetches a file of a visitor. */
  fileAddress(uploadId: string): string;
};

export type Submission = {
  readonly app: AppEntry;
  readonly release: AppRelease;
  readonly view: AppView;
  /** The same pages in the language of the project, which its owner reads. */
  readonly projectView: AppView;
  readonly visitor: Visitor;
  readonly event: AppEvent;
};

type Accepted = Extract<AppEventAnswer, { ok: true }>;

/** The table refuses a place twice (23505), and whoever came second tries the next place. */
const attemptsMax = 5;

/**
 * Takes what was sent. The same key of the same visitor again changes nothing and is answered as the first time.
 * Throws Refusal APP_OUTDATED, INPUT_WRONG (with a sentence for each field), CART_CHANGED, SLOT_TAKEN, and KEY_USED for
 * something else under a key that is known.
 */
export async function submit(deps: SubmitDeps, submission: Submission): Promise<Accepted> {
  const { app, visitor, event } = submission;
  const checked = checkedForm(deps, submission);
  const key = shortName(`${visitor.id} ${event.key}`);
  const before = await statements.findLead(deps.db, app.projectId, key);
  if (before !== undefined) return again(deps, submission, checked.form, before);
  for (let attempt = 1; ; attempt += 1) {
    try {
      const stored = await deps.db.tx((tx) => store(tx, deps, submission, { ...checked, key }));
      faultPoint('submit-after-commit');
      if (app.bot !== undefined) deps.eventsStored([app.bot.id]);
      if (stored.order !== undefined) deps.rowsChanged(app.projectId);
      return { ok: true, duplicate: false, ...stored.answer };
    } catch (error) {
      if (error instanceof StoredBefore) {
        const found = await statements.findLead(deps.db, app.projectId, key);
        if (found !== undefined) return again(deps, submission, checked.form, found);
      } else if (!isTwice(error) || attempt === attemptsMax) throw error;
    }
  }
}

/** Ends the transaction of a repeat: nothing of it stays, not even its number. */
class StoredBefore extends Error {}

const isTwice = (error: unknown): boolean => (error as { code?: unknown }).code === '23505';

type Checked = { readonly form: Form; readonly values: Kept; readonly start: string | undefined };

function checkedForm({ kit }: SubmitDeps, { release, view, visitor, event }: Submission): Checked {
  const says = words(view.locale);
  const { forms } = release.app;
  const form = forms !== undefined && Object.hasOwn(forms, event.form) ? forms[event.form] : undefined;
  if (form === undefined) throw outdated(view.locale);
  // Anybody can make a link with any parameter, so what Telegram has signed only comes first.
  const start = (visitor.kind === 'telegram' ? visitor.start : undefined) ?? event.start;
  const read = readForm(form, event.values, {
    locale: view.locale,
    today: dayIn(release.document.timezone ?? 'UTC', kit.now()),
    customs: customsOf(release.document, view.locale),
    start,
    isShown: (field, values) => {
      if (field.type === 'hidden' || field.showIf === undefined) return true;
      return holds(
        field.showIf,
        readerOf(visitor, event.form, values, undefined),
        visitor.kind === 'web' ? 'web' : 'telegram',
      );
    },
  });
  if (read.unknown.length > 0)
    throw outdated(view.locale, { unknown: read.unknown.slice(0, 10).map((name) => piece(name)) });
  if (Object.keys(read.errors).length > 0) throw new Refusal('INPUT_WRONG', says.fix, { fields: read.errors });
  return { form, values: read.values, start };
}

/** What texts say of an order. */
type Told = Pick<Order, 'lines' | 'total'>;

/** What conditions and texts read, as on the page itself. */
function readerOf(
  visitor: Visitor,
  form: string,
  values: { readonly [field: string]: Scalar | readonly string[] },
  order: Told | undefined,
): Read {
  const profile: { readonly [name: string]: string } = visitor.profile;
  return (path) => {
    const [root, name = '', field = ''] = path.split('.');
    if (root === 'form') return name === form && Object.hasOwn(values, field) ? values[field] : undefined;
    if (root === 'visitor') return Object.hasOwn(profile, name) ? profile[name] : undefined;
    if (root !== 'cart' || order === undefined) return undefined;
    return name === 'total' ? order.total : order.lines.reduce((sum, line) => sum + line.count, 0);
  };
}

type Stored = { readonly answer: Omit<Accepted, 'ok' | 'duplicate'>; readonly order: Order | undefined };

async function store(
  tx: Tx,
  deps: SubmitDeps,
  submission: Submission,
  { form, values, start, key }: Checked & { readonly key: string },
): Promise<Stored> {
  const { app, release, view, projectView, visitor, event } = submission;
  const kind = form.kind ?? 'lead';
  const number = (await statements.nextNumber(tx, app.projectId))?.last ?? 0;
  const filled = { release, view, projectView, form, values };
  const { picked, gone } = await pickedRows(tx, filled, view.locale);
  if (gone.length > 0) throw goneRefusal(view.locale, gone);
  const locales = { locale: view.locale, projectLocale: projectView.locale };
  const order =
    kind === 'order' ? await takeOrder(tx, release, event.cart ?? {}, { ...locales, money: moneyOf(view) }) : undefined;
  await statements.saveVisitor(tx, {
    projectId: app.projectId,
    visitorId: visitor.id,
    profile: JSON.stringify(visitor.profile),
  });
  const said = await saidInBoth(tx, filled, picked, deps.fileAddress);
  const lead = await statements.insertLead(tx, {
    projectId: app.projectId,
    number,
    key,
    app: app.publicId,
    integrationId: app.bot?.id ?? null,
    release: release.number,
    form: event.form,
    kind,
    visitorId: visitor.id,
    fields: JSON.stringify(values),
    words: JSON.stringify(said.projects),
    total: order?.total ?? null,
    currency: order?.currency ?? null,
    locale: view.locale,
    start: start ?? null,
    sentHash: hashOf(event),
  });
  if (lead === undefined) throw new StoredBefore();
  if (order !== undefined) await statements.insertLines(tx, lead.id, order.projectLines, order.stock);
  await takeTime(tx, deps, submission, form, values, lead.id);
  await claimFiles(tx, submission, form, values, lead.id);
  const { bot } = app;
  if (bot !== undefined) {
    const body = eventBody({
      form: event.form,
      number,
      values,
      words: said.visitors,
      projectWords: said.projects,
      visitor,
      order,
      locale: view.locale,
      start,
    });
    const row = { integrationId: bot.id, bucket: bot.bucket, lane: visitor.lane, key: `app:${key}`, body };
    await insertEvents(tx, [row]);
  }
  faultPoint('submit-before-commit');
  const done = doneText(submission, form, values, order);
  return { answer: { number, done, ...summaryOf(filled, said.visitors, number, order) }, order };
}

/** Of fields whose row is there no more. */
function goneRefusal(locale: string, fields: readonly string[]): Refusal {
  const says = words(locale);
  return new Refusal('INPUT_WRONG', says.fix, { fields: Object.fromEntries(fields.map((name) => [name, says.gone])) });
}

/** What the visitor reads, values filled in. */
function doneText({ view, visitor, event }: Submission, form: Form, values: Kept, order: Told | undefined): string {
  const timezone = Object.values(view.bookings ?? {})[0]?.timezone ?? 'UTC';
  const write = writerOf(view.locale, { timezone, currency: view.shop?.currency });
  // Whoever has no chat is not sent there.
  const key = (visitor.kind === 'web' ? form.doneWeb : undefined) ?? form.done;
  return plainText(view.texts[key], readerOf(visitor, event.form, values, order), write);
}

/** What is told apart under one key: what was filled in and chosen, not the language or the link it was done in. */
const hashOf = ({ form, values, cart }: AppEvent): Buffer =>
  createHash('sha256').update(canonicalJson({ form, values, cart })).digest();

/**
 * The same answer as the first time, from what was stored then. Throws Refusal KEY_USED where it was something else: to
 * thank for that would lose what the visitor has changed.
 */
async function again(
  { db, fileAddress }: SubmitDeps,
  submission: Submission,
  form: Form,
  lead: statements.KnownLead,
): Promise<Accepted> {
  if (lead.sent_hash !== null && !lead.sent_hash.equals(hashOf(submission.event)))
    throw new Refusal('KEY_USED', words(submission.view.locale).keyUsed);
  const lines = lead.total === null ? [] : await statements.selectLines(db, lead.id);
  const order = lead.total === null ? undefined : { lines, total: lead.total };
  const values = JSON.parse(lead.fields) as Kept;
  const filled = { ...submission, form, values };
  const { picked } = await pickedRows(db, filled, submission.view.locale);
  const { visitors } = await saidInBoth(db, filled, picked, fileAddress);
  const done = doneText(submission, form, values, order);
  return { ok: true, duplicate: true, number: lead.number, done, ...summaryOf(filled, visitors, lead.number, order) };
}

const moneyOf =
  (view: AppView) =>
  (amount: number): string =>
    writerOf(view.locale, { timezone: 'UTC', currency: view.shop?.currency })(amount, 'money');

async function takeTime(
  tx: Tx,
  { kit }: SubmitDeps,
  { release, view }: Submission,
  form: Form,
  values: Kept,
  leadId: number,
): Promise<void> {
  for (const [name, field] of Object.entries(form.fields)) {
    const start = values[name];
    if (field.type !== 'slot' || typeof start !== 'string') continue;
    const each = release.app.bookings?.[field.booking]?.each;
    const row = each === undefined ? undefined : values[each.field];
    await takeSlot(tx, release, {
      bookingId: field.booking,
      each: typeof row === 'number' ? row : undefined,
      start,
      leadId,
      locale: view.locale,
      nowMs: kit.now(),
    });
  }
}

/** Throws Refusal INPUT_WRONG for a file that is not the visitor's, or belongs to something that was sent before. */
async function claimFiles(
  tx: Tx,
  { app, view, visitor, event }: Submission,
  form: Form,
  values: Kept,
  leadId: number,
): Promise<void> {
  const says = words(view.locale);
  for (const [name, field] of Object.entries(form.fields)) {
    const ids = values[name];
    if (field.type !== 'file' || !Array.isArray(ids)) continue;
    const claim = { projectId: app.projectId, visitorId: visitor.id, form: event.form, field: name, ids, leadId };
    const claimed = await claimUploads(tx, claim);
    if (claimed.length !== ids.length) throw new Refusal('INPUT_WRONG', says.fix, { fields: { [name]: says.file } });
  }
}
