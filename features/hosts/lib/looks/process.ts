import type { Look } from '../fact';
import type { ProcessStart } from '../host-session';

/** Names in a question. */
const MOST_NAMES = 10;
const NAME_CHARS = 80;

/** Variables that the official SDKs pass to a server, in upper case. */
export const SDK_VARIABLES: ReadonlySet<string> = new Set(['HOME', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'USER']);

/**
 * Asks whether the config of the host sets the variables that a person gave to the server. `passes`: true for those
 * that the host passes on by itself, by name in upper case.
 */
export function variablesPassed(passes: (name: string) => boolean): Look {
  return ({ process }) => {
    // A tapped host chose the variables itself.
    if (!process || process.tap) return 'holds';
    const { added, inherited } = process.environment;
    const isLost = (name: string): boolean => !passes(name.toUpperCase());
    const lost = added.filter(isLost);
    if (lost.length > 0) {
      const shown = lost.slice(0, MOST_NAMES).map((name) => `\`${name.slice(0, NAME_CHARS)}\``);
      const more = lost.length > shown.length ? ` and ${lost.length - shown.length} more` : '';
      return { ask: `Does the config of the host set ${shown.join(', ')}${more}? The server got them here.` };
    }
    return inherited.some(isLost) ? { notSeen: 'environment' } : 'holds';
  };
}

/** Commands that download a package or an image before they first start it. */
const DOWNLOAD =
  /^(?:npx|pnpx|bunx|uvx|dnx|(?:pnpm|yarn) dlx|pipx run|uv tool run|uv x|(?:docker|podman) run)(?= |$)(?! --(?:no-install|offline)(?: |$))/;

/** True for a command that downloads what it starts, at least the first time. */
export function downloadsFirst({ command, args }: Pick<ProcessStart, 'command' | 'args'>): boolean {
  const program = command.replace(/^.*[\\/]/s, '').replace(/\.(?:cmd|exe)$/i, '');
  return DOWNLOAD.test([program, ...args.slice(0, 3)].join(' '));
}
