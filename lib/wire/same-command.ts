import type { Target } from './command';

/**
 * True if both start the very same command in the same directory. Only then a target has what its base alone may have: the
 * shell's environment, and what placeholders stand for.
 */
export function sameCommand(one: Target, other: Target): boolean {
  return (
    one.transport === 'stdio' &&
    other.transport === 'stdio' &&
    one.command === other.command &&
    one.cwd === other.cwd &&
    one.args.length === other.args.length &&
    one.args.every((arg, index) => arg === other.args[index])
  );
}
