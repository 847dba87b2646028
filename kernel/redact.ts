/**
 * Cuts secrets out of any text that leaves the process: logs, error columns, thrown messages. A bot token
 * stands in the URL of every Bot API call, so every network error carries it (grammY, telegraf and nakama
 * all leaked it that way). Four nets: the shape of a token, also percent-encoded; the password in an address; what
 * is called a secret or a password, as in `secret_token=...` or `"secret_token":"..."` (fronts of the Bot API repeat
 * the body of a setWebhook); and exact secrets that were told to `keepSecret`.
 */
export function redact(text: string): string {
  let clean = text;
  if (clean.includes(':') || clean.includes('%3')) clean = clean.replace(tokenShape, '[token]');
  if (clean.includes('://')) clean = clean.replace(urlPassword, '$1[cut]@');
  if (secretName.test(clean)) clean = clean.replace(secretPair, '$1[cut]');
  for (const secret of exactSecrets) if (clean.includes(secret)) clean = clean.replaceAll(secret, '[cut]');
  return clean;
}

/** Remembers a secret by value (master key, database password), so that `redact` finds it whatever its shape. */
export function keepSecret(secret: string): void {
  if (secret.length < 8) return;
  exactSecrets.add(secret);
  // A quote or a backslash in it looks different in a line of JSON, and that is what a log is made of.
  exactSecrets.add(JSON.stringify(secret).slice(1, -1));
}

/** An error's words, cleaned, with its chain of causes, at most `lengthMax` characters, fit for a column: without zero bytes. */
export function errorText(error: unknown, lengthMax = 500): string {
  const parts: string[] = [];
  for (let at: unknown = error, depth = 0; at !== undefined && depth < 4; depth += 1) {
    parts.push((at instanceof Error ? at.message : String(at)).slice(0, causeCharsMax));
    at = at instanceof Error ? at.cause : undefined;
  }
  return redact(parts.join(': ')).replaceAll('\0', '').slice(0, lengthMax);
}

const exactSecrets = new Set<string>();
/** Cut before cleaning, and far behind what is shown: a secret that is cut in two here is never seen. */
const causeCharsMax = 65_536;
// Strangers write into what is cleaned here, so each pattern may begin only where a run of its first signs begins: from
// every one of 60,000 digits it looked at all the rest, which took 4 s.
// Telegram: digits, a colon, 35 characters of A-Za-z0-9_-; some older ones are shorter.
const tokenShape = /(?<!\d)\d{6,}(?::|%3[aA])[A-Za-z0-9_-]{30,}/g;
const secretName = /secret|password/i;
// The quotes of JSON, also where it stands in a string of JSON, are left where they are, so that a log line stays one.
const secretPair = /((?:secret(?:[_-]?token)?|password)(?:\\*["'])?\s*[:=]\s*(?:\\*["'])?)[^\s"'\\,;&<>{}[\]]{8,}/gi;
// `user:password@host` is how documents and our own sentences write where one goes.
const urlPassword = /(?<!\w)(\w+:\/\/[^\s:/@"]*:)(?!password@)[^\s@/"]+@/g;
