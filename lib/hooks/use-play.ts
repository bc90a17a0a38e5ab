import { useEffect, useRef, useState } from 'react';
import { paint } from '@/lib/client/paint';
import type { Log } from '@/lib/store/log';
import { systemClock } from '@/lib/wire/clock';
import { playedTo, type Speed } from './playing';

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
      else paint(tick);
    };
    paint(tick);
    return () => {
      over = true;
    };
  }, [playing, log, last, speed]);
  return { playing, play: setPlaying };
}
