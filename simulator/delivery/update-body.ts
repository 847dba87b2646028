const NON_ASCII = /[\u007f-\uffff]/g;
const HAS_NON_ASCII = /[\u007f-\uffff]/;

function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** JSON with everything beyond ASCII escaped, as Telegram writes it. */
export function asciiJson(value: unknown): string {
  const json = JSON.stringify(value);
  return HAS_NON_ASCII.test(json) ? json.replace(NON_ASCII, escapeUnit) : json;
}

/** The body of an update, with Telegram's line break after the number. */
export function updateBody(updateId: number, kind: string, json: string): string {
  return `{"update_id":${updateId},\n"${kind}":${json}}`;
}
