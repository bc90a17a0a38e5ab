import { isSecretField } from '@/lib/wire/header-fields';
import { MASK } from '@/lib/wire/http-frame';
import type { LifecycleEvent } from '@/lib/wire/lifecycle';

/**
 * A lifecycle frame's text without secrets: in the command of a `start`, the values of flags that are named like them. Any
 * other comes back as it is.
 */
export function maskStart(text: string): string {
  const event = JSON.parse(text) as LifecycleEvent;
  if (event.event !== 'start' || event.transport !== 'stdio') return text;
  return JSON.stringify({ ...event, args: maskArgs(event.args) });
}

function maskArgs(args: readonly string[]): readonly string[] {
  return args.map((arg, index) => {
    const inline = /^(--?[^=]+)=/.exec(arg);
    if (inline && isSecretField(flagName(inline[1]!))) return `${inline[1]}=${MASK}`;
    const before = args[index - 1];
    const follows = before !== undefined && /^--?[^=]+$/.test(before) && isSecretField(flagName(before));
    return follows && !arg.startsWith('-') ? MASK : arg;
  });
}

/** What of a command's arguments {@link maskStart} takes out. */
export function secretFlagValues(args: readonly string[]): readonly string[] {
  return maskArgs(args).flatMap((masked, index) => {
    const arg = args[index]!;
    return masked === arg ? [] : [arg.slice(masked.length - MASK.length)];
  });
}

function flagName(flag: string): string {
  return flag.replace(/^-+/, '');
}
