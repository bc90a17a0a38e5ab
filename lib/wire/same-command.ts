import type { Target } from './command';

/**
 * True if both start the very same command in the same directory, or reach the very same URL. Only then a target has what its base alone may have: the
 * shell's environment, and what placeholders stand for.
 */
export function sameCommand(one: Target, other: Target): boolean {
  if (one.transport !== 'stdio') return other.transport !== 'stdio' && one.url === other.url;
  return (
    other.transport === 'stdio' &&
    one.command === other.command &&
    one.cwd === other.cwd &&
    one.args.length === other.args.length &&
    one.args.every((arg, index) => arg === other.args[index])
  );
}
