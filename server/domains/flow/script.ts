// Runs chat scripts against a document: tests of examples and templates that read like a chat (see docs/build/flow.md).

import type { FlowDocument } from '../../../contract/flow.ts';
import type { Value } from '../../../contract/variables.ts';
import { compile } from './compile.ts';
import { type Person, ScriptChat } from './script-chat.ts';
import { parsePause, parseScripts, type Script, type ScriptLine } from './script-lines.ts';
import { asText } from './values.ts';

/** Where a chat did not go as written. */
export type ScriptFailure = {
  readonly script: string;
  readonly line: number;
  readonly expected: string;
  readonly got: string;
};

export type ScriptReport = {
  readonly scripts: number;
  readonly lines: number;
  readonly failures: readonly ScriptFailure[];
};

const START_MS = Date.UTC(2026, 10, 30, 9, 0, 0);

/** Runs all scripts of a file, each in a fresh chat. A script stops at its first failure. */
export function runScripts(document: FlowDocument, source: string): ScriptReport {
  const release = compile(document, { number: 1, hash: 'script' });
  const scripts = parseScripts(source);
  const failures: ScriptFailure[] = [];
  for (const script of scripts) {
    const failure = runScript(script, (person, random) => new ScriptChat(release, person, START_MS, random));
    if (failure) failures.push(failure);
  }
  return { scripts: scripts.length, lines: scripts.reduce((sum, script) => sum + script.lines.length, 0), failures };
}

type OpenChat = (person: Person, random: () => number) => ScriptChat;

function runScript(script: Script, open: OpenChat): ScriptFailure | null {
  const { person, random } = settingsOf(script);
  const chat = open(person, random);
  for (const line of script.lines) {
    const trouble = runLine(chat, line);
    if (trouble) return { script: script.title, line: line.at, ...trouble };
  }
  const [left] = chat.said;
  return left
    ? {
        script: script.title,
        line: script.lines.at(-1)?.at ?? 0,
        expected: 'the end',
        got: `${left.who}: ${left.text}`,
      }
    : null;
}

/** `person: Анна, ru` and `chance: 0.1 0.9` hold for the whole script. */
function settingsOf(script: Script): { person: Person; random: () => number } {
  const find = (who: string): string => script.lines.find((line) => line.who === who)?.text ?? '';
  const [firstName = 'Анна', language = 'ru'] = (find('person') || 'Анна, ru').split(',').map((part) => part.trim());
  const chances = find('chance')
    .split(/\s+/)
    .filter((part) => part !== '')
    .map(Number);
  return {
    person: { id: 1001, firstName, language },
    random: () => (chances.length > 1 ? chances.shift() : chances[0]) ?? 0,
  };
}

type Trouble = { readonly expected: string; readonly got: string };

function runLine(chat: ScriptChat, line: ScriptLine): Trouble | null {
  const { who, text } = line;
  const [left] = chat.said;
  const isMine = ['user', 'wait', 'telegram'].includes(who);
  if (isMine && left) return { expected: `${who}: ${text}`, got: `${left.who}: ${left.text}` };
  try {
    switch (who) {
      case 'person':
      case 'chance':
        return null;
      case 'user':
        act(chat, text);
        return null;
      case 'wait':
        chat.pass(parsePause(text));
        return null;
      case 'telegram':
        answer(chat, text);
        return null;
      case 'knows':
        return expectValue(chat, text);
      case 'state':
        return expectState(chat, text);
      default:
        return expectSaid(chat, who, text);
    }
  } catch (error) {
    return { expected: `${who}: ${text}`, got: error instanceof Error ? error.message : String(error) };
  }
}

const FILE = {
  file_id: 'file-1',
  file_unique_id: 'unique-1',
  file_size: 2_048,
  file_name: 'file.bin',
  mime_type: 'application/octet-stream',
};

