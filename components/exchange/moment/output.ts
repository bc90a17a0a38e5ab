import { useMemo } from 'react';
import { useLogSize, useLogState } from '@/lib/hooks/log';
import { isAlone } from '@/lib/store/exchanges/exchange-timeline';
import type { Exchange } from '@/lib/store/exchanges/exchanges';
import type { Log } from '@/lib/store/log';

/** Frames of a call that are looked at. */
const MOST_FRAMES = 20_000;

/** The output of a server during a call. Frames, oldest first. */
export interface CallOutput {
  readonly stderr: readonly number[];
  /** Lines on stdout, or bodies of HTTP, that are not MCP. */
  readonly stdout: readonly number[];
  /** No other request was in flight, so the lines are about this one. */
  readonly isAlone: boolean;
}

/** Returns the frames of the output between two frames. */
export function outputBetween(log: Log, from: number, to: number): Omit<CallOutput, 'isAlone'> {
  const stderr: number[] = [];
  const stdout: number[] = [];
  const last = Math.min(to, log.size + 1, from + MOST_FRAMES);
  for (let seq = from + 1; seq < last; seq++) {
    const kind = log.columns.kind(seq - 1);
    if (kind === 'stderr') stderr.push(seq);
    else if (kind === 'junk') stdout.push(seq);
  }
  return { stderr, stdout };
}

/**
 * How long after a response its output may still come, in µs. stdout and stderr are two pipes: what the server wrote
 * first may be read last.
 */
const LATE_US = 100_000;

/** Returns the frame that ends the output of an answered call: our next request, or one that comes too late. */
export function endOfOutput({ columns, size }: Log, responseSeq: number): number {
  const latest = columns.time(responseSeq - 1) + LATE_US;
  const end = Math.min(size, responseSeq + MOST_FRAMES);
  let index = responseSeq;
  while (index < end && columns.time(index) <= latest && !isOurRequest(columns, index)) index++;
  return index + 1;
}

function isOurRequest(columns: Log['columns'], index: number): boolean {
  return columns.kind(index) === 'request' && columns.direction(index) === 'to-server';
}

/** Returns what the server printed during a call: from the request until just after the response, or until now. */
export function useOutput(log: Log, exchange: Exchange | undefined): CallOutput {
  const size = useLogSize(log);
  const lastLifecycle = useLogState(log, ({ connection }) => connection.lastLifecycleSeq);
  const from = exchange?.requestSeq ?? 0;
  const open = exchange?.status === 'pending' ? size + 1 : (lastLifecycle ?? 0);
  const to = exchange?.responseSeq === undefined ? open : endOfOutput(log, exchange.responseSeq);
  return useMemo(() => {
    const { stderr, stdout } = from === 0 ? NOTHING : outputBetween(log, from, to);
    if (stderr.length + stdout.length === 0) return NOTHING;
    return { stderr, stdout, isAlone: isAlone(log, log.row(from - 1), Math.min(to - 1, from + MOST_FRAMES)) };
  }, [log, from, to]);
}

const NOTHING: CallOutput = { stderr: [], stdout: [], isAlone: true };
