import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { schedulePaint } from '@/lib/client/log-feed';
import type { ColumnsReader } from '@/lib/store/columns/columns';
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

/** Plays a log from the shown moment to `last`, one step an animation frame. */
export function usePlay(
  log: Log,
  at: number,
  last: number,
  speed: Speed,
  onMove: (seq: number) => void,
): { readonly playing: boolean; readonly play: (playing: boolean) => void } {
  const [playing, setPlaying] = useState(false);
  const latest = useRef({ at, onMove });
  useEffect(() => {
    latest.current = { at, onMove };
  });
  useEffect(() => {
    if (!playing) return;
    let over = false;
    let ms = 0;
    let before = systemClock.now();
    const tick = () => {
      if (over) return;
      const now = systemClock.now();
      const to = playedTo(log.columns, { seq: latest.current.at, ms: ms + now - before }, last, speed);
      [ms, before] = [to.ms, now];
      if (to.seq !== latest.current.at) latest.current.onMove(to.seq);
      if (to.seq >= last) setPlaying(false);
      else schedulePaint(tick);
    };
    schedulePaint(tick);
    return () => {
      over = true;
    };
  }, [playing, log, last, speed]);
  return { playing, play: setPlaying };
}

/** Playback speeds. */
export const SPEEDS = ['×1', '×4', '×16'] as const;
export type Speed = (typeof SPEEDS)[number];

/** Longest pause between two played frames, in ms. Longer silence is skipped. */
const LONGEST_PAUSE_MS = 1000;

/** Returns the pause before the frame after `seq`, in ms. */
export function pauseAfter(columns: Pick<ColumnsReader, 'time'>, seq: number, speed: Speed): number {
  const us = columns.time(seq) - columns.time(seq - 1);
  return Math.min(LONGEST_PAUSE_MS, us / 1000 / Number(speed.slice(1)));
}

/** Returns the frame to show `ms` after frame `seq`, at most `last`, and the ms that are left over. */
export function playedTo(
  columns: Pick<ColumnsReader, 'time'>,
  { seq, ms }: { readonly seq: number; readonly ms: number },
  last: number,
  speed: Speed,
): { readonly seq: number; readonly ms: number } {
  let [at, left] = [seq, ms];
  while (at < last) {
    const pause = pauseAfter(columns, at, speed);
    if (pause > left) return { seq: at, ms: left };
    left -= pause;
    at++;
  }
  return { seq: last, ms: 0 };
}
