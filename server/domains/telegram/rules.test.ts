import type { ApiMethods } from '@grammyjs/types';
import { describe, expect, test } from 'vitest';
import type { Outcome, Refused } from './outcome.ts';
import { isConflict, isIdempotent, isWebhookConflict, verdict } from './rules.ts';

const refused = (code: number, description: string, more: Partial<Refused> = {}): Refused => ({
  kind: 'refused',
  code,
  description,
  ...more,
});

// One row for each line of the table of errors, as Telegram words them, some in another case or prefix.
const rows: [method: string, answer: Refused, verdict: Record<string, unknown>][] = [
  [
    'sendMessage',
    refused(400, 'Bad Request: group chat was upgraded to a supergroup chat', { migrateToChatId: -1001 }),
    { kind: 'migrate', toChatId: -1001 },
  ],
  [
    'sendMessage',
    refused(429, 'Too Many Requests: retry after 7', { retryAfterSeconds: 7 }),
    { kind: 'retry_later', seconds: 7, scope: 'chat' },
  ],
  [
    'sendMessage',
    refused(429, 'Too Many Requests: retry after 10072'),
    { kind: 'retry_later', seconds: 10_072, scope: 'chat' },
  ],
  ['sendMessage', refused(429, 'Too Many Requests'), { kind: 'retry_later', seconds: 5, scope: 'chat' }],
  [
    'sendMessage',
    refused(429, 'Too Many Requests', { retryAfterSeconds: 0 }),
    { kind: 'retry_later', seconds: 1, scope: 'chat' },
  ],
  ['editMessageText', refused(429, 'retry after 3'), { kind: 'retry_later', seconds: 3, scope: 'chat' }],
  ['deleteMessage', refused(429, 'retry after 3'), { kind: 'retry_later', seconds: 3, scope: 'chat' }],
  ['getChatMember', refused(429, 'retry after 3'), { kind: 'retry_later', seconds: 3, scope: 'chat' }],
  ['answerCallbackQuery', refused(429, 'retry after 3'), { kind: 'retry_later', seconds: 3, scope: 'bot' }],
  ['setWebhook', refused(429, 'retry after 1'), { kind: 'retry_later', seconds: 1, scope: 'bot' }],
  ['getMe', refused(429, 'retry after 1'), { kind: 'retry_later', seconds: 1, scope: 'bot' }],
  [
    'sendMessage',
    refused(420, 'FLOOD_WAIT_3', { retryAfterSeconds: 3 }),
    { kind: 'retry_later', seconds: 3, scope: 'chat' },
  ],
  ['sendMessage', refused(403, 'Forbidden: bot was blocked by the user'), { kind: 'blocked', reason: 'blocked' }],
  ['sendMessage', refused(400, 'Bad Request: USER_IS_BLOCKED'), { kind: 'blocked', reason: 'blocked' }],
  ['sendMessage', refused(403, 'Forbidden: user is deactivated'), { kind: 'blocked', reason: 'deactivated' }],
  ['sendMessage', refused(400, 'INPUT_USER_DEACTIVATED'), { kind: 'blocked', reason: 'deactivated' }],
  ['sendMessage', refused(403, 'Forbidden: bot was kicked from the group chat'), { kind: 'blocked', reason: 'kicked' }],
  [
    'sendPhoto',
    refused(403, 'forbidden: Bot was kicked from the supergroup chat'),
    { kind: 'blocked', reason: 'kicked' },
  ],
  [
    'sendMessage',
    refused(403, 'Forbidden: bot is not a member of the channel chat'),
    { kind: 'blocked', reason: 'not_member' },
  ],
  ['sendMessage', refused(400, 'Bad Request: CHANNEL_PRIVATE'), { kind: 'blocked', reason: 'not_member' }],
  ['sendMessage', refused(403, 'Forbidden: the group chat was deleted'), { kind: 'blocked', reason: 'group_deleted' }],
  [
    'sendMessage',
    refused(403, "Forbidden: bot can't initiate conversation with a user"),
    { kind: 'blocked', reason: 'never_started' },
  ],
  ['sendMessage', refused(403, "Forbidden: bot can't send messages to bots"), { kind: 'blocked', reason: 'is_bot' }],
  ['sendMessage', refused(400, 'Bad Request: message thread not found'), { kind: 'thread_gone' }],
  ['sendPhoto', refused(400, 'Bad Request: TOPIC_DELETED'), { kind: 'thread_gone' }],
  ['sendMessage', refused(400, 'Bad Request: TOPIC_CLOSED'), { kind: 'thread_gone' }],
  [
    'editMessageText',
    refused(
      400,
      'Bad Request: message is not modified: specified new message content and reply markup are exactly the same',
    ),
    { kind: 'done' },
  ],
  ['editMessageText', refused(400, 'Bad Request: MESSAGE_NOT_MODIFIED'), { kind: 'done' }],
  ['editMessageText', refused(400, 'Bad Request: message to edit not found'), { kind: 'done' }],
  ['editMessageCaption', refused(400, "Bad Request: message can't be edited"), { kind: 'done' }],
  ['deleteMessage', refused(400, "Bad Request: message can't be deleted for everyone"), { kind: 'done' }],
  ['deleteMessage', refused(400, 'Bad Request: message to delete not found'), { kind: 'done' }],
  [
    'answerCallbackQuery',
    refused(400, 'Bad Request: query is too old and response timeout expired or query ID is invalid'),
    { kind: 'done' },
  ],
  ['answerPreCheckoutQuery', refused(400, 'QUERY_ID_INVALID'), { kind: 'done' }],
  // The same words about another message: the send itself did not happen and must be seen as failed.
  ['forwardMessage', refused(400, 'Bad Request: MESSAGE_ID_INVALID'), { kind: 'permanent' }],
  ['sendMessage', refused(400, 'Bad Request: message is too long'), { kind: 'permanent' }],
  ['sendPhoto', refused(400, 'Bad Request: message caption is too long'), { kind: 'permanent' }],
  [
    'sendMessage',
    refused(400, "Bad Request: can't parse entities: Can't find end of the entity starting at byte offset 4"),
    { kind: 'plain_text_once' },
  ],
  [
    'sendMessage',
    refused(
      400,
      "Bad Request: can't parse entities: Character '.' is reserved and must be escaped with the preceding '\\'",
    ),
    { kind: 'plain_text_once' },
  ],
  [
    'editMessageText',
    refused(400, 'Bad Request: can\'t parse entities: Unsupported start tag "x" at byte offset 0'),
    { kind: 'plain_text_once' },
  ],
  ['sendMessage', refused(400, 'Bad Request: ENTITY_BOUNDS_INVALID'), { kind: 'plain_text_once' }],
  ['sendMessage', refused(400, 'Bad Request: Text must be non-empty'), { kind: 'permanent' }],
  ['sendMessage', refused(400, 'Bad Request: BUTTON_DATA_INVALID'), { kind: 'permanent' }],
  ['sendMessage', refused(400, 'Bad Request: reply markup is too long'), { kind: 'permanent' }],
  ['sendMessage', refused(400, 'Bad Request: chat not found'), { kind: 'permanent' }],
  ['sendPhoto', refused(400, 'Bad Request: wrong file identifier/HTTP URL specified'), { kind: 'permanent' }],
  ['getFile', refused(400, 'Bad Request: file is too big'), { kind: 'permanent' }],
  ['sendMessage', refused(403, 'Forbidden: something new'), { kind: 'permanent' }],
  ['sendMessage', refused(401, 'Unauthorized'), { kind: 'token_invalid' }],
  ['sendMessage', refused(404, 'Not Found'), { kind: 'token_invalid' }],
  ['sendMesage', refused(404, 'Not Found: method not found'), { kind: 'permanent' }],
  ['sendRichMessage', refused(404, 'Not Found: method not found'), { kind: 'plain_text_once' }],
  ['sendRichMessage', refused(400, 'Bad Request: RICH_MESSAGE_INVALID'), { kind: 'plain_text_once' }],
  ['sendRichMessage', refused(403, 'Forbidden: bot was blocked by the user'), { kind: 'blocked' }],
  [
    'setWebhook',
    refused(409, 'Conflict: terminated by other setWebhook'),
    { kind: 'retry_later', seconds: 5, scope: 'bot' },
  ],
  ['sendDocument', refused(413, 'Request Entity Too Large'), { kind: 'permanent' }],
];

