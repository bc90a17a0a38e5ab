import { useEffect, useSyncExternalStore } from 'react';
import type { Log } from '@/lib/store/log';
import { PastLog } from '@/lib/store/past-log';
import { systemClock } from '@/lib/wire/clock';
import { navigate, parseQuery, useLocation } from './location';
import { useLog, useLogSize, useLogState } from './log';

/** Quiet time after which a moment goes into the URL, in ms: browsers limit how often a page may change its URL. */
const MOMENT_SETTLED_MS = 250;

/** A moment that is not in the URL yet, since browsers limit how often the URL may change during a drag. */
let pending: { readonly connection: string; readonly moment: number | undefined } | undefined;
let callOff = () => {};
const listeners = new Set<() => void>();

/** Shows a connection's state after frame `moment`; undefined for the present state. */
export function setMoment(connection: string, moment: number | undefined): void {
  pending = { connection, moment };
  callOff();
  callOff = systemClock.after(MOMENT_SETTLED_MS, () => {
    const shown = parseQuery(window.location.search).connection;
    if (shown === undefined || shown === connection) navigate({ moment }, { replace: true });
    pending = undefined;
    notifyListeners();
  });
  notifyListeners();
}

function notifyListeners(): void {
  for (const listener of [...listeners]) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Returns the seq of the newest frame to show. undefined for the whole log, as always while the connection is open. */
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

/** The past is shown only after the connection's end, when nothing can be sent. */
export function hasEnded({ connection: { state } }: Log['state']): boolean {
  return state === 'closed' || state === 'failed';
}

/** The past state of each log that shows a moment. */
const pasts = new WeakMap<Log, PastLog>();

function pastOf(log: Log): PastLog {
  const known = pasts.get(log);
  if (known) return known;
  const past = new PastLog(log, systemClock);
  pasts.set(log, past);
  return past;
}

const nothing = () => () => {};

/** Returns the log at the shown moment, once it is computed, and the progress of that, 0 to 1. */
export function usePast(log: Log): { readonly past: Log | undefined; readonly progress: number } {
  const moment = useMoment(log);
  const past = moment === undefined ? undefined : pastOf(log);
  useEffect(() => {
    if (moment === undefined) pasts.delete(log);
    else pastOf(log).moveTo(moment);
  }, [log, moment]);
  const listen = past?.subscribe ?? nothing;
  const shown = useSyncExternalStore(listen, () => (past && past.log.size > 0 ? past.log : undefined));
  const progress = useSyncExternalStore(listen, () => past?.progress ?? 1);
  return { past: shown, progress };
}

/** Returns a connection's log at the shown moment. */
export function useShownLog(connection: string): Log {
  const log = useLog(connection);
  return usePast(log).past ?? log;
}
