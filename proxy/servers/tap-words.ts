import { existsSync } from 'node:fs';
import { dirname, posix, win32 } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { isObject, own } from '@/lib/json/value';
import type { ConfigEntry } from '@/lib/wire/server-config';
import { readNamedFileNow } from '@/proxy/files/user-files';
import { readTapWords } from './tap-line';

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
  /** Command and arguments of the server. */
  readonly server: readonly string[];
}

/** The server that a tap is put around. */
interface WantedTap {
  readonly host: string;
  readonly name: string;
  readonly server: readonly string[];
  /** Further options of the tap. */
  readonly options?: readonly string[];
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
  { host, name, server, options = [] }: WantedTap,
): { readonly words: readonly string[] } | { readonly wrong: string } {
  const tap = ['tap', '--host', host, ...namedBy(name), ...options, '--'];
  const words = startWords({ home, version, node, platform }, tap);
  // With `cmd`, which only Windows has, some characters would change.
  return words[0] === 'cmd' && [name, ...options, ...server].some((word) => CMD_SYNTAX.test(word))
    ? {
        wrong: 'Its name, command or arguments have a character that `cmd` would change. Install mcp-inspect with npm.',
      }
    : { words };
}

/** Returns the words with which a host starts this mcp-inspect, with further words. */
export function startWords(
  { home, version, node, platform }: OwnProgram,
  further: readonly string[],
): readonly string[] {
  const { join: joined } = platform === 'win32' ? win32 : posix;
  const cli = joined(home, 'cli.js');
  if (!DOWNLOADED.test(cli)) return [node, cli, ...further];
  const npx = ['npx', '-y', `mcp-inspect@${version}`, ...further];
  // On Windows npx is a script that only cmd can start.
  return platform === 'win32' ? ['cmd', '/c', ...npx] : npx;
}

/** The tap makes a name from the command for a server whose name no argument can have. */
function namedBy(name: string): readonly string[] {
  if (name === '' || name.includes('\0')) return [];
  // The tap takes a dash at the start of a word for that of an option.
  return name.startsWith('-') ? [`--name=${name}`] : ['--name', name];
}

/** Node, as install writes it before the path of our bin. */
const NODE = /(?:^|[\\/])(?:node[\w.-]*|bun)(?:\.exe)?$/i;
/** Our bin where a package manager puts it. */
const INSTALLED_BIN = /[\\/]mcp-inspect[\\/]dist[\\/]cli\.js$/;
/** Our command, and programs that download it. Packages of a scope can have the same last name. */
const OUR_COMMAND = /^(?:.*[\\/])?mcp-inspect(?:\.cmd|\.exe)?$/;
const DOWNLOAD =
  /^(?:cmd \/c )?(?:npx(?:\.cmd)?(?: -y| --yes)?|pnpm dlx|pnpx|yarn dlx|bunx) mcp-inspect(?:@[\w.^~-]+)?$/;
/** Most bytes of a package.json that is read. */
const PACKAGE_BYTES = 1024 * 1024;

/**
 * Reads command and arguments of an entry, as the tap itself would. undefined: they start no tap, or not certainly
 * one of ours. `noted`: the words that an install wrote, which are ours wherever our bin was.
 */
export function readTap(words: readonly string[], noted?: readonly string[]): TapWords | undefined {
  const tap = words.indexOf('tap', 1);
  const line = tap < 0 ? undefined : readTapWords(words.slice(tap + 1));
  if (!line) return undefined;
  const ours = words.slice(0, words.length - line.command.length);
  const isOurs = isDeepStrictEqual(ours, noted) || startsUs(words.slice(0, tap));
  return isOurs ? { ours, server: line.command } : undefined;
}

function startsUs(before: readonly string[]): boolean {
  const [first = '', second = ''] = before;
  if (before.length === 1) return OUR_COMMAND.test(first);
  if (before.length === 2 && NODE.test(first) && isOurBin(second)) return true;
  return before.every((word) => !word.includes(' ')) && DOWNLOAD.test(before.join(' '));
}

/** Other programs have a `cli.js` too. A clone can have any name, so its package.json says whose it is. */
function isOurBin(path: string): boolean {
  if (INSTALLED_BIN.test(path)) return true;
  const [folder] = /^.*[\\/](?=dist[\\/]cli\.js$)/s.exec(path) ?? [];
  if (folder === undefined || !isAbsolute(path)) return false;
  const { text } = readNamedFileNow(`${folder}package.json`, PACKAGE_BYTES);
  try {
    const manifest: unknown = JSON.parse(text ?? '');
    return isObject(manifest) && own(manifest, 'name') === 'mcp-inspect';
  } catch {
    return false;
  }
}

/** Returns true for an entry that starts `mcp-inspect mcp`. */
export function isAgentServer({ target }: ConfigEntry): boolean {
  if (target.transport !== 'stdio') return false;
  const words = [target.command, ...target.args];
  const at = words.indexOf('mcp', 1);
  return at > 0 && startsUs(words.slice(0, at));
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

/** Returns the words of a tap with the start of another one: its own options stay. */
export function restarted({ ours }: TapWords, words: readonly string[]): readonly string[] {
  return [...words.slice(0, words.indexOf('tap')), ...ours.slice(ours.indexOf('tap', 1))];
}

/** Returns the first file that a tap needs and that does not exist. */
export function missingFile({ ours }: TapWords): string | undefined {
  const until = ours.indexOf('tap', 1);
  return ours.slice(0, until).find((word) => isAbsolute(word) && !existsSync(word));
}

/** `/c` is an option of cmd. */
function isAbsolute(word: string): boolean {
  return /^[A-Za-z]:[\\/]/.test(word) || (word.startsWith('/') && dirname(word) !== '/');
}
