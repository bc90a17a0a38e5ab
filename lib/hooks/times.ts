import { useMemo } from 'react';
import type { Log } from '@/lib/store/log';
import { formatClockMs, formatTime } from '@/lib/wire/format';
import { useLogState } from './log';
import { useSettings } from './settings';

/** Formats times of a log, in µs since its connection started. */
export interface LogTimes {
  /** As the settings say: `+4.210 s` or `12:04:05.210`. */
  readonly shown: (us: number) => string;
  /** The other way, for a hint. */
  readonly other: (us: number) => string;
  /** Start of the log in ms since 1970 if times of day are shown; undefined for times since the start. */
  readonly startMs: number | undefined;
}

/** Returns the formats for a log's times. Times are relative until the time of the start is known. */
export function useLogTimes(log: Log): LogTimes {
  const at = useLogState(log, ({ connection }) => connection.start?.at);
  const { timestamps } = useSettings();
  return useMemo(() => logTimes(at, timestamps), [at, timestamps]);
}

/** Returns the formats for a log that started `at`, an ISO 8601 time. */
export function logTimes(at: string | undefined, timestamps: 'relative' | 'absolute'): LogTimes {
  const startMs = at === undefined ? Number.NaN : Date.parse(at);
  const clock = Number.isNaN(startMs) ? formatTime : (us: number) => formatClockMs(startMs + us / 1000);
  return timestamps === 'absolute' && clock !== formatTime
    ? { shown: clock, other: formatTime, startMs }
    : { shown: formatTime, other: clock, startMs: undefined };
}
