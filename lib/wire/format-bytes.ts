const UNITS = ['B', 'KB', 'MB', 'GB', 'TB'];

/** Bytes with a unit, three digits at most before it: "84 B", "1.2 KB", "12.4 MB". Powers of 1000, as everywhere a person reads a size. */
export function formatBytes(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 999.5 && unit < UNITS.length - 1) {
    value /= 1000;
    unit++;
  }
  return `${unit === 0 || value >= 99.95 ? Math.round(value) : value.toFixed(1)} ${UNITS[unit]}`;
}
