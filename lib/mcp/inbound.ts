import { parseBounded } from '@/lib/wire/bounded-json';
import { members } from '@/lib/wire/json-text';
import type { Era } from '@/lib/wire/lifecycle';
import { isObject, own, type RequestId } from '@/lib/wire/message';
import type { ServerRequest } from './answering';
import { type Outcome, outcomeOf } from './outcome';

/** What arriving messages may do to the engine. */
export interface InboundPort {
  /** undefined while it is not known yet. */
  era(): Era | undefined;
  answered(id: RequestId, outcome: Outcome): void;
  notified(method: string, params: unknown): void;
  asked(request: ServerRequest): void;
}

/**
 * Acts on one line. Lines that are no JSON, monsters, arrays of anything (batches of 2025-03-26), envelopes of the wrong shape and
 * answers nobody waits for are all possible; they are in the log, and here they do nothing.
 */
export function receiveText(text: string, port: InboundPort): void {
  let parsed: unknown;
  try {
    parsed = parseBounded(text);
  } catch {
    return;
  }
  if (Array.isArray(parsed)) for (const message of parsed) receiveMessage(message, undefined, port);
  else receiveMessage(parsed, text, port);
}

function receiveMessage(message: unknown, text: string | undefined, port: InboundPort): void {
  if (!isObject(message)) return;
  const method = own(message, 'method');
  const id = own(message, 'id');
  const isId = typeof id === 'string' || typeof id === 'number';
  if (typeof method === 'string') {
    if (id === undefined) port.notified(method, own(message, 'params'));
    else if (isId && port.era() !== 'modern') {
      port.asked({ method, params: own(message, 'params'), id, idText: exactId(id, text) });
    }
    return;
  }
  const outcome = isId ? outcomeOf(message) : undefined;
  if (isId && outcome !== undefined) port.answered(id, outcome);
}

/** The id as the server wrote it: JSON.parse loses digits of numbers past 2^53, and the answer must carry the same ones. */
function exactId(id: RequestId, text: string | undefined): string {
  if (typeof id === 'string' || Number.isSafeInteger(id) || text === undefined) return JSON.stringify(id);
  const written = members(text).findLast((member) => member.key === 'id');
  return written === undefined ? JSON.stringify(id) : text.slice(written.start, written.end);
}
