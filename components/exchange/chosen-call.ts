import { useState } from 'react';
import { useLocation } from '@/lib/hooks/location';
import { useLogState } from '@/lib/hooks/log';
import { requestOf } from '@/lib/store/exchanges/exchange-timeline';
import type { Log } from '@/lib/store/log';

/** Most later rounds of a call that are looked at. */
const MOST_ROUNDS = 1000;

/** The call that was chosen in the log. */
interface ChosenCall {
  /** seq of its newest request; undefined if none was chosen. */
  readonly request: number | undefined;
  /** Shows the newest call again. */
  readonly forget: () => void;
}

/**
 * Returns the call of this method and name whose frame was selected last. It stays when other frames are selected.
 */
export function useChosenCall(log: Log, method: string, name: string): ChosenCall {
  const { frame } = useLocation();
  const selected = useLogState(log, () => (frame === undefined ? undefined : callOf(log, frame, method, name)));
  const [known, setKnown] = useState({ log, frame, selected, shown: selected });
  const isOther = known.log !== log;
  if (isOther || known.frame !== frame || known.selected !== selected) {
    setKnown({ log, frame, selected, shown: selected ?? (isOther ? undefined : known.shown) });
  }
  return {
    request: known.shown === undefined || isOther ? undefined : newestRound(log, known.shown),
    forget: () => setKnown({ log, frame, selected, shown: undefined }),
  };
}

/** Returns the first request of the call that a frame belongs to, if it has this method and name. */
export function callOf(log: Log, frame: number, method: string, name: string): number | undefined {
  if (frame > log.size) return undefined;
  const request = requestOf(log, log.row(frame - 1)) ?? log.relations.ownerOf(frame);
  const call = request && log.relations.rootOf(request);
  return call !== undefined && isCall(log, call, method, name) ? call : undefined;
}

function isCall({ columns }: Log, seq: number, method: string, name?: string): boolean {
  return columns.method(seq - 1) === method && (name === undefined || columns.name(seq - 1) === name);
}

/** Returns the newest request of a call, which may be a retry or bring input that the server asked for. */
export function newestRound(log: Log, call: number): number {
  const method = log.columns.method(call - 1)!;
  const rounds = log.relations.membersOf(call, MOST_ROUNDS).filter((seq) => isCall(log, seq, method));
  return rounds.findLast((seq) => log.exchange(seq)) ?? call;
}
