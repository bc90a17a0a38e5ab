/** Sizes, counts and durations as text, the same on the page, in the terminal and in reports. */

const UNITS = ['B', 'KB', 'MB', 'GB', 'TB'];
const count = new Intl.NumberFormat('en-US');

/** Formats bytes in powers of 1000, with at most three digits before the point: "84 B", "1.2 KB", "12.4 MB". */
export function formatBytes(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 999.5 && unit < UNITS.length - 1) {
    value /= 1000;
    unit++;
  }
  return `${unit === 0 || value >= 99.95 ? Math.round(value) : value.toFixed(1)} ${UNITS[unit]}`;
}

/** Formats bytes that are done of all: "12 MB of 80 MB". */
export function progressText({ done, of }: { readonly done: number; readonly of: number }): string {
  return `${formatBytes(done)} of ${formatBytes(of)}`;
}

/** Formats a count with separators: "31,882". */
export function formatCount(value: number): string {
  return count.format(value);
}

/** Formats microseconds with a fitting unit: "640 µs", "1.4 ms", "140 ms", "2.31 s", "3 min 05 s". */
export function formatDuration(us: number): string {
  if (us < 999.5) return `${Math.round(us)} µs`;
  const ms = us / 1000;
  if (ms < 99.95) return `${ms.toFixed(1)} ms`;
  if (ms < 999.5) return `${Math.round(ms)} ms`;
  const seconds = ms / 1000;
  if (seconds < 59.995) return `${seconds.toFixed(2)} s`;
  const whole = Math.round(seconds);
  return `${Math.floor(whole / 60)} min ${twoDigits(whole % 60)} s`;
}

/** Formats microseconds that go on, in whole seconds: "3 s", "3 min 05 s"; '' below a second. */
export function formatElapsed(us: number): string {
  const seconds = Math.floor(us / 1_000_000);
  if (seconds < 60) return seconds < 1 ? '' : `${seconds} s`;
  return `${Math.floor(seconds / 60)} min ${twoDigits(seconds % 60)} s`;
}

/** Formats microseconds for a column of whole recordings: "0.4 s", "3:05", "2:03:05". */
export function formatLength(us: number): string {
  const seconds = us / 1_000_000;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  return hours > 0 ? `${hours}:${twoDigits(minutes)}:${twoDigits(whole % 60)}` : `${minutes}:${twoDigits(whole % 60)}`;
}

/** Formats a time as the local time of day: "12:04:05"; '' for an invalid one. `at`: ISO 8601, or ms since 1970. */
export function formatClock(at: string | number): string {
  const date = new Date(at);
  return Number.isNaN(date.getTime()) ? '' : date.toTimeString().slice(0, 8);
}

/** Formats a time like {@link formatClock}, to the millisecond: "12:04:05.210". */
export function formatClockMs(ms: number): string {
  const clock = formatClock(ms);
  return clock && `${clock}.${String(new Date(ms).getMilliseconds()).padStart(3, '0')}`;
}

/** Formats a time as the local date and time of day: "2026-03-14 12:04:05"; '' for an invalid one. */
export function formatDate(at: string | number): string {
  const date = new Date(at);
  const day = [date.getFullYear(), twoDigits(date.getMonth() + 1), twoDigits(date.getDate())].join('-');
  const clock = formatClock(at);
  return clock && `${day} ${clock}`;
}

/** Formats microseconds since a log began, to the millisecond: "+4.210 s", "+12:04.210" from a minute on. */
export function formatTime(us: number): string {
  const ms = Math.floor(us / 1000);
  const seconds = Math.floor(ms / 1000) % 60;
  const rest = String(ms % 1000).padStart(3, '0');
  if (ms < 60_000) return `+${seconds}.${rest} s`;
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 60) return `+${minutes}:${twoDigits(seconds)}.${rest}`;
  return `+${Math.floor(minutes / 60)}:${twoDigits(minutes % 60)}:${twoDigits(seconds)}.${rest}`;
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0');
}

/** Formats a number with its noun: "1 message", "2,000 messages". */
export function countOf(value: number, noun: string): string {
  return `${formatCount(value)} ${value === 1 ? noun : `${noun}s`}`;
}
