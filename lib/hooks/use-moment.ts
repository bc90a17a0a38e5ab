import { useEffect, useSyncExternalStore } from 'react';
import type { Log } from '@/lib/store/log';
import { PastLog } from '@/lib/store/past-log';
import { systemClock } from '@/lib/wire/clock';
import { LIMITS } from '@/lib/wire/limits';
import { parseQuery } from './location-query';
import { navigate, useLocation } from './use-location';
import { useLog, useLogSize, useLogState } from './use-log';

/** A moment that was gone to, until the address has it: browsers take no address for each step of a drag. */
let pending: { readonly connection: string; readonly moment: number | undefined } | undefined;
let callOff = () => {};
const listeners = new Set<() => void>();

/** Shows the state of a connection as it was after frame `moment`; undefined: as it is now. */
export function setMoment(connection: string, moment: number | undefined): void {
  pending = { connection, moment };
  callOff();
  callOff = systemClock.after(LIMITS.momentSettledMs, () => {
    const shown = parseQuery(window.location.search).connection;
    if (shown === undefined || shown === connection) navigate({ moment }, { replace: true });
    pending = undefined;
    tell();
  });
  tell();
}

function tell(): void {
  for (const listener of [...listeners]) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** seq of the frame that is to be the newest in what is shown; undefined: all of the log, as always while it may still grow. */
export function useMoment(log: Log): number | undefined {
  const { moment } = useLocation();
  const asked = useSyncExternalStore(
    subscribe,
    () => pending,
    () => undefined,
  );
  const size = useLogSize(log);
  const ended = useLogState(log, hasEnded);
  const wanted = asked?.connection === log.connection ? asked.moment : moment;
  return ended && wanted !== undefined && wanted < size ? wanted : undefined;
}

/** Only of a connection that is over the past is shown: nothing can be sent then. */
export function hasEnded({ connection: { state } }: Log['state']): boolean {
  return state === 'closed' || state === 'failed';
}

/** One a log, while a moment of it is shown. */
const pasts = new WeakMap<Log, PastLog>();

function pastOf(log: Log): PastLog {
  const known = pasts.get(log);
  if (known) return known;
  const past = new PastLog(log, systemClock);
  pasts.set(log, past);
  return past;
}

const nothing = () => () => {};

/** The log at the moment that is shown, once there is one, and how far the way there is done, 0 to 1. */
export function usePast(log: Log): { readonly past: Log | undefined; readonly progress: number } {
  const moment = useMoment(log);
  const past = moment === undefined ? undefined : pastOf(log);
  useEffect(() => {
    if (moment === undefined) pasts.delete(log);
    else pastOf(log).move(moment);
  }, [log, moment]);
  const listen = past?.subscribe ?? nothing;
  const shown = useSyncExternalStore(listen, () => (past && past.log.size > 0 ? past.log : undefined));
  const progress = useSyncExternalStore(listen, () => past?.progress ?? 1);
  return { past: shown, progress };
}

/** A connection's log, or what it was at the moment that is shown. */
export function useShownLog(connection: string): Log {
  const log = useLog(connection);
  return usePast(log).past ?? log;
}