/** What a person can send beside words: `user: sends photo`, `user: shares contact +79000000000`. */
const SENDINGS: { readonly [what: string]: (argument: string) => { readonly [field: string]: unknown } } = {
  photo: (caption) => ({ photo: [{ ...FILE, width: 90, height: 90 }], ...(caption === '' ? {} : { caption }) }),
  video: (caption) => ({
    video: { ...FILE, width: 9, height: 9, duration: 3 },
    ...(caption === '' ? {} : { caption }),
  }),
  document: (caption) => ({ document: FILE, ...(caption === '' ? {} : { caption }) }),
  voice: () => ({ voice: { ...FILE, duration: 3 } }),
  sticker: () => ({ sticker: { ...FILE, width: 9, height: 9, type: 'regular', is_animated: false, is_video: false } }),
  contact: (phone) => ({ contact: { phone_number: phone || '+79000000000', first_name: 'Анна', user_id: 1001 } }),
  location: () => ({ location: { latitude: 55.75, longitude: 37.61 } }),
};

function act(chat: ScriptChat, text: string): void {
  const tapped = /^taps (.+)$/.exec(text);
  if (tapped) {
    chat.tap(tapped[1] ?? '');
    return;
  }
  const sent = /^submits (\S+)\s*(.*)$/s.exec(text);
  if (sent) {
    chat.submit({ form: sent[1], ...formContent(sent[2] ?? '') });
    return;
  }
  const [, what = '', argument = ''] = /^(?:sends|shares) (\w+)\s*(.*)$/s.exec(text) ?? [];
  const make = Object.hasOwn(SENDINGS, what) ? SENDINGS[what] : undefined;
  chat.send(make ? make(argument) : { text });
}

/** `user: submits lead {"name": "Anna"}`; an order is `{"values": {}, "cart": [], "total": 5}`. */
function formContent(json: string): object {
  const given = JSON.parse(json === '' ? '{}' : json) as { readonly [field: string]: unknown };
  return 'values' in given || 'cart' in given ? given : { values: given };
}

/** `telegram: member`, `telegram: left`, `telegram: error chat not found`. */
function answer(chat: ScriptChat, text: string): void {
  const [word = '', ...rest] = text.split(' ');
  if (word === 'error') chat.answerCall(false, rest.join(' '));
  else chat.answerCall(true, { status: word });
}

function expectSaid(chat: ScriptChat, who: string, text: string): Trouble | null {
  const isSilent = text === '(silence)';
  const said = isSilent ? chat.said[0] : chat.said.shift();
  const got = said ? `${said.who}: ${said.text}` : '(silence)';
  const fits = isSilent ? said === undefined : said?.who === who && squeeze(said.text) === squeeze(text);
  return fits ? null : { expected: `${who}: ${text}`, got };
}

/** Two spaces before buttons are for the eye; lines of a text count. */
const squeeze = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.replace(/[ \u00a0\u202f]+/g, ' ').trim())
    .join('\n');

/** `knows: phone = +7900...`, `knows: tags = lead, vip`, `knows: phone =` for unset. */
function expectValue(chat: ScriptChat, text: string): Trouble | null {
  const at = text.indexOf('=');
  const name = text.slice(0, at).trim();
  const { conversation, contact, bot } = chat.state;
  const values: { readonly [name: string]: Value } = {
    ...bot.vars,
    ...contact.vars,
    ...conversation?.vars,
    tags: contact.tags.join(', '),
    locale: contact.locale ?? '',
  };
  const got = asText(values[name]);
  return got === text.slice(at + 1).trim() ? null : { expected: text, got: `${name} = ${got}` };
}

/** `state: empty`, `state: waits`, `state: rests`. */
function expectState(chat: ScriptChat, text: string): Trouble | null {
  const { conversation } = chat.state;
  const got = conversation === null ? 'empty' : conversation.wait === null ? 'rests' : 'waits';
  return got === text || (text === 'rests' && got === 'empty') ? null : { expected: `state: ${text}`, got };
}
