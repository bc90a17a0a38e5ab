/** A value as JSON on one line; a value nested too deep to be written is said to be that. Never throws. */
export function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? '';
  } catch {
    return '"(nested too deep to be shown; --json has it)"';
  }
}
