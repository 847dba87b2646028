// What an operator can do about messages that Telegram has refused for good. Pure.

type Advice = { readonly parts: readonly string[]; readonly advice: string };

const byReason: { readonly [reason: string]: string } = {
  blocked: 'The person has blocked the bot. It writes to them again once they write.',
  deactivated: 'The account was deleted. Nothing can be done.',
  never_started: 'A bot cannot write first: the person has to open it and press Start.',
  kicked: 'The bot was put out of the chat. Add it again, or take the chat out of the flow.',
  not_member: 'The bot is not in the chat. Add it, or take the chat out of the flow.',
  group_deleted: 'The group was deleted. Take it out of the flow.',
  is_bot: 'Telegram lets no bot write to a bot. Take it out of the flow.',
};

const byWords: readonly Advice[] = [
  {
    parts: ['chat not found', 'peer_id_invalid', 'user not found'],
    advice:
      'Check the number of the chat in the flow. A group has to have the bot as a member, a person has to press Start first.',
  },
  {
    parts: ['enough rights', 'no rights', 'have no right', 'administrator', '_forbidden', 'admin_required'],
    advice: 'The bot may not write this there. Make it an administrator of the chat with the rights for it.',
  },
  {
    parts: ['thread not found', 'topic'],
    advice: 'The topic is gone or closed. Name another one in the flow, or open it.',
  },
  {
    parts: ['button', 'reply markup', 'reply_markup', 'keyboard'],
    advice: 'Telegram does not take a button of this message in this kind of chat. Change it in the flow.',
  },
  {
    parts: ['file', 'photo', 'video', 'image', 'media', 'too large', 'too big'],
    advice:
      'Telegram does not take the file of this message. Put a smaller one, or one of another kind, into the project.',
  },
  {
    parts: ['text', 'caption', 'message is too long'],
    advice: 'Telegram does not take the words of this message. Change them in the flow.',
  },
];

const otherwise = 'Look at what the flow sends there: Telegram will refuse it again.';

/** A sentence on what to do. `reason` is a word of ours or Telegram's words, as they are counted. */
export function adviceOn({ reason, words }: { reason: string; words: string }): string {
  const known = Object.hasOwn(byReason, reason) ? byReason[reason] : undefined;
  if (known !== undefined) return known;
  const text = words.toLowerCase();
  return byWords.find(({ parts }) => parts.some((part) => text.includes(part)))?.advice ?? otherwise;
}

/** True for what people are free to do: it is shown, and nobody has to do anything about it. */
export const isTheirChoice = (reason: string): boolean => reason === 'blocked' || reason === 'deactivated';
