import { useEffect, useRef, useState } from 'react';
import { schedulePaint } from '@/lib/client/log-feed';
import type { ColumnsReader } from '@/lib/store/columns/columns';
import type { Log } from '@/lib/store/log';
import { systemClock } from '@/lib/wire/clock';

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
