import { split } from 'shlex';
import { parseLooseJson } from '@/lib/json/parse';
import type { Target } from './command';
import type { ConfigInput } from './config-inputs';
import { PROTOCOL_VERSIONS, type ProtocolChoice } from './lifecycle';
import { readServers } from './server-config';
import { bareUrl, isUrl } from './url';

/** A longer text is no command line: no system takes one, and splitting a word into its quotes is quadratic. */
const COMMAND_LINE_CHARACTERS = 64 * 1024;

/** One server found in a pasted text. */
export interface PastedServer {
  readonly name?: string;
  readonly target: Target;
  readonly protocol?: ProtocolChoice;
  /** `${…}` names that a host would have filled in; they are still in `target` as written. */
  readonly placeholders?: readonly string[];
  /** Inputs that these placeholders ask for. */
  readonly inputs?: readonly ConfigInput[];
  /** A file of variables that a host would read, as written. */
  readonly envFile?: string;
  /** Its config says that hosts are to leave it alone. */
  readonly disabled?: true;
  /** Why this one can't be connected, and what to do. */
  readonly problem?: string;
}

/** What a pasted text means. `problem` is the first thing to tell; nothing was understood if `targets` is empty. */
export interface PastedTargets {
  readonly targets: readonly PastedServer[];
  readonly problem?: string;
}

/**
 * Reads what a person types or pastes to say which server they mean: a command line (split into words as a POSIX shell
 * does, and never run by one), an http(s) URL, or a host's JSON config. Never throws.
 */
export function parseTarget(text: string): PastedTargets {
  const trimmed = text.replaceAll('\r\n', '\n').trim();
  if (trimmed === '') return nothing('There is nothing here yet. Type a command line, a URL or a JSON config.');
  if (JSON_START.test(trimmed)) return parseJson(trimmed);
  return parseCommandLine(trimmed);
}

function nothing(problem: string): PastedTargets {
  return { targets: [], problem };
}

/** An object, an array, or the inside of an object as READMEs show it: `"name": {`. */
const JSON_START = /^(?:[{[]|\/[/*]|"[^"\n]*"\s*:)/;

function parseJson(text: string): PastedTargets {
  const whole = text.startsWith('"') ? `{${text}}` : text;
  let json: unknown;
  try {
    json = parseLooseJson(whole);
  } catch (error) {
    return nothing(`This starts like JSON but isn’t: ${(error as Error).message}. Correct it or paste it again.`);
  }
  const { servers, problem } = readServers(json);
  const first = problem ?? servers.find((server) => server.problem)?.problem;
  return { targets: servers, ...(first && { problem: first }) };
}

/** What prompts put before a command in documentation. */
const PROMPT = /^(?:[$%>]|PS>)\s+/;
const ASSIGNMENT = /^([A-Za-z_][A-Za-z0-9_]*)=([\s\S]*)$/;

function parseCommandLine(text: string): PastedTargets {
  if (text.length > COMMAND_LINE_CHARACTERS) {
    return nothing(
      'This is too long for a command line, and it does not start like JSON. Type a command or paste a config.',
    );
  }
  let words: string[];
  try {
    words = split(text.replace(PROMPT, ''));
  } catch {
    return nothing('A quote or a backslash at the end of this command line is not finished. Close it.');
  }
  const env = new Map<string, string>();
  takeAssignments(words, env);
  const options = takeOwnPrefix(words, env);
  const [command, ...args] = words;
  if (!command) return nothing('There is no command here, only what comes before one. Add the command to run.');
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(command)) return parseUrl(command, args);
  const bare = args.length === 0 ? bareUrl(command) : undefined;
  if (bare) return bare.local ? parseUrl(bare.url, []) : nothing(missingScheme(command, bare.url));
  return {
    targets: [
      {
        target: {
          transport: 'stdio',
          command,
          args,
          ...(options.cwd !== undefined && { cwd: options.cwd }),
          ...(env.size > 0 && { env: Object.fromEntries(env) }),
        },
        ...(options.protocol && { protocol: options.protocol }),
      },
    ],
  };
}

/** Leading `KEY=value` words, as a shell takes them. */
function takeAssignments(words: string[], env: Map<string, string>): void {
  let count = 0;
  for (let match = ASSIGNMENT.exec(words[0] ?? ''); match; match = ASSIGNMENT.exec(words[count] ?? '')) {
    env.set(match[1]!, match[2]!);
    count++;
  }
  words.splice(0, count);
}

/** Options of our own command line that take a value, so that a pasted `npx mcp-inspect …` can be read past them. */
const VALUED = new Set([
  '--config',
  '--server',
  '--protocol',
  '--env',
  '--input',
  '--header',
  '-H',
  '--ca',
  '--cert',
  '--key',
  '--key-passphrase-env',
  '--cwd',
  '--port',
  '--host',
  '--keep',
]);

/** Takes `npx [-y] mcp-inspect [options] [--]` off, keeping what its options say about the server. */
function takeOwnPrefix(words: string[], env: Map<string, string>): { cwd?: string; protocol?: ProtocolChoice } {
  const at = words[0] === 'npx' ? words.findIndex((word) => !word.startsWith('-') && word !== 'npx') : 0;
  if (!/^mcp-inspect(@.*)?$/.test(words[at] ?? '')) return {};
  words.splice(0, at + 1);
  const found: { cwd?: string; protocol?: ProtocolChoice } = {};
  while (words[0]?.startsWith('-')) {
    const word = words.shift()!;
    if (word === '--') break;
    const equals = word.indexOf('=');
    const option = equals < 0 ? word : word.slice(0, equals);
    if (option === '--no-handshake') found.protocol = 'none';
    if (!VALUED.has(option)) continue;
    const value = (equals < 0 ? words.shift() : word.slice(equals + 1)) ?? '';
    if (option === '--cwd') found.cwd = value;
    if (option === '--protocol') found.protocol = PROTOCOL_VERSIONS.find((version) => version === value) ?? 'auto';
    const pair = option === '--env' && ASSIGNMENT.exec(value);
    if (pair) env.set(pair[1]!, pair[2]!);
  }
  return found;
}

function missingScheme(word: string, url: string): string {
  return `This looks like a URL without its scheme. Did you mean ${url}? For a program at this path, type ./${word}.`;
}

function parseUrl(text: string, rest: readonly string[]): PastedTargets {
  if (rest.length > 0) return nothing('A URL stands alone, but more words follow it. Take them away.');
  if (!isUrl(text)) {
    return nothing('This is not a http or https URL. Correct it, or type a command line.');
  }
  return { targets: [{ target: { transport: 'auto', url: text } }] };
}
