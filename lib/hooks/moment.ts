import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { schedulePaint } from '@/lib/client/log-feed';
import type { ColumnsReader } from '@/lib/store/columns/columns';
import type { Log } from '@/lib/store/log';
import { PastLog } from '@/lib/store/past-log';
import { systemClock } from '@/lib/wire/clock';
import { navigate, parseQuery, useLocation } from './location';
import { useLog, useLogSize, useLogState } from './log';

const MOMENT_SETTLED_MS = 250;

/** A moment that was gone to, until the address has it: browsers take no address for each step of a drag. */
let pending: { readonly connection: string; readonly moment: number | undefined } | undefined;
let callOff = () => {};
const listeners = new Set<() => void>();

/** Shows the state of a connection as it was after frame `moment`; undefined: as it is now. */
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
    else pastOf(log).moveTo(moment);
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

/** Plays a log from where it stands, a picture a frame of the screen. It ends by itself at `last`. */
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

/** How fast the past is played: times as fast as it was. */
export const SPEEDS = ['×1', '×4', '×16'] as const;
export type Speed = (typeof SPEEDS)[number];

/** Nobody waits longer than this for the next frame, in ms: what was silence is skipped. */
const LONGEST_PAUSE_MS = 1000;

/** Ms until the next frame after `seq` is to be shown. */
export function pauseAfter(columns: Pick<ColumnsReader, 'time'>, seq: number, speed: Speed): number {
  const us = columns.time(seq) - columns.time(seq - 1);
  return Math.min(LONGEST_PAUSE_MS, us / 1000 / Number(speed.slice(1)));
}

/** The frame to show when `ms` have passed since `seq` was, and how many of them are left over. Never beyond `last`. */
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
