// Updates and requests in Telegram's own form: a line break after the first comma, everything beyond ASCII escaped.

/** What people are called, by the number of their chat. */
export const firstNames: readonly string[] = ['Анна', 'Иван', 'Мария', 'John', 'Zoë', 'Ольга', 'Пётр', 'Эмма'];
const escapedNames = firstNames.map(escaped);

export function escaped(text: string): string {
  return text.replaceAll(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** A private text message. `text` is escaped already. Pure ASCII, so its length is its size. */
export function messageUpdate(updateId: number, chatId: number, text: string, atSeconds: number): string {
  const name = escapedNames[chatId % escapedNames.length]!;
  const person = `"id":${chatId},"first_name":"${name}","username":"person_${chatId}"`;
  const command = text.startsWith('/') ? `,"entities":[{"offset":0,"length":${text.length},"type":"bot_command"}]` : '';
  return (
    `{"update_id":${updateId},\n"message":{"message_id":${updateId % 1_000_000},` +
    `"from":{"id":${chatId},"is_bot":false,"first_name":"${name}","username":"person_${chatId}","language_code":"ru"},` +
    `"chat":{${person},"type":"private"},"date":${atSeconds},"text":"${text}"${command}}}`
  );
}

/** The request of a webhook as Telegram's sender makes it. */
export function webhookRequest(target: { path: string; secret: string }, port: number, body: string): string {
  return (
    `POST ${target.path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Type: application/json\r\n` +
    `Content-Length: ${body.length}\r\nConnection: keep-alive\r\n` +
    `${target.secret === '' ? '' : `X-Telegram-Bot-Api-Secret-Token: ${target.secret}\r\n`}` +
    `Accept-Encoding: gzip, deflate\r\n\r\n${body}`
  );
}
