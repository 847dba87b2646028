/**
 * Messages to send: stored with the turn that asks for them, sent in order a chat, within Telegram's limits, once.
 * States: 0 waiting, 1 sending, 2 sent, 3 refused, 4 unknown (two answers lost), 5 parked (Telegram said not before).
 */
export type { Consequence, Finding, Report } from './consequences.ts';
export type { StoredFile } from './files.ts';
export { adviceOn, isTheirChoice } from './losses/advice.ts';
export { forgetLost, type LostRow, listLost, lostCounts } from './losses/sql.ts';
export { loneLineBase } from './message.ts';
export type { Loss } from './recording.ts';
export type { Placement } from './sender.ts';
export { insertMessages, type NewMessage, openBots, type Placed, renameChat } from './sql.ts';
export {
  endWaiting,
  listUnknown,
  markSeen,
  openFigures,
  parkedBots,
  type UnknownRow,
  unknownCount,
} from './upkeep/sql.ts';
export { createUrgentCall, type UrgentCall, type UrgentEnd, type UrgentKind } from './urgent.ts';
