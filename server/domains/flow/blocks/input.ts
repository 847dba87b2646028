// Asks, waits for an answer, and asks again when it does not fit.

import type { PropsOf } from '../../../../contract/blocks/registry.ts';
import type { Button, ButtonRows } from '../../../../contract/buttons.ts';
import { type Answer, answerReader, isAttempt } from '../answers.ts';
import { type Delivery, deliver, replyTo } from '../deliver.ts';
import { durationMs } from '../durations.ts';
import { isIncoming } from '../event-view.ts';
import { inlineKeyboard, type Keyboard, replyKeyboard } from '../keyboards.ts';
import { retryPhrase } from '../phrases.ts';
import { exitMove, failMove, type MakeRunner, type Making, type Move, NEXT_MOVE, WAIT_MOVE } from '../runner.ts';
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
  const retry = props.retry ?? making.notUnderstood;
  const leavesWhenInvalid = exits?.['invalid'] !== undefined;
  const ask = (turn: Turn, text: RichText): string => {
    const markup = keyboard(turn);
    if (text.text === '' && markup === undefined) return '';
    const { options = {}, ...forced } = markup === undefined ? askedReply(turn) : {};
    return deliver(turn, { chat: 'here', thread: 0, text, files: [], markup, ...forced, options }).key;
  };
  const refuse = (turn: Turn): Move => {
    const failed = (turn.wait?.failed ?? 0) + 1;
    if (failed >= attempts && leavesWhenInvalid) return exitMove('invalid');
    const asked = ask(turn, retry === undefined ? retryPhrase(props.kind, turn.locale) : turn.text(retry));
    if (turn.wait) turn.wait = { ...turn.wait, failed, asked: asked || turn.wait.asked };
    return WAIT_MOVE;
  };
  return {
    run: (turn) => {
      const asked = props.text === undefined ? '' : ask(turn, turn.text(props.text));
      if (props.ref !== undefined && asked !== '') turn.name(props.ref, asked, false);
      turn.startWait('input', delayMs, { asked });
      return WAIT_MOVE;
    },
    resume: (turn, event) => {
      if (event.kind === 'timer') return event.id === turn.wait?.timer ? exitMove('timeout') : null;
      if (!isIncoming(event) || !isAttempt(event)) return null;
      const answer = readAnswer(turn, event);
      return answer === null ? refuse(turn) : accept(turn, props.into, answer);
    },
  };
};

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
