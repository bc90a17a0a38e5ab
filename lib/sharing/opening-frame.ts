import type { Log } from '@/lib/store/log';
import { AUTOMATIC_METHODS } from './report-subject';

/**
 * Returns the seq of the frame that a shared recording opens on: the first that failed, else the first with a note or
 * bookmark, else the last call; undefined without any. `isInvalid` tells whether the result in a frame breaks its
 * schema.
 */
export function openingFrame(log: Log, isInvalid: (seq: number) => boolean): number | undefined {
  return firstFailed(log, isInvalid) ?? firstNoted(log) ?? lastCall(log);
}

/**
 * Returns the first frame that failed: an error, a result with `isError`, an invalid result, a crash, a failed
 * connection, or a request without a response.
 */
export function firstFailed({ columns, size }: Log, isInvalid: (seq: number) => boolean): number | undefined {
  let lost: number | undefined;
  for (let index = 0; index < size; index++) {
    const kind = columns.kind(index);
    const status = columns.status(index);
    if (kind === 'error' && status !== 'refused') return index + 1;
    if (kind === 'response' && (status === 'tool-error' || isInvalid(index + 1))) return index + 1;
    if (kind === 'lifecycle' && columns.severity(index) === 'error') return index + 1;
    if (kind !== 'request') continue;
    if (status === 'timeout') return index + 1;
    // A crash says more than the request that it left without a response.
    if (status === 'lost') lost ??= index + 1;
  }
  return lost;
}

function firstNoted({ notes, size }: Log): number | undefined {
  const noted = [...notes.state.notes.keys()].filter((seq) => seq >= 1 && seq <= size);
  return noted.length === 0 ? undefined : noted.reduce((first, seq) => Math.min(first, seq));
}

/** Returns the last tool call, else the last request that the client does not send by itself. */
function lastCall({ columns, size }: Log): number | undefined {
  let request: number | undefined;
  for (let index = size - 1; index >= 0; index--) {
    if (columns.kind(index) !== 'request' || columns.direction(index) !== 'to-server') continue;
    const method = columns.method(index);
    if (method === 'tools/call') return index + 1;
    if (method !== undefined && !AUTOMATIC_METHODS.has(method)) request ??= index + 1;
  }
  return request;
}
