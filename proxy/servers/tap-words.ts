import { existsSync } from 'node:fs';
import { dirname, posix, win32 } from 'node:path';
import type { ConfigEntry } from '@/lib/wire/server-config';

/** The mcp-inspect that runs now, as a host can start it. */
export interface OwnProgram {
  /** Folder of the built bin. */
  readonly home: string;
  readonly version: string;
  /** Absolute path of node. */
  readonly node: string;
  readonly platform: NodeJS.Platform;
}

/** The words of an entry that starts a tap, split at the `--` before the command of the server. */
export interface TapWords {
  /** From the command of the entry to the `--`. */
  readonly ours: readonly string[];
  /** Command and arguments of the server. Empty for a tap of a URL. */
  readonly server: readonly string[];
}

/** Folders of packages that npx, pnpm, Yarn or Bun download to run them once, and delete some day. */
const DOWNLOADED = /[\\/](?:_npx|dlx|dlx-[^\\/]*|bunx-[^\\/]*)[\\/]/;

/** Characters that `cmd` gives a meaning, even between quotes. */
const CMD_SYNTAX = /[%!^"&|<>\r\n]/;

/**
 * Returns the words that start a tap, up to the `--` before the server’s command. `wrong`: a sentence that says why
 * this server can’t be started that way.
 */
export function tapWords(
  { home, version, node, platform }: OwnProgram,
  { host, name, server }: { readonly host: string; readonly name: string; readonly server: readonly string[] },
): { readonly words: readonly string[] } | { readonly wrong: string } {
  const tap = ['tap', '--host', host, '--name', name, '--'];
  const { join: joined } = platform === 'win32' ? win32 : posix;
  const cli = joined(home, 'cli.js');
  if (!DOWNLOADED.test(cli)) return { words: [node, cli, ...tap] };
  const npx = ['npx', '-y', `mcp-inspect@${version}`, ...tap];
  if (platform !== 'win32') return { words: npx };
  // There npx is a script that only cmd can start.
  return [name, ...server].some((word) => CMD_SYNTAX.test(word))
    ? {
        wrong: 'Its name, command or arguments have a character that `cmd` would change. Install mcp-inspect with npm.',
      }
    : { words: ['cmd', '/c', ...npx] };
}

/** Programs that start mcp-inspect, and words between them and it. Another program must not pass for a tap. */
const LAUNCHER = /(?:^|[\\/])(?:node[\w.-]*|npx|pnpm|pnpx|yarn|bun|bunx|cmd)(?:\.exe|\.cmd)?$/i;
const BETWEEN = /^(?:-[\w-]+|\/c|npx|dlx|exec|x)$/;
const OURS = /(?:^|[\\/])mcp-inspect(?:@[^\\/]*)?(?:\.(?:cmd|exe))?$/;
const OUR_BIN = /[\\/]cli\.js$/;
/** Most words before `tap`: `cmd /c npx -y mcp-inspect@1.2.3`. */
const MOST_BEFORE = 5;

/** Reads command and arguments of an entry. undefined: they start no tap. */
export function readTap(words: readonly string[]): TapWords | undefined {
  const tap = words.indexOf('tap', 1);
  if (tap < 0 || tap > MOST_BEFORE || !startsUs(words.slice(0, tap), words)) return undefined;
  const end = words.indexOf('--', tap);
  return end < 0 ? { ours: words, server: [] } : { ours: words.slice(0, end + 1), server: words.slice(end + 1) };
}

function startsUs(before: readonly string[], words: readonly string[]): boolean {
  const program = before.at(-1)!;
  // Other packages have a `cli.js` too, but not this option.
  const isOurBin = OUR_BIN.test(program) && (/mcp-inspect/.test(program) || words.includes('--host'));
  if (!OURS.test(program) && !isOurBin) return false;
  const [launcher, ...between] = before.slice(0, -1);
  return launcher === undefined || (LAUNCHER.test(launcher) && between.every((word) => BETWEEN.test(word)));
}

/** Returns the tap that an entry starts, if it does. */
export function tapOf({ target }: ConfigEntry): TapWords | undefined {
  return target.transport === 'stdio' ? readTap([target.command, ...target.args]) : undefined;
}

/** Returns an entry with its server’s own command in place of a tap around it. */
export function withoutTap(entry: ConfigEntry): ConfigEntry {
  const [command, ...args] = tapOf(entry)?.server ?? [];
  return command === undefined ? entry : { ...entry, target: { ...entry.target, transport: 'stdio', command, args } };
}

/** Returns the first file that a tap needs and that does not exist. */
export function missingFile({ ours }: TapWords): string | undefined {
  const until = ours.indexOf('tap');
  return ours.slice(0, until).find((word) => isAbsolute(word) && !existsSync(word));
}

/** `/c` is an option of cmd. */
function isAbsolute(word: string): boolean {
  return /^[A-Za-z]:[\\/]/.test(word) || (word.startsWith('/') && dirname(word) !== '/');
}
