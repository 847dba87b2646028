// The door of the flow engine. Pure: no I/O, no clock, no chance but what comes in with an event.
//
// A caller's turn: `toEvents` (albums through `mergeAlbum`), `conversationKey`, load the state, take the release of
// `releaseOf` or the published one, `step` (again with an answer for each table it
// asks), write what `changed`, carry out the effects.

import type { CompiledRelease } from './compile.ts';
import { pickLocale } from './locales.ts';
import type { ConversationState } from './step-types.ts';

export type { Fault, FlowDocument } from '../../../contract/flow.ts';
export type { ButtonInfo } from './button-info.ts';
export { buttonInfo, outOfDate, ownButtons } from './button-info.ts';
export { checkDocument } from './check.ts';
export type { CompiledRelease } from './compile.ts';
export { compile } from './compile.ts';
export { conversationKey } from './conversation-key.ts';
export type {
  BlockedEvent,
  CallResultEvent,
  ConversationKey,
  EventChat,
  EventFile,
  EventPress,
  EventUser,
  FlowEvent,
  IncomingEvent,
  IncomingKind,
  TimerEvent,
} from './event-types.ts';
export { dayTeller, isTimezone } from './formats.ts';
export { menuCommands } from './menu-commands.ts';
export { parseDocument, parsePublished } from './parse.ts';
export { step } from './step.ts';
export type {
  AlbumItem,
  Answer,
  Ask,
  BotState,
  ContactState,
  ConversationState,
  Effect,
  EffectButton,
  Entity,
  FileRef,
  FlowState,
  Markup,
  MessageTarget,
  ReplyKey,
  SendMethod,
  SendParams,
  StepResult,
  TableAnswer,
  TableAsk,
  TraceEntry,
} from './step-types.ts';
export { allowedUpdates } from './subscriptions.ts';
export { contentOf, mergeAlbum, toEvents } from './update.ts';

/** The release that a conversation must go on with, or null when the published one takes over. */
export function releaseOf(conversation: ConversationState | null): number | null {
  return conversation !== null && conversation.release !== 0 ? conversation.release : null;
}

/** The language a person is answered in: the one chosen in the flow, else Telegram's where the flow speaks it, else the default. */
export function localeOf(release: CompiledRelease, chosen: string | null, telegramLanguage: string): string {
  return pickLocale(release, chosen, telegramLanguage);
}