test.each(rows)('%s answered with %o', (method, answer, expected) => {
  expect(verdict(method, answer)).toMatchObject(expected);
});

test('what is not a refusal keeps its kind', () => {
  expect(verdict('sendMessage', { kind: 'ok', result: { message_id: 5 } })).toEqual({
    kind: 'sent',
    result: { message_id: 5 },
  });
  expect(verdict('sendMessage', { kind: 'unreached', reason: 'ECONNREFUSED' })).toEqual({
    kind: 'not_reached',
    reason: 'ECONNREFUSED',
  });
  expect(verdict('sendMessage', { kind: 'doubtful', reason: 'reset' })).toEqual({ kind: 'doubtful', reason: 'reset' });
});

test('a conflict with a webhook is told from one with another poller', () => {
  const webhook: Outcome = refused(
    409,
    "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first",
  );
  const poller: Outcome = refused(
    409,
    'Conflict: terminated by other getUpdates request; make sure that only one bot instance is running',
  );
  expect([isConflict(webhook), isWebhookConflict(webhook)]).toEqual([true, true]);
  expect([isConflict(poller), isWebhookConflict(poller)]).toEqual([true, false]);
  expect(isConflict(refused(400, 'webhook is active'))).toBe(false);
});

describe('repeating', () => {
  const sends: (keyof ApiMethods<never>)[] = [
    'sendMessage',
    'sendPhoto',
    'sendMediaGroup',
    'sendInvoice',
    'sendGift',
    'forwardMessage',
    'copyMessages',
    'answerWebAppQuery',
    'answerGuestQuery',
    'createForumTopic',
    'createInvoiceLink',
    'exportChatInviteLink',
    'refundStarPayment',
    'giftPremiumSubscription',
    'transferGift',
    'postStory',
    'uploadStickerFile',
  ];
  const harmless: (keyof ApiMethods<never>)[] = [
    'editMessageText',
    'editMessageMedia',
    'answerCallbackQuery',
    'answerPreCheckoutQuery',
    'answerInlineQuery',
    'deleteMessage',
    'deleteMessages',
    'deleteWebhook',
    'setWebhook',
    'setMyCommands',
    'setMessageReaction',
    'getMe',
    'getChatMember',
    'getUpdates',
    'pinChatMessage',
    'banChatMember',
    'leaveChat',
    'sendChatAction',
  ];
  test.each(sends)('%s is not repeated', (method) => expect(isIdempotent(method)).toBe(false));
  test.each(harmless)('%s may be repeated', (method) => expect(isIdempotent(method)).toBe(true));
  test('an unknown method counts as a send', () => expect(isIdempotent('teleportUser')).toBe(false));
});
