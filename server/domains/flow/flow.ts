// The door of the flow engine. Pure: no I/O, no clock, no chance but what comes in with an event.

import type { Fault, FlowDocument } from '../../../contract/flow.ts';
import type { CompiledRelease } from './compile.ts';
import type { ConversationKey, FlowEvent, IncomingEvent } from './event-types.ts';
import type { ConversationState, FlowState, StepResult } from './step-types.ts';

export type { Fault, FlowDocument } from '../../../contract/flow.ts';
export type { CompiledRelease } from './compile.ts';
export type {
  BlockedEvent, CallResultEvent, ConversationKey, EventChat, EventPress, EventUser, FlowEvent, IncomingEvent, IncomingKind, TimerEvent,
} from './event-types.ts';
export type {
  AlbumItem, BotState, ContactState, ConversationState, Effect, EffectButton, Entity, FileRef, FlowState, Markup,
  MessageTarget, SendMethod, SendParams, StepResult, TraceEntry,
} from './step-types.ts';

/** Reads a document strictly: either every part of it is right, or each fault is named with its place. Old versions are brought up. */
export function parseDocument(json: unknown): { ok: true; document: FlowDocument } | { ok: false; faults: Fault[] } {
  throw new Error(`not yet: ${typeof json}`);
}

/** Everything that can be known before publishing. Faults that stop come first. */
export function checkDocument(document: FlowDocument): Fault[] {
  throw new Error(`not yet: ${document.roost}`);
}

/** Precomputes all that a step needs. Worth caching by hash: a step itself is cheap. Never throws for a document that parsed. */
export function compile(document: FlowDocument, meta: { number: number; hash: string }): CompiledRelease {
  throw new Error(`not yet: ${document.roost} ${meta.number}`);
}

/** The document as text with one order of keys, to be hashed. */
export function canonicalJson(document: FlowDocument): string {
  throw new Error(`not yet: ${document.roost}`);
}

/** Brings a parsed update of any shape to one event. Never throws; what is not known becomes kind 'unknown'. */
export function toEvents(update: unknown, meta: { key: string; atMs: number }): IncomingEvent {
  throw new Error(`not yet: ${typeof update} ${meta.key}`);
}

/** Makes one event of the updates of an album, in the order given. The first one names it; captions are joined. */
export function mergeAlbum(events: readonly IncomingEvent[]): IncomingEvent {
  throw new Error(`not yet: ${events.length}`);
}

/** The kinds of updates that a document listens to, for `setWebhook`. */
export function allowedUpdates(document: FlowDocument): string[] {
  throw new Error(`not yet: ${document.roost}`);
}

/** Which conversation an event belongs to. */
export function conversationKey(release: CompiledRelease, event: FlowEvent): ConversationKey {
  throw new Error(`not yet: ${release.number} ${event.key}`);
}

/** The release that a conversation must go on with, or null when the current one takes over. */
export function releaseOf(conversation: ConversationState | null): number | null {
  return conversation !== null && conversation.release !== 0 ? conversation.release : null;
}

/** One turn. The same release, state, event and `random` (in [0,1)) always give the same answer. Never throws. */
export function step(release: CompiledRelease, state: FlowState, event: FlowEvent & { random: number }): StepResult {
  throw new Error(`not yet: ${release.number} ${state.contact.locale} ${event.key}`);
}

/** What is shown the moment a button is pressed, before its turn. */
export type ButtonInfo = {
  /** The published answer in each locale; null when the press is only acknowledged. */
  readonly answer: { readonly [locale: string]: { readonly text: string; readonly alert: boolean } } | null;
  /** Leave the press to the turn, which answers it by an effect. */
  readonly answersLater: boolean;
  /** False: its token works once. */
  readonly repeats: boolean;
};

/** Looks a button up for the fast lane. Null: the release has no such button. */
export function buttonInfo(release: CompiledRelease, block: string, button: string): ButtonInfo | null {
  throw new Error(`not yet: ${release.number} ${block} ${button}`);
}

/** What a press says that is used up or not ours. */
export function outOfDate(release: CompiledRelease, locale: string): string {
  throw new Error(`not yet: ${release.number} ${locale}`);
}

/** The language this person is answered in: the one chosen in the flow, else Telegram's, else the default. */
export function localeOf(release: CompiledRelease, contactLocale: string | null, telegramLanguage: string): string {
  throw new Error(`not yet: ${release.number} ${contactLocale} ${telegramLanguage}`);
}
