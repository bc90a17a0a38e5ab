/** A duration as the log of the page has it, so that people find it there: "412 µs", "2.4 ms", "2.01 s", "3 min 05 s". */
export function durationWords(us: number): string {
  const ms = us / 1000;
  if (us < 999.5) return `${Math.round(us)} µs`;
  if (ms < 999.5) return `${ms < 99.95 ? ms.toFixed(1) : Math.round(ms)} ms`;
  if (ms < 59_995) return `${(ms / 1000).toFixed(2)} s`;
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)} min ${String(seconds % 60).padStart(2, '0')} s`;
}
