// What is shown the moment a button is pressed, before its turn.

import { type Block, hasButtons } from '../../../contract/blocks/registry.ts';
import type { Button } from '../../../contract/buttons.ts';
import { TELEGRAM_LIMITS } from '../../../contract/limits.ts';
import { hasMeanings, MEANING_BUTTONS } from './answers.ts';
import type { CompiledRelease } from './compile.ts';
import { outOfDatePhrase } from './phrases.ts';
import { headOf } from './taken.ts';
import { readOwn } from './values.ts';

export type ButtonInfo = {
  /** The published answer in each locale; null when the press is only acknowledged. */
  readonly answer: { readonly [locale: string]: { readonly text: string; readonly alert: boolean } } | null;
  /** Leave the press to the turn, which answers it by an effect. */
  readonly answersLater: boolean;
  /** False: its token works once. */
  readonly repeats: boolean;
};

/** Buttons of a block that no document names: those that ask which meaning of an answer is meant. */
export function ownButtons(block: Block): readonly string[] {
  return block.type === 'input' && hasMeanings(block.props.kind) ? MEANING_BUTTONS : [];
}

const known = new WeakMap<CompiledRelease, Map<string, ButtonInfo | null>>();

/** Looks a button up for the fast lane. Null: the release has no such button. */
export function buttonInfo(release: CompiledRelease, block: string, button: string): ButtonInfo | null {
  let infos = known.get(release);
  if (!infos) known.set(release, (infos = new Map()));
  const key = `${block}/${button}`;
  const info = infos.get(key);
  if (info !== undefined) return info;
  const found = findInfo(release, block, button);
  // Presses of unknown buttons could fill the memory, so only real ones are kept.
  if (found !== null) infos.set(key, found);
  return found;
}

function findInfo(release: CompiledRelease, blockId: string, buttonId: string): ButtonInfo | null {
  const block = readOwn(release.document.blocks, blockId);
  if (block?.type === 'input') {
    const { kind, choices = [] } = block.props;
    const isOurs = hasMeanings(kind) ? MEANING_BUTTONS.includes(buttonId) : choices.some(({ id }) => id === buttonId);
    return isOurs ? { answer: null, answersLater: false, repeats: false } : null;
  }
  if (block === undefined || !hasButtons(block)) return null;
  const button = (block.props.buttons ?? []).flat().find((one) => one.id === buttonId);
  return button && (button.kind === undefined || button.kind === 'go') ? infoOf(release, button) : null;
}

function infoOf(release: CompiledRelease, button: Extract<Button, { answer?: string | undefined }>): ButtonInfo {
  const later = button.answersLater === true;
  return { answer: later ? null : answerOf(release, button), answersLater: later, repeats: button.repeats === true };
}

/** Only texts without values can be shown before the turn. */
function answerOf(
  release: CompiledRelease,
  button: Extract<Button, { answer?: string | undefined }>,
): ButtonInfo['answer'] {
  if (button.answer === undefined) return null;
  const answer: Record<string, { text: string; alert: boolean }> = {};
  for (const locale of release.locales) {
    const text = release.text(button.answer, locale)?.fixed?.text ?? '';
    if (text !== '')
      answer[locale] = { text: headOf(text, TELEGRAM_LIMITS.callbackAnswerChars), alert: button.alert === true };
  }
  return Object.keys(answer).length > 0 ? answer : null;
}

/** What a press says that is used up or not ours. */
export function outOfDate(release: CompiledRelease, locale: string): string {
  const key = release.document.phrases?.outOfDate;
  const own = key === undefined ? '' : (release.text(key, locale)?.fixed?.text ?? '');
  return headOf(own || outOfDatePhrase(locale), TELEGRAM_LIMITS.callbackAnswerChars);
}
