// What Telegram takes of a message, and in which chats: one refused part loses the whole message. The table is Telegram's
// own documentation; `acceptable.ts` goes by it before anything is sent, and the checks before anything is published.

/** Kinds of chats as far as Telegram's rules tell them apart. A supergroup is a group. */
export type Place = 'private' | 'group' | 'channel';

type Rule = {
  readonly in: readonly Place[];
  /** As a sentence names it. */
  readonly name: string;
  readonly source: string;
};

const API = 'https://core.telegram.org/bots/api';
const EVERYWHERE: readonly Place[] = ['private', 'group', 'channel'];
/** What stands below the input field: a channel has none. */
const WHERE_PEOPLE_WRITE: readonly Place[] = ['private', 'group'];

/** Parts of messages, each with the chats in which Telegram takes it. */
export const TAKEN = {
  press: { in: EVERYWHERE, name: 'a button', source: `${API}#inlinekeyboardbutton` },
  link: { in: EVERYWHERE, name: 'a button with a link', source: `${API}#inlinekeyboardbutton` },
  copy: { in: EVERYWHERE, name: 'a button that copies', source: `${API}#inlinekeyboardbutton` },
  webApp: { in: ['private'], name: 'a button that opens a Mini App', source: `${API}#inlinekeyboardbutton` },
  key: { in: WHERE_PEOPLE_WRITE, name: 'a key', source: `${API}#replykeyboardmarkup` },
  contact: { in: ['private'], name: 'a key that asks for the phone number', source: `${API}#keyboardbutton` },
  location: { in: ['private'], name: 'a key that asks for the place', source: `${API}#keyboardbutton` },
  keyboard: { in: WHERE_PEOPLE_WRITE, name: 'a keyboard of keys', source: `${API}#replykeyboardmarkup` },
  removal: { in: WHERE_PEOPLE_WRITE, name: 'taking the keyboard away', source: `${API}#replykeyboardremove` },
  forcedReply: { in: WHERE_PEOPLE_WRITE, name: 'asking for a reply', source: `${API}#forcereply` },
  icon: { in: WHERE_PEOPLE_WRITE, name: 'an icon on a button', source: `${API}#inlinekeyboardbutton` },
  typing: { in: WHERE_PEOPLE_WRITE, name: '"typing"', source: `${API}#sendchataction` },
} as const satisfies { readonly [part: string]: Rule };

export type Part = keyof typeof TAKEN;

/** True where Telegram takes this part in chats of this kind. */
export function isTaken(part: Part, place: Place): boolean {
  return (TAKEN[part].in as readonly Place[]).includes(place);
}

/** Of a keyboard, with its JSON as it is sent. Telegram says "reply markup is too long" beyond some 10 KB. */
export const KEYBOARD_LIMITS = { buttons: 100, chars: 10_000 } as const;

/** The number of a custom emoji: Telegram reads 64 bits, and refuses what is more. */
export function isEmojiId(id: string): boolean {
  return /^\d{1,19}$/.test(id) && BigInt(id) > 0n && BigInt(id) <= 9_223_372_036_854_775_807n;
}

/** The beginning of a text, never with half of a sign at its end: that is no UTF-8, and refused. */
export function headOf(text: string, chars: number): string {
  const head = text.slice(0, chars);
  return head.isWellFormed() ? head : head.slice(0, -1);
}
