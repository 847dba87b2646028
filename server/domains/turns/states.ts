import type { Db } from '../../../kernel/db.ts';
import {
  type ContactRow,
  type ConversationRow,
  findBotMemories,
  findContacts,
  findConversations,
  findUnreachable,
} from '../contacts/contacts.ts';
import type { BotState, ContactState, ConversationKey, ConversationState } from '../flow/flow.ts';
import { Reach } from './reach.ts';
import { Remembered, weightOf } from './remembered.ts';
import type { Seen } from './seen.ts';

/** What is remembered, as read from the table or as the last commit left it. `version` 0: no row yet. */
export type Kept<State> = { state: State; version: number };
export type KeptConversation = Kept<ConversationState | null> & { seen: Seen };
export type KeptContact = Kept<ContactState> & { profile: string; seenMs: number };
export type KeptMemory = Kept<BotState>;

export type StateNeed = { integrationId: number; contactId: number; conversation: ConversationKey; botMemory: boolean };

type Held<What> = What & { bytes: number };

/**
 * What may be remembered, in bytes, about: of 20,000 people and as many conversations that hold what most do. People who hold more
 * make others be read anew, and nothing else: a read of a whole batch is one statement.
 */
const bytesMax = { contacts: 16 * 2 ** 20, conversations: 16 * 2 ** 20, bots: 8 * 2 ** 20, moved: 2 ** 20 };
/** An entry, its name and the numbers beside it. */
const entryBytes = 200;

/**
 * The states of people and conversations that were active lately, kept between turns: the owner is the only one
 * who runs turns, so a hot conversation costs no read. Writes are guarded by version all the same; whoever loses
 * such a race calls `clear` and reads again.
 */
export class States {
  readonly #db: Db;
  readonly #contacts = new Remembered<Held<KeptContact>>(bytesMax.contacts);
  readonly #conversations = new Remembered<Held<KeptConversation>>(bytesMax.conversations);
  readonly #bots = new Remembered<Held<Kept<BotState>>>(bytesMax.bots);
  /** Where conversations of groups went that became supergroups, by their old names. */
  readonly #moved = new Remembered<Held<{ chatId: number }>>(bytesMax.moved);
  /** Chats that cannot be written to. */
  readonly reach: Reach;
  #stale = false;

  constructor(db: Db, reach = new Reach()) {
    this.#db = db;
    this.reach = reach;
  }

  contact(need: StateNeed): KeptContact {
    return this.#contacts.get(contactName(need)) as KeptContact;
  }

  conversation(need: StateNeed): KeptConversation {
    return this.#conversations.get(conversationName(need)) as KeptConversation;
  }

  bot(integrationId: number): Kept<BotState> {
    return this.#bots.get(String(integrationId)) ?? emptyBot;
  }

  /** The need as it stands now: what belonged to a group that became a supergroup is kept under the new chat. */
  current(need: StateNeed): StateNeed {
    const chatId = this.#moved.size === 0 ? undefined : this.#moved.get(conversationName(need))?.chatId;
    if (chatId === undefined) return need;
    const contactId = need.contactId === need.conversation.chatId ? chatId : need.contactId;
    return { ...need, contactId, conversation: { ...need.conversation, chatId } };
  }

  /** Reads what is not kept yet, three statements at most, side by side; once more for groups found to be elsewhere. */
  async load(needs: readonly StateNeed[]): Promise<void> {
    if (this.#stale) this.#forgetAll();
    this.#bound();
    const known = this.#moved.size;
    await this.#loadMissing(needs);
    if (this.#moved.size > known) await this.#loadMissing(needs);
  }

  async #loadMissing(asked: readonly StateNeed[]): Promise<void> {
    const needs = asked.map((need) => this.current(need));
    const contacts = new Map<string, StateNeed>();
    const conversations = new Map<string, StateNeed>();
    const bots = new Set<number>();
    for (const need of needs) {
      if (!this.#contacts.use(contactName(need))) contacts.set(contactName(need), need);
      if (!this.#conversations.use(conversationName(need))) conversations.set(conversationName(need), need);
      if (need.botMemory && !this.#bots.use(String(need.integrationId))) bots.add(need.integrationId);
    }
    // All of them end before one that failed is told: a read that comes back late would put what was there before into the
    // place of what a turn has made of it since, and the version that its commit raises would make that look new.
    const reads = await Promise.allSettled([
      contacts.size > 0 && this.#loadContacts([...contacts.values()]),
      conversations.size > 0 && this.#loadConversations([...conversations.values()]),
      bots.size > 0 && this.#loadBots([...bots]),
    ]);
    for (const read of reads) if (read.status === 'rejected') throw read.reason;
  }

  async #loadContacts(needs: StateNeed[]): Promise<void> {
    const rows = await findContacts(this.#db, {
      integrationIds: needs.map((need) => need.integrationId),
      contactIds: needs.map((need) => need.contactId),
    });
    for (const need of needs) this.setContact(need, { state: emptyContact, version: 0, profile: '', seenMs: 0 });
    for (const row of rows) {
      this.#keepContact(`${row.integration_id} ${row.contact_id}`, toContact(row));
      if (row.unreachable !== null) this.reach.learn(row.integration_id, row.contact_id, row.unreachable);
    }
  }

  /** Finds out whether these chats can be written to, where nobody has looked yet. */
  async loadReach(chats: readonly { integrationId: number; chatId: number }[]): Promise<void> {
    const unknown = chats.filter((chat) => this.reach.reasonOf(chat.integrationId, chat.chatId) === undefined);
    if (unknown.length === 0) return;
    const rows = await findUnreachable(this.#db, unknown);
    for (const { integrationId, chatId } of unknown) this.reach.learn(integrationId, chatId, '');
    for (const row of rows) this.reach.learn(row.integration_id, row.contact_id, row.unreachable);
  }

  async #loadConversations(needs: StateNeed[]): Promise<void> {
    const rows = await findConversations(this.#db, {
      integrationIds: needs.map((need) => need.integrationId),
      chatIds: needs.map((need) => need.conversation.chatId),
      threadIds: needs.map((need) => need.conversation.threadId),
      userIds: needs.map((need) => need.conversation.userId),
    });
    for (const need of needs) this.setConversation(need, { state: null, version: 0, seen: [] });
    for (const row of rows) {
      if (row.moved_to !== null) this.#moved.set(rowName(row), { chatId: row.moved_to, bytes: entryBytes });
      else if (row.state !== null && row.version !== null)
        this.#keepConversation(rowName(row), { ...readState(row.state), version: row.version });
    }
  }

  async #loadBots(ids: number[]): Promise<void> {
    const rows = await findBotMemories(this.#db, ids);
    for (const id of ids) this.setBot(id, { ...emptyBot });
    for (const row of rows)
      this.setBot(row.integration_id, { state: { vars: JSON.parse(row.vars) }, version: row.version });
  }

  setContact(need: StateNeed, kept: KeptContact): void {
    this.#keepContact(contactName(need), kept);
  }

  setConversation(need: StateNeed, kept: KeptConversation): void {
    this.#keepConversation(conversationName(need), kept);
  }

  setBot(integrationId: number, kept: Kept<BotState>): void {
    this.#bots.set(String(integrationId), { ...kept, bytes: entryBytes + weightOf(kept.state) });
  }

  #keepContact(name: string, kept: KeptContact): void {
    const bytes = entryBytes + weightOf(kept.profile) + weightOf(kept.state);
    this.#contacts.set(name, { ...kept, bytes });
  }

