import { usageError } from './exit-code';

/** The longest time that an option can name, in milliseconds. */
const LONGEST_MS = 24 * 60 * 60_000;

/** Reads the seconds after an option, and returns milliseconds. Throws an ExitError. */
export function readSeconds(option: string, text: string): number {
  const ms = /^\d{1,9}(?:\.\d{1,3})?$/.test(text) ? Math.round(Number(text) * 1000) : Number.NaN;
  if (ms > 0 && ms <= LONGEST_MS) return ms;
  throw usageError(`\`--${option} ${text}\` is invalid: give a number of seconds above 0, up to ${LONGEST_MS / 1000}.`);
}
