// Asks, waits for an answer, and asks again when it does not fit.

import type { PropsOf } from '../../../../contract/blocks/registry.ts';
import type { Button, ButtonRows } from '../../../../contract/buttons.ts';
import { meaningText } from '../../readers/readers.ts';
import { type Answer, answerReader, isAttempt, MEANING_BUTTONS, type Misfit, type Unclear } from '../answers.ts';
import { type Delivery, deliver, replyTo } from '../deliver.ts';
import { durationMs } from '../durations.ts';
import { isIncoming } from '../event-view.ts';
import { inlineKeyboard, type Keyboard, replyKeyboard } from '../keyboards.ts';
import { misfitPhrase, retryPhrase, whichPhrase } from '../phrases.ts';
import { exitMove, failMove, type MakeRunner, type Making, type Move, NEXT_MOVE, WAIT_MOVE } from '../runner.ts';
import type { EffectButton, Markup } from '../step-types.ts';
import { isTaken, TAKEN } from '../taken.ts';
import type { RichText } from '../texts.ts';
import type { Turn } from '../turn.ts';

/** Answers that may fail before the exit `invalid`, where the maker did not say. */
const ATTEMPTS = 3;

export const makeInput: MakeRunner<'input'> = (id, { props, exits }, making) => {
  const keyboard = questionKeyboard(id, props, making);
  const readAnswer = answerReader(props, making);
  const delayMs = props.timeout === undefined ? 0 : durationMs(props.timeout);
  const attempts = props.attempts ?? ATTEMPTS;
  const leavesWhenInvalid = exits?.['invalid'] !== undefined;
  const ask = (turn: Turn, text: RichText, markup: Markup | undefined = keyboard(turn)): string => {
    if (text.text === '' && markup === undefined) return '';
    const { options = {}, ...forced } = markup === undefined ? askedReply(turn) : {};
    return deliver(turn, { chat: 'here', thread: 0, text, files: [], markup, ...forced, options }).key;
  };
  const askWhich = (turn: Turn, meanings: Unclear['meanings']): Move => {
    const rows = meanings.map((meaning, index): EffectButton[] => [
      { text: meaningText(meaning, turn.locale), press: { block: id, button: MEANING_BUTTONS[index] ?? '' } },
    ]);
    const own = making.whichOne === undefined ? null : turn.text(making.whichOne);
    const asked = ask(turn, own ?? whichPhrase(meanings.length, turn.locale), { inline_keyboard: rows });
    if (turn.wait) turn.wait = { ...turn.wait, meanings, asked: asked || turn.wait.asked };
    return WAIT_MOVE;
  };
  const refuse = (turn: Turn, misfit: Misfit | null): Move => {
    const failed = (turn.wait?.failed ?? 0) + 1;
    if (failed >= attempts && leavesWhenInvalid) return exitMove('invalid');
    const asked = ask(turn, refusalOf(turn, props, making, misfit));
    if (turn.wait) {
      const { meanings: _asked, ...wait } = turn.wait;
      turn.wait = { ...wait, failed, asked: asked || wait.asked };
    }
    return WAIT_MOVE;
  };
  return {
    run: (turn) => {
      const asked = props.text === undefined ? '' : ask(turn, turn.text(props.text));
      if (props.ref !== undefined && asked !== '') turn.name(props.ref, { key: asked, media: false });
      turn.startWait('input', delayMs, { asked });
      return WAIT_MOVE;
    },
    resume: (turn, event) => {
      if (event.kind === 'timer') return event.id === turn.wait?.timer ? exitMove('timeout') : null;
      if (!isIncoming(event) || !isAttempt(event)) return null;
      const answer = readAnswer(turn, event);
      if (answer !== null && 'meanings' in answer) return askWhich(turn, answer.meanings);
      return answer !== null && 'value' in answer ? accept(turn, props.into, answer) : refuse(turn, answer);
    },
  };
};

/** The maker's words for this question, else what is known to be wrong, else the maker's words for any question. */
function refusalOf(turn: Turn, props: PropsOf<'input'>, making: Making, misfit: Misfit | null): RichText {
  if (props.retry !== undefined) return turn.text(props.retry);
  if (misfit !== null) return misfitPhrase(misfit.why, turn.locale);
  return making.notUnderstood === undefined ? retryPhrase(props.kind, turn.locale) : turn.text(making.notUnderstood);
}

function accept(turn: Turn, into: string | undefined, answer: Answer): Move {
  const reason = into === undefined ? null : turn.set(into, answer.value);
  if (reason !== null) return failMove(reason);
  return answer.choice === undefined ? NEXT_MOVE : exitMove(answer.choice);
}

/**
 * In a group most bots hear replies to their messages and nothing else (https://core.telegram.org/bots/features#privacy-mode),
 * so the question asks for one: of the person it is for, where a message of theirs can be replied to.
 */
function askedReply(turn: Turn): Partial<Pick<Delivery, 'markup' | 'options'>> {
  if (turn.place !== 'group') return {};
  const { event } = turn;
  const isTheirs = isIncoming(event) && event.kind !== 'button' && event.user !== null && event.messageId !== 0;
  if (!isTheirs || turn.release.document.groups === 'chat') return { markup: { force_reply: true } };
  return { markup: { force_reply: true, selective: true }, options: replyTo(turn) };
}

/** Choices are buttons under the question; what Telegram can share itself is a key in place of the keyboard. */
function questionKeyboard(id: string, props: PropsOf<'input'>, making: Making): Keyboard {
  if (props.kind === 'choice') return inlineKeyboard(id, choiceRows(props), making);
  if (props.share === undefined) return () => undefined;
  const kind = props.kind === 'location' ? 'location' : 'contact';
  const share = replyKeyboard([[{ kind, id: 'share', label: props.share }]], undefined, making);
  return (turn) => {
    if (!isTaken(kind, turn.place)) {
      turn.note(id, 'button', 'share', `Telegram takes ${TAKEN[kind].name} in private chats alone`);
      return undefined;
    }
    const markup = share(turn);
    return markup && 'keyboard' in markup ? { ...markup, one_time_keyboard: true } : markup;
  };
}

function choiceRows(props: PropsOf<'input'>): ButtonRows {
  const columns = props.columns ?? 1;
  const buttons = (props.choices ?? []).map(
    (choice): Button => ({ id: choice.id, label: choice.label, ...(choice.style ? { style: choice.style } : {}) }),
  );
  const rows: Button[][] = [];
  for (let at = 0; at < buttons.length; at += columns) rows.push(buttons.slice(at, at + columns));
  return rows;
}
