import { isSecretField } from '@/lib/wire/header-fields';
import { MASK } from '@/lib/wire/http-frame';

/** A command's arguments without the values of flags that are named like secrets: `--api-key=…`, `--token …`. */
export function maskArgs(args: readonly string[]): readonly string[] {
  return args.map((arg, index) => {
    const inline = /^(--?[^=]+)=/.exec(arg);
    if (inline && isSecretField(flagName(inline[1]!))) return `${inline[1]}=${MASK}`;
    const before = args[index - 1];
    const follows = before !== undefined && /^--?[^=]+$/.test(before) && isSecretField(flagName(before));
    return follows && !arg.startsWith('-') ? MASK : arg;
  });
}

function flagName(flag: string): string {
  return flag.replace(/^-+/, '');
}
