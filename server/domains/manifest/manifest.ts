// The door of the manifest: what is wrong with the pages of a document, and what they are in one language. Pure.
export { checkManifest } from './check.ts';
export { SLOT_MINUTES } from './checks/data.ts';
export { GROUNDS } from './colours.ts';
export { type AppFacts, chooseLocale, compileApp, shownMedia } from './compile.ts';
export { holds } from './conditions.ts';
export { richPage } from './rich/rich.ts';
export type { RichMessage, RichTarget } from './rich/types.ts';
export { richButtons, richWords } from './rich/words.ts';
export { isTelegramLink, isVisible } from './takes.ts';
export { plainText, type Read, type Writer, writerOf } from './texts.ts';
