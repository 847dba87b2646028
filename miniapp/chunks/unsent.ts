// A form that was refused, where the only way out leads away from the page: what was written is kept on the device, for this
// person and this app alone, and is filled in again when the app is opened anew. It is forgotten once it was sent, and
// nothing of what Telegram says of anybody is in it.

import type { AppPages, KeptWords } from '../../contract/app/view.ts';
import type { PageState, Value } from '../blocks/now.ts';

/** What the runtime gives of it. */
export type UnsentParts = {
  readonly pages: Pick<AppPages, 'app' | 'forms' | 'locale' | 'locales' | 'words'>;
  readonly state: Pick<PageState, 'start' | 'values'>;
  /** Of each form, the keys of what was said with it and is not known to have been received. */
  readonly keys: { [form: string]: Keys | undefined };
  readonly draw: () => void;
};

type Keys = { readonly [said: string]: string };

type Unsent = {
  readonly atMs: number;
  /** Where the form stands. */
  readonly path: string;
  readonly start: string | undefined;
  readonly values: { readonly [path: string]: Value };
  /** It may have been received before, without an answer: under the same key it is received once. */
  readonly keys: Keys;
  /** Files are not kept. */
  readonly hasFiles: boolean;
};

type Found = { [form: string]: Unsent };

const keptWords: KeptWords = '$kept';

const keptMsMax = 7 * 86_400_000;
/** Of everybody who uses this browser, in all apps of this address. */
const keptMax = 10;
const charsMax = 200_000;
const keysMax = 5;

/** Fills in what was kept, and keeps what is refused from now on. Called once. */
export function keepUnsent(parts: UnsentParts): void {
  const { pages, state, draw } = parts;
  const forms = Object.keys(pages.forms);
  let person: string | undefined;
  let found: Found = {};

  /** Of some clients only Telegram's script knows who it is, and that comes later. */
  function meet(): void {
    if (personOf(parts) === person) return;
    person = personOf(parts);
    found = {};
    for (const form of forms) {
      const unsent = shelfOf(parts)?.take(form);
      if (unsent) fillIn(parts, form, (found[form] = unsent));
    }
    if (Object.keys(found)[0]) draw();
  }

  function forget(form: string): void {
    shelfOf(parts)?.drop(form);
    delete found[form];
  }

  function look(): void {
    meet();
    for (const form of forms) {
      if (state.values[`done.${form}`]) forget(form);
      const path = `!form.${form}.${keptWords}`;
      const words = state.values[path];
      if (!words) continue;
      state.values[path] = '';
      if (!shelfOf(parts)?.keep(form, unsentOf(parts, form))) continue;
      // The words below the form say it now.
      delete found[form];
      state.values[`!${form}`] = words;
      closeFreely();
      draw();
    }
    tell(found);
  }

  const tell = makeBox(parts, (form) => {
    for (const path in found[form]?.values) state.values[path] = '';
    forget(form);
    draw();
    tell(found);
  });
  look();
  // Whatever is drawn next: what was refused, what was received, another page.
  const all = { subtree: true, childList: true, characterData: true };
  new MutationObserver(look).observe(document.getElementById('r') as HTMLElement, all);
}

/** Whose it is: nobody's on the web, where a tab is one visitor's; undefined while Telegram has not said. */
function personOf({ state: { values } }: UnsentParts): string | undefined {
  const id = values['visitor.id'];
  return id ? `${id}` : values['page.telegram'] ? undefined : '';
}

type Shelf = {
  take(form: string): Unsent | undefined;
  /** False where it could not be kept. */
  keep(form: string, unsent: Unsent): boolean;
  drop(form: string): void;
};

/** Where it is kept. A browser may forbid it, or have no room. */
function shelfOf(parts: UnsentParts): Shelf | undefined {
  const person = personOf(parts);
  if (person === undefined) return undefined;
  const name = (form: string): string => `unsent ${parts.pages.app} ${person} ${form}`;
  try {
    // A site does not know who comes next to this browser: there it ends with the tab.
    const storage = person ? localStorage : sessionStorage;
    const drop = (form: string): void => storage.removeItem(name(form));
    return {
      take(form) {
        sweep(storage, keptMax);
        return readUnsent(storage, name(form));
      },
      keep(form, unsent) {
        const text = JSON.stringify(unsent);
        if (text.length > charsMax) return false;
        drop(form);
        sweep(storage, keptMax - 1);
        try {
          storage.setItem(name(form), text);
          return true;
        } catch {
          return false;
        }
      },
      drop,
    };
  } catch {
    return undefined;
  }
}

