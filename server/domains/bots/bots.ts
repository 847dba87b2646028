// The door of the bots: connecting them, knowing them, keeping their secrets.
export type { Connected, ConnectRequest } from './connect.ts';
export { connectBot } from './connect.ts';
export type { BotsDeps, BotView } from './deps.ts';
export type {
  AppBot,
  BotEntry,
  BotStatus,
  Directory,
  DirectoryChange,
  DirectoryOptions,
  ProjectEntry,
} from './directory.ts';
export { createDirectory } from './directory.ts';
export { forgetSecrets } from './keys/sql.ts';
export {
  disconnectBot,
  moveWebhook,
  pauseBot,
  resumeBot,
  rotateSecret,
  rotateToken,
  setAllowedUpdates,
  setMenuCommands,
  setMenuText,
  worksWith,
} from './lifecycle.ts';
export { openableAddress } from './menu-rules.ts';
export { advance, continues, type Horizon, nothingKnown, type Window } from './revisions.ts';
export { checkSecret } from './secret.ts';
export type { Vault, VaultKeys } from './vault.ts';
export { createVault } from './vault.ts';
export type { ListOptions } from './views.ts';
export { listBots, showBot } from './views.ts';
export { disconnectedAmong } from './watch/sql.ts';
export type { TokenWatch } from './watch/token-watch.ts';
export { createTokenWatch } from './watch/token-watch.ts';
