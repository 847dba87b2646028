/** Extra facts of a refusal, as Telegram names them. */
export type RefusalParameters = { retry_after?: number; migrate_to_chat_id?: number };

/** A description repeats names that the caller has made up, of any length. */
const charsMax = 1_000;

/** A call that Telegram refuses: thrown by methods, answered as `{ok:false, error_code, description, parameters}`. */
export class ApiRefusal extends Error {
  readonly code: number;
  readonly parameters: RefusalParameters | undefined;
  /** Which limit refused it. */
  readonly limit: string | undefined;

  constructor(code: number, description: string, parameters?: RefusalParameters, limit?: string) {
    super(description.slice(0, charsMax));
    this.name = 'ApiRefusal';
    this.code = code;
    this.parameters = parameters;
    this.limit = limit;
  }
}

export function badRequest(text: string): ApiRefusal {
  return new ApiRefusal(400, `Bad Request: ${text}`);
}

export function forbidden(text: string): ApiRefusal {
  return new ApiRefusal(403, `Forbidden: ${text}`);
}

export function conflict(text: string): ApiRefusal {
  return new ApiRefusal(409, `Conflict: ${text}`);
}

export function tooManyRequests(seconds: number, limit: string): ApiRefusal {
  return new ApiRefusal(429, `Too Many Requests: retry after ${seconds}`, { retry_after: seconds }, limit);
}

export function migrated(to: number): ApiRefusal {
  return new ApiRefusal(400, 'Bad Request: group chat was upgraded to a supergroup chat', { migrate_to_chat_id: to });
}
