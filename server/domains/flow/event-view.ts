// What blocks may read of the event and of the person behind it.

import type { Value } from '../../../contract/variables.ts';
import { isVisitorLane } from '../../../kernel/names.ts';
import { evenText, isBlank, trimUnseen } from '../readers/readers.ts';
import type { ConversationKey, FlowEvent, IncomingEvent } from './event-types.ts';
import type { ContactState } from './step-types.ts';

/** True for an update of Telegram; the other events are our own. */
export function isIncoming(event: FlowEvent): event is IncomingEvent {
  return 'updateKind' in event;
}

/** A command as people type it: `/start@my_bot ref_1`. */
export type TypedCommand = { readonly name: string; readonly bot: string; readonly argument: string };

export function commandOf(event: FlowEvent): TypedCommand | null {
  const slash = event.kind === 'text' ? event.text.indexOf('/') : -1;
  // Only spaces and signs that nobody sees may stand before it.
  if (event.kind !== 'text' || slash < 0 || !isBlank(event.text.slice(0, slash))) return null;
  const match = /^\/([A-Za-z0-9_]{1,32})(?:@([A-Za-z0-9_]{1,40}))?(?:\s+(.*))?$/s.exec(
    evenText(event.text.slice(slash)),
  );
  if (!match) return null;
  return {
    name: (match[1] ?? '').toLowerCase(),
    bot: (match[2] ?? '').toLowerCase(),
    argument: (match[3] ?? '').trim(),
  };
}

const NOWHERE: ConversationKey = { chatId: 0, threadId: 0, userId: 0 };

export class EventView {
  readonly language: string;
  readonly #event: FlowEvent;
  readonly #contact: ContactState;
  readonly #incoming: IncomingEvent | null;

  constructor(event: FlowEvent, contact: ContactState) {
    this.#event = event;
    this.#contact = contact;
    this.#incoming = isIncoming(event) ? event : null;
    this.language = (this.#incoming?.user?.language || contact.language) ?? '';
  }

  /** The person's number: of the event, else of the contact; in a private chat both are the chat's. */
  get userId(): number {
    const { chatId, userId } = isIncoming(this.#event) ? NOWHERE : this.#event.conversation;
    return this.#incoming?.user?.id || userId || this.#contact.id || Math.max(chatId, 0);
  }

  get contact(): { readonly [member: string]: Value } {
    const user = this.#incoming?.user ?? null;
    const firstName = trimUnseen(user?.firstName ?? this.#contact.firstName ?? '');
    const lastName = trimUnseen(user?.lastName ?? this.#contact.lastName ?? '');
    return {
      id: this.userId,
      name: [firstName, lastName].filter((part) => part !== '').join(' '),
      firstName,
      lastName,
      username: user?.username ?? this.#contact.username ?? '',
    };
  }

  /** A visitor of the site, to whom nothing can be sent. */
  get isChatless(): boolean {
    const event = this.#event;
    return isVisitorLane(isIncoming(event) ? (event.chat?.id ?? 0) : event.conversation.chatId);
  }

  get chat(): { readonly [member: string]: Value } {
    const chat = this.#incoming?.chat ?? null;
    const { chatId } = isIncoming(this.#event) ? NOWHERE : this.#event.conversation;
    const id = chat?.id ?? chatId;
    return {
      id: isVisitorLane(id) ? 0 : id,
      title: chat?.title ?? '',
      type: chat?.kind ?? (id > 0 || isVisitorLane(id) ? 'private' : 'unknown'),
    };
  }

  get event(): { readonly [member: string]: Value } {
    const command = commandOf(this.#event);
    const app = this.#incoming?.app ?? null;
    return {
      text: this.#incoming?.text ?? '',
      kind: this.#event.kind,
      messageId: this.#incoming?.messageId ?? 0,
      startParameter: command?.name === 'start' ? command.argument : '',
      form: app?.form ?? '',
      number: app?.number ?? 0,
      total: app?.total ?? 0,
      visitor: app?.visitor ?? '',
    };
  }

  /** A known value such as `contact.name`; undefined when it is empty. */
  read(path: string): Value | undefined {
    const [group, member = ''] = path.split('.');
    const values = group === 'contact' ? this.contact : group === 'chat' ? this.chat : this.event;
    const value = values[member];
    return value === '' || value === 0 ? undefined : value;
  }
}
