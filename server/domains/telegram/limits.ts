/**
 * Telegram's limits. Documented ones stand at core.telegram.org/bots/api and /bots/faq; the real rates are not
 * fixed, so `retry_after` always wins over these.
 */
export const telegramLimits = {
  /** Messages of one bot, all chats together. */
  botMessagesPerSecond: 30,
  /** Messages to one chat, over time, and how many may go at once after a pause. */
  chatMessagesPerSecond: 1,
  chatBurst: 3,
  /** Messages to one group, supergroup or channel. */
  groupMessagesPerMinute: 20,
  /** Characters (code points) after entities were parsed. */
  textCharactersMax: 4096,
  captionCharactersMax: 1024,
  /** Bytes, not characters. */
  callbackDataBytesMax: 64,
  invoicePayloadBytesMax: 128,
  startParameterCharactersMax: 64,
  callbackAnswerCharactersMax: 200,
  mediaGroupMin: 2,
  mediaGroupMax: 10,
  deleteMessagesMax: 100,
  /** A message older than this cannot be deleted. */
  deleteHoursMax: 48,
  photoBytesMax: 10 * 1024 * 1024,
  uploadBytesMax: 50 * 1024 * 1024,
  downloadBytesMax: 20 * 1024 * 1024,
  /** One answer of getUpdates. */
  pollUpdatesMax: 100,
  pollTimeoutSecondsMax: 50,
  webhookConnectionsMax: 100,
  secretCharactersMax: 256,
  /** pre_checkout_query is to be answered within this. */
  preCheckoutSeconds: 10,
  /** A button press older than this is not worth answering: clients stop waiting at about 15 s. */
  callbackAnswerSeconds: 15,
} as const;
