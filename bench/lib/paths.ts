/** Where Telegram sends the updates of a bot. */
export const webhookPathOf = (publicId: string): string => `/v1/telegram/webhooks/${publicId}`;
