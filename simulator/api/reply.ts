import { Described, ReadyJson } from '../methods/updates.ts';
import type { ActiveFault } from './faults.ts';
import { ApiRefusal, forbidden, migrated, tooManyRequests } from './refusal.ts';

/** An answer ready to be written. */
export type Reply = { status: number; body: string; contentType?: string; retryAfter?: number };

/** The answer to a call that went well. */
export function replyOf(result: unknown, accepted?: { message: unknown; json: string }): Reply {
  if (accepted && result === accepted.message) return { status: 200, body: `{"ok":true,"result":${accepted.json}}` };
  if (result === true) return { status: 200, body: '{"ok":true,"result":true}' };
  if (result instanceof ReadyJson) return { status: 200, body: `{"ok":true,"result":${result.json}}` };
  if (result instanceof Described) {
    const { result: value, description } = result;
    return { status: 200, body: JSON.stringify({ ok: true, result: value, description }) };
  }
  return { status: 200, body: `{"ok":true,"result":${JSON.stringify(result)}}` };
}

/** The answer to a call that was refused. */
export function refusalReply(refusal: ApiRefusal): Reply {
  const { code, message, parameters } = refusal;
  const body = JSON.stringify({
    ok: false,
    error_code: code,
    description: message,
    ...(parameters ? { parameters } : {}),
  });
  const retryAfter = parameters?.retry_after;
  return { status: code, body, ...(retryAfter === undefined ? {} : { retryAfter }) };
}

const FRONT_PAGE = (status: number): string =>
  `<html>\r\n<head><title>${status} Bad Gateway</title></head>\r\n<body>\r\n<center><h1>${status} Bad Gateway</h1></center>\r\n<hr><center>nginx</center>\r\n</body>\r\n</html>\r\n`;

/** The answer of a fault that speaks instead of the method. */
export function faultReply(fault: ActiveFault): Reply {
  switch (fault.kind) {
    case '429':
      return refusalReply(tooManyRequests(fault.retry_after ?? 1, 'fault'));
    case '401':
      return refusalReply(new ApiRefusal(401, fault.description ?? 'Unauthorized'));
    case '403':
      return refusalReply(
        fault.description ? new ApiRefusal(403, fault.description) : forbidden('bot was blocked by the user'),
      );
    case 'migrate':
      return refusalReply(migrated(fault.migrate_to_chat_id ?? -1_009_999_999_999));
    case 'html':
      return { status: fault.status ?? 502, body: FRONT_PAGE(fault.status ?? 502), contentType: 'text/html' };
    default: {
      const status = fault.status ?? 500;
      return refusalReply(new ApiRefusal(status, fault.description ?? 'Internal Server Error'));
    }
  }
}

/** Kinds that keep the call from being carried out, unless they say `accept`. */
export function strikesBefore(fault: ActiveFault): boolean {
  switch (fault.kind) {
    case 'lost':
    case 'truncated':
    case 'slow':
      return false;
    case '5xx':
    case 'html':
    case 'hang':
      return fault.accept !== true;
    default:
      return true;
  }
}
