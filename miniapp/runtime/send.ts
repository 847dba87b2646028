// What visitors send: looked at here for comfort, decided by the server. Nothing that was typed is lost when it fails.

import type { AppEventAnswer, AppPages, Deed, Row } from '../../contract/app/view.ts';
import { pages, rows, state, type Value } from '../blocks/now.ts';
import { asked } from '../blocks/show.ts';
import { read } from '../blocks/values.ts';
import { keepCart } from './cart.ts';
import { draw, files, focus, root } from './page.ts';
import { initData, mind, part } from './telegram.ts';

type Form = AppPages['forms'][string];
type Refused = Extract<AppEventAnswer, { ok: false }>;

/**
 * Of each form, until one has been received: the key of everything that was said with it. The same again is the same send,
 * whatever became of its answer; what was changed in between is another one. The server tells them apart alike.
 */
export const keys: { [form: string]: { [said: string]: string } | undefined } = {};

/** Sends a file, or anything else as JSON; the type of a blob goes along. */
export async function post(path: string, value: object): Promise<{ done: string; sent?: Row[]; file: string }> {
  const body = value instanceof Blob ? value : new Blob([JSON.stringify(value)], { type: 'application/json' });
  const response = await fetch(`/v1/apps/${pages.app}/${path}`, {
    method: 'POST',
    body,
    headers: initData ? { authorization: `tma ${initData}` } : {},
  });
  const answer = await response.json();
  if (!answer.ok) throw answer;
  return answer;
}

/** Says under each field what is wrong with it. True when something is. */
function check(id: string, form: Form): boolean {
  let wrong = false;
  for (const { id: name, required, fix } of asked(form)) {
    const path = `form.${id}.${name}`;
    const control = root.querySelector(`[name="${path}"]`) as HTMLInputElement | null;
    const error =
      form.quiz && name !== read(`step.${id}`)
        ? ''
        : `${read(path) || ''}`
          ? control?.validity.valid === false && fix
          : required;
    state.values[`!${path}`] = error || '';
    if (error) wrong = true;
  }
  return wrong;
}

async function gathered(id: string, form: Form): Promise<{ [field: string]: Value }> {
  const all: { [field: string]: Value } = {};
  for (const { id: name, type, value } of form.fields) if (type === 'hidden') all[name] = value ?? state.start ?? '';
  for (const { id: name, type } of asked(form)) {
    const path = `form.${id}.${name}`;
    const file = files[path];
    if (typeof file === 'object') files[path] = (await post(`files?form=${id}&field=${name}`, file)).file;
    const value = (files[path] as string) || read(path);
    if (value !== '') all[name] = /^[rp].*[gk]$/.test(type) ? +value : value;
  }
  return all;
}

/** Another question of a quiz. */
export function step(id: string, by: number): void {
  const list = asked(pages.forms[id] as Form).map((field) => field.id);
  state.values[`step.${id}`] = list[list.indexOf(read(`step.${id}`) as string) + by] as string;
  draw();
  focus('.field [name]');
}

/** The next question of a quiz, or the whole form on its way. Answers with what is to be done when it was received. */
export async function submit(id: string): Promise<Deed | undefined> {
  const { values } = state;
  const form = pages.forms[id] as Form;
  let after: Deed | undefined;
  let feeling = 'error';
  if (!check(id, form)) {
    if (form.quiz && read(`more.${id}`)) return void step(id, 1);
    if (read(`busy.${id}`)) return;
    values[`busy.${id}`] = true;
    values[`!${id}`] = '';
    draw();
    try {
      // On the web a cookie of the server's says who it is.
      if (!initData) await post('visitors', { locale: pages.locale });
      const event = {
        form: id,
        values: await gathered(id, form),
        cart: form.kind === 'order' ? state.cart : undefined,
        locale: pages.locale,
        start: state.start,
        trap: read(`trap.${id}`),
      };
      // Enough among the sends of one visitor, and no others have to differ.
      const key = ((keys[id] ??= {})[JSON.stringify([event.values, event.cart])] ??= `${Date.now() + Math.random()}`);
      const { done, sent } = await post('events', { key, ...event });
      values[`done.${id}`] = done;
      (rows as { [data: string]: readonly Row[] })[`sent.${id}`] = sent as Row[];
      keys[id] = undefined;
      if (form.kind === 'order') {
        state.cart = {};
        keepCart();
      }
      mind(false);
      ({ after } = form);
      feeling = 'success';
    } catch (refused) {
      const { message = pages.words['offline'] as string, facts } = (refused as Refused).error || {};
      values[`!${id}`] = message;
      for (const name in facts?.fields) values[`!form.${id}.${name}`] = facts.fields[name] as string;
    }
    values[`busy.${id}`] = false;
  }
  part('6.1', 'HapticFeedback')?.notificationOccurred(feeling);
  draw();
  focus('.done,.wrong [name],.wrong button,[role=alert]:not(:empty)')?.closest('.field')?.scrollIntoView();
  return after;
}