  /** Weighed only where it is another one: most turns leave a conversation as it was. */
  #keepConversation(name: string, kept: KeptConversation): void {
    const before = this.#conversations.get(name);
    const bytes = before?.state === kept.state ? before.bytes : entryBytes + seenBytes + weightOf(kept.state);
    this.#conversations.set(name, { ...kept, bytes });
  }

  /** What was written stands one version higher now; so do these. */
  contactStands({ integrationId, contactId }: { integrationId: number; contactId: number }): void {
    raise(this.#contacts.get(`${integrationId} ${contactId}`));
  }

  conversationStands(row: ConversationKey & { integrationId: number }): void {
    raise(this.#conversations.get(`${row.integrationId} ${row.chatId} ${row.threadId} ${row.userId}`));
  }

  memoryStands(integrationId: number): void {
    raise(this.#bots.get(String(integrationId)));
  }

  /**
   * Forgets everything: buckets were lost or changed hands, or a chat got another id. From the next load on: turns
   * that are being worked on keep what they have read, and whatever of it is out of date does not commit.
   */
  clear(): void {
    this.#stale = true;
  }

  #forgetAll(): void {
    this.#stale = false;
    this.#contacts.clear();
    this.#conversations.clear();
    this.#bots.clear();
    this.#moved.clear();
  }

  /** Between batches nothing refers to what is kept. */
  #bound(): void {
    for (const memory of [this.#contacts, this.#conversations, this.#bots, this.#moved]) memory.bound();
  }

  /** What is remembered takes so much, about. */
  get bytes(): number {
    return this.#contacts.bytes + this.#conversations.bytes + this.#bots.bytes + this.#moved.bytes;
  }
}

function raise(kept: { version: number } | undefined): void {
  if (kept) kept.version += 1;
}

/** The numbers of the last messages, and of an album. */
const seenBytes = 200;

const emptyContact: ContactState = { vars: {}, tags: [], locale: null };
const emptyBot: Kept<BotState> = { state: { vars: {} }, version: 0 };

const contactName = (need: StateNeed): string => `${need.integrationId} ${need.contactId}`;
const conversationName = ({ integrationId, conversation }: StateNeed): string =>
  `${integrationId} ${conversation.chatId} ${conversation.threadId} ${conversation.userId}`;
const rowName = (row: ConversationRow): string =>
  `${row.integration_id} ${row.chat_id} ${row.thread_id} ${row.user_id}`;

/**
 * A conversation as its row holds it. The messages it has had travel in its state, so they cost no write of their own:
 * what changes nothing there is remembered in memory alone, and where nothing is left to remember, so are they.
 */
export function stateText(state: ConversationState | null, seen: Seen): string {
  const text = JSON.stringify(state);
  return state === null || seen.length === 0 ? text : `${text.slice(0, -1)},"seen":[${seen.join()}]}`;
}

function readState(text: string): Omit<KeptConversation, 'version'> {
  const stored = JSON.parse(text) as (ConversationState & { seen?: Seen }) | null;
  if (stored === null) return { state: null, seen: [] };
  const { seen = [], ...state } = stored;
  return { state, seen };
}

function toContact(row: ContactRow): KeptContact {
  const profile = row.profile && row.profile !== 'null' ? row.profile : '';
  const vars = row.vars && row.vars !== 'null' ? JSON.parse(row.vars) : {};
  const names = profile === '' ? {} : (JSON.parse(profile) as object);
  return {
    state: { ...names, vars, tags: row.tags, locale: row.locale },
    version: row.version,
    profile,
    seenMs: row.seen_ms,
  };
}
