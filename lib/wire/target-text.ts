import { split } from 'shlex';
import { parseLooseJson } from '@/lib/json/parse';
import type { Target } from './command';
import type { ConfigInput } from './config-inputs';
import { PROTOCOL_VERSIONS, type ProtocolChoice } from './lifecycle';
import { readServers } from './server-config';
import { bareUrl, isUrl } from './url';

/** Characters of the longest command line. Systems accept no more, and splitting a quoted word is quadratic. */
const COMMAND_LINE_CHARACTERS = 64 * 1024;

/** A server found in pasted text. */
export interface PastedServer {
  readonly name?: string;
  readonly target: Target;
  readonly protocol?: ProtocolChoice;
  /** `${…}` names that a host would fill in. They stay as written in `target`. */
  readonly placeholders?: readonly string[];
  /** Inputs that these placeholders ask for. */
  readonly inputs?: readonly ConfigInput[];
  /** A file of variables that a host would read, as written. */
  readonly envFile?: string;
  /** The config disables this server. */
  readonly disabled?: true;
  /** Why mcp-inspect can't connect to it, and what to do. */
  readonly problem?: string;
}

/** The servers in pasted text. `problem` is the first problem found; `targets` is empty if nothing was understood. */
export interface PastedTargets {
  readonly targets: readonly PastedServer[];
  readonly problem?: string;
}

/**
 * Reads the server that a user typed or pasted: a command line, an http(s) URL, or a host's JSON config. Splits a
 * command line as a POSIX shell would, but never runs a shell. Never throws.
 */
export function parseTarget(text: string): PastedTargets {
  const trimmed = text.replaceAll('\r\n', '\n').trim();
  if (trimmed === '') return noTargets('Nothing entered. Type a command line, a URL or a JSON config.');
  if (JSON_START.test(trimmed)) return parseJson(trimmed);
  return parseCommandLine(trimmed);
}

function noTargets(problem: string): PastedTargets {
  return { targets: [], problem };
}

/** Matches an object, an array, or the inside of an object as in READMEs: `"name": {`. */
const JSON_START = /^(?:[{[]|\/[/*]|"[^"\n]*"\s*:)/;

function parseJson(text: string): PastedTargets {
  const whole = text.startsWith('"') ? `{${text}}` : text;
  let json: unknown;
  try {
    json = parseLooseJson(whole);
  } catch (error) {
    return noTargets(`Invalid JSON: ${(error as Error).message}. Correct it or paste it again.`);
  }
  const { servers, problem } = readServers(json);
  const first = problem ?? servers.find((server) => server.problem)?.problem;
  return { targets: servers, ...(first && { problem: first }) };
}

/** Prompts before a command in documentation. */
const PROMPT = /^(?:[$%>]|PS>)\s+/;
const ASSIGNMENT = /^([A-Za-z_][A-Za-z0-9_]*)=([\s\S]*)$/;

function parseCommandLine(text: string): PastedTargets {
  if (text.length > COMMAND_LINE_CHARACTERS) {
    return noTargets(
      'This is too long for a command line and does not start like JSON. Type a command or paste a config.',
    );
  }
  let words: string[];
  try {
    words = split(text.replace(PROMPT, ''));
  } catch {
    return noTargets(
      'This command line has an open quote, or a backslash at its end. Close the quote or remove the backslash.',
    );
  }
  const env = new Map<string, string>();
  takeAssignments(words, env);
  const options = takeOwnPrefix(words, env);
  const [command, ...args] = words;
  if (!command) return noTargets('The command is missing. Add the command to run.');
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(command)) return parseUrl(command, args);
  const bare = args.length === 0 ? bareUrl(command) : undefined;
  if (bare) return bare.local ? parseUrl(bare.url, []) : noTargets(missingScheme(command, bare.url));
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

/** Moves leading `KEY=value` words to `env`, as a shell does. */
function takeAssignments(words: string[], env: Map<string, string>): void {
  let count = 0;
  for (let match = ASSIGNMENT.exec(words[0] ?? ''); match; match = ASSIGNMENT.exec(words[count] ?? '')) {
    env.set(match[1]!, match[2]!);
    count++;
  }
  words.splice(0, count);
}

const CHOICES: readonly ProtocolChoice[] = [...PROTOCOL_VERSIONS, 'none'];

/** Options of mcp-inspect with a value, to skip in a pasted `npx mcp-inspect …`. */
const VALUED = new Set([
  '--config',
  '--server',
  '--input',
  '--protocol',
  '--transport',
  '--env',
  '--cwd',
  '--header',
  '-H',
  '--auth',
  '--tls',
  '--intercept',
  '--otel',
  '--port',
  '--listen',
  '--page',
  '--record',
  '--pins',
  '--on-save',
  '--to',
  '--s3',
  '--policy',
  '--mask',
  '--settings',
]);

/** Removes a leading `npx [-y] mcp-inspect [options] [--]`, and returns those options that describe the server. */
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
    if (!VALUED.has(option)) continue;
    const value = (equals < 0 ? words.shift() : word.slice(equals + 1)) ?? '';
    if (option === '--cwd') found.cwd = value;
    if (option === '--protocol') found.protocol = CHOICES.find((choice) => choice === value) ?? 'auto';
    const pair = option === '--env' && ASSIGNMENT.exec(value);
    if (pair) env.set(pair[1]!, pair[2]!);
  }
  return found;
}

function missingScheme(word: string, url: string): string {
  return `This looks like a URL without its scheme. Did you mean ${url}? For a program at this path, type ./${word}.`;
}

function parseUrl(text: string, rest: readonly string[]): PastedTargets {
  if (rest.length > 0) return noTargets('A URL must stand alone. Remove the words after it.');
  if (!isUrl(text)) {
    return noTargets('Not an http or https URL. Correct it, or type a command line.');
  }
  return { targets: [{ target: { transport: 'auto', url: text } }] };
}
