const UNITS = ['B', 'KB', 'MB', 'GB', 'TB'];

/** Bytes with a unit, in powers of 1000: `84 B`, `1.2 KB`. */
export function formatSize(bytes: number): string {
  const unit = bytes < 1000 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(bytes) / 3));
  return `${unit === 0 ? bytes : (bytes / 1000 ** unit).toFixed(1)} ${UNITS[unit]}`;
}

/** Microseconds as people count them: `0.4 s`, `3:05`, `2:03:05`. */
export function formatSpan(us: number): string {
  const seconds = us / 1_000_000;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  const two = (value: number) => String(value).padStart(2, '0');
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`;
}