function readUnsent(storage: Storage, name: string): Unsent | undefined {
  try {
    const unsent = JSON.parse(storage.getItem(name) ?? 'null') as Unsent | null;
    return unsent && Math.abs(Date.now() - unsent.atMs) < keptMsMax ? unsent : undefined;
  } catch {
    return undefined;
  }
}

/** Whatever is too old goes, whoever's it is, and the oldest of what is too much. */
function sweep(storage: Storage, max: number): void {
  const ages = Object.keys(storage)
    .filter((name) => name.startsWith('unsent '))
    .map((name) => ({ name, atMs: readUnsent(storage, name)?.atMs ?? 0 }))
    .sort((one, other) => other.atMs - one.atMs);
  for (const [at, { name, atMs }] of ages.entries()) if (!atMs || at >= max) storage.removeItem(name);
}

/** What was written, as it is on the screen. */
function unsentOf({ pages, state, keys }: UnsentParts, form: string): Unsent {
  const values: { [path: string]: Value } = { [`step.${form}`]: state.values[`step.${form}`] ?? '' };
  let hasFiles = false;
  for (const { id, type } of pages.forms[form]?.fields ?? []) {
    const path = `form.${form}.${id}`;
    const value = state.values[path];
    if (type === 'file') hasFiles ||= !!value;
    else if (value) values[path] = value;
  }
  const tried = Object.fromEntries(Object.entries(keys[form] ?? {}).slice(-keysMax));
  return { atMs: Date.now(), path: location.pathname, start: state.start, values, keys: tried, hasFiles };
}

/** What was written since the app was opened stays. */
function fillIn({ pages, state, keys }: UnsentParts, form: string, unsent: Unsent): void {
  const { values } = state;
  for (const { id, type } of pages.forms[form]?.fields ?? []) {
    const path = `form.${form}.${id}`;
    const value = unsent.values[path];
    const isOver = type === 'slot' && Date.parse(`${value}`) < Date.now();
    if (value && !isOver && !`${values[path] || ''}`) values[path] = value;
  }
  values[`step.${form}`] = unsent.values[`step.${form}`] ?? '';
  state.start ??= unsent.start;
  keys[form] = { ...unsent.keys, ...keys[form] };
}

type Outside = {
  Telegram?: { WebApp?: { isVersionAtLeast?(version: string): boolean; disableClosingConfirmation?(): void } };
};

/** What is kept is no reason to ask whether somebody really wants to leave. */
function closeFreely(): void {
  window.onbeforeunload = null;
  const app = (window as Outside).Telegram?.WebApp;
  if (app?.isVersionAtLeast?.('6.2')) app.disableClosingConfirmation?.();
}

const boxLook =
  'display:flex;flex-wrap:wrap;gap:4px 12px;align-items:center;width:100%;max-width:1080px;margin:0 auto;padding:12px 16px';

/** Above the page: there is something to be sent, the way to it, and the way to be rid of it. */
function makeBox({ pages: { words, locale, locales } }: UnsentParts, drop: (form: string) => void) {
  const box = document.createElement('div');
  const said = document.createElement('p');
  const open = document.createElement('a');
  const away = document.createElement('button');
  // There before its words, so that they are read aloud when they come.
  said.setAttribute('role', 'status');
  said.style.flex = '1 1 240px';
  open.className = away.className = 'button quiet';
  open.textContent = words['unsentOpen'] as string;
  away.textContent = words['unsentDrop'] as string;
  box.append(said);
  document.body.prepend(box);
  return (found: Found): void => {
    const [form, unsent] = Object.entries(found)[0] ?? [];
    const text = unsent ? [words['unsent'], unsent.hasFiles && words['unsentFiles']].filter(Boolean).join(' ') : '';
    if (said.textContent !== text) said.textContent = text;
    box.style.cssText = text && boxLook;
    open.remove();
    away.remove();
    if (!form || !unsent) return;
    if (location.pathname !== unsent.path) {
      // Behind the # Telegram says who it is, and the page that opens asks for it there.
      open.href = `${unsent.path}${locale === locales[0] ? '' : `?lang=${locale}`}${location.hash}`;
      box.append(open);
    }
    away.onclick = () => drop(form);
    box.append(away);
  };
}
