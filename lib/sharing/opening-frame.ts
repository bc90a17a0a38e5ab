import type { Log } from '@/lib/store/log';
import { AUTOMATIC_METHODS } from './automatic-methods';

/**
 * Returns the seq of the frame that a shared recording opens on, and that a bug report is about: the newest with a note
 * or bookmark, else a failure, else the last call; undefined without any. `isInvalid` tells whether the result in a
 * frame breaks its schema.
 */
export function openingFrame(log: Log, isInvalid: (seq: number) => boolean): number | undefined {
  return notedFrames(log).at(-1) ?? failedFrame(log, isInvalid) ?? lastCall(log);
}

/** Returns the seqs of the frames with a note or bookmark, in order. */
export function notedFrames({ notes, size }: Log): readonly number[] {
  return [...notes.state.notes.keys()].filter((seq) => seq >= 1 && seq <= size).sort((one, other) => one - other);
}

/**
 * Returns the frame of the failure that matters most. After a crash or a failed connection: the newest call without a
 * response, else the frame of the end. Otherwise the first error, invalid result, result with `isError` or timeout,
 * else the newest call without a response.
 */
export function failedFrame(log: Log, isInvalid: (seq: number) => boolean): number | undefined {
  const { columns, size } = log;
  const { exit, state } = log.state.connection;
  let [first, lost, end, sloppy]: (number | undefined)[] = [];
  for (let index = 0; index < size; index++) {
    const seq = index + 1;
    const kind = columns.kind(index);
    const status = columns.status(index);
    if (kind === 'error' && status !== 'refused') first ??= seq;
    else if (kind === 'response' && status === 'tool-error') first ??= seq;
    else if (kind === 'response' && isInvalid(seq)) {
      // A sloppy handshake or list matters less than a failed call.
      if (isCall(columns, (columns.peer(index) ?? seq) - 1)) first ??= seq;
      else sloppy ??= seq;
    } else if (kind === 'lifecycle' && columns.severity(index) === 'error') end ??= seq;
    else if (kind === 'request' && status === 'timeout') first ??= seq;
    else if (kind === 'request' && status === 'lost' && isCall(columns, index)) lost = seq;
  }
  const crashed = state === 'failed' || (exit !== undefined && !exit.byUs);
  return (crashed ? (lost ?? end) : undefined) ?? first ?? lost ?? sloppy;
}

/** Returns true for a request that a person made. */
function isCall(columns: Log['columns'], index: number): boolean {
  return columns.direction(index) === 'to-server' && !AUTOMATIC_METHODS.has(columns.method(index) ?? '');
}

/** Returns the last tool call, else the last request that the client does not send by itself. */
function lastCall({ columns, size }: Log): number | undefined {
  let request: number | undefined;
  for (let index = size - 1; index >= 0; index--) {
    if (columns.kind(index) !== 'request' || !isCall(columns, index)) continue;
    if (columns.method(index) === 'tools/call') return index + 1;
    request ??= index + 1;
  }
  return request;
}
