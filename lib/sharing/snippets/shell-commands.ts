import { quote } from 'shlex';
import { compactJson } from '@/lib/json/exact';
import { type ClientProfile, tidyProfile } from '@/lib/wire/client-profile';
import { HIDDEN_CHARACTERS } from '@/lib/wire/control-characters';
import { MASK, type ShownHeaders } from '@/lib/wire/http-frame';
import {
  type DescribedRequest,
  environmentVariable,
  hasOnly,
  nonEmptyString,
  paramText,
  type Start,
} from './described-request';

/** The names of lists in `mcp-inspect list`. */
const LISTS: ReadonlyMap<string, string> = new Map([
  ['tools/list', 'tools'],
  ['resources/list', 'resources'],
  ['resources/templates/list', 'templates'],
  ['prompts/list', 'prompts'],
]);

/** Returns a request as an mcp-inspect command for a POSIX shell. Secrets are variables to set. */
export function inspectCommandText(request: DescribedRequest): string {
  return ['npx', 'mcp-inspect', ...wordsOf(request), ...clientWords(request), ...serverWords(request.start)].join(' ');
}

/**
 * Requests with a subcommand of their own: the member of params that it takes, and whether `--args` gives `arguments`.
 */
const ABOUT_ONE: ReadonlyMap<string, { readonly word: string; readonly member: string; readonly takes: boolean }> =
  new Map([
    ['tools/call', { word: 'call', member: 'name', takes: true }],
    ['prompts/get', { word: 'prompt', member: 'name', takes: true }],
    ['resources/read', { word: 'read', member: 'uri', takes: false }],
  ]);

/** Returns the subcommand with quoted words: `raw` for requests that no other can express. */
function wordsOf({ method, params, task }: DescribedRequest): readonly string[] {
  const list = LISTS.get(method);
  if (list !== undefined && params === undefined) return ['list', list];
  const one = ABOUT_ONE.get(method);
  const name = one && nonEmptyString(paramText(params, one.member));
  const args = paramText(params, 'arguments');
  const wish = method === 'tools/call' ? taskWords(paramText(params, 'task') ?? (task && JSON.stringify(task))) : [];
  const members = [...(one?.takes ? ['arguments'] : []), ...(wish && wish.length > 0 ? ['task'] : [])];
  const whole = one && wish && hasOnly(params, [one.member, ...members]);
  // Commands read a word with a leading dash as an option, and `read` one like `skill:a` as the name of a skill.
  const isPlain = name !== undefined && !name.startsWith('-') && !/^skill:(?!\/\/)/.test(name);
  if (one && whole && isPlain && (args === undefined || args.startsWith('{'))) {
    const given = args === undefined ? [] : ['--args', shellQuote(compactJson(args))];
    return [one.word, shellQuote(name), ...given, ...wish];
  }
  const rest = params === undefined ? '' : `,"params":${compactJson(params)}`;
  return ['raw', shellQuote(`{"jsonrpc":"2.0","id":1,"method":${JSON.stringify(method)}${rest}}`)];
}

/** Returns the options for a task of a call; undefined for one that they can't express. */
function taskWords(task: string | undefined): readonly string[] | undefined {
  if (task === undefined) return [];
  if (!hasOnly(task, ['ttl'])) return undefined;
  const ttl = paramText(task, 'ttl');
  if (ttl === undefined) return ['--task', 'auto'];
  return /^\d{1,15}$/.test(ttl) ? ['--task', ttl] : undefined;
}

/** Returns the options that present the same client: without them, a subcommand declares no capability. */
function clientWords({ profile, start }: DescribedRequest): readonly string[] {
  const { capabilities, info = {}, meta, timeouts, as } = tidyProfile(profile);
  const declared = capabilities === undefined ? 'all' : shellQuote(JSON.stringify(capabilities));
  const named = Object.keys(info).length === 0 ? [] : ['--client', shellQuote(clientWord(info))];
  return [
    ...(as === undefined ? [] : ['--as', as]),
    ...(start.protocol === 'none' ? [] : ['--capabilities', declared, ...named]),
    ...(meta === undefined ? [] : ['--meta', shellQuote(JSON.stringify(meta))]),
    ...(timeouts?.silenceMs === undefined ? [] : ['--request-timeout', String(timeouts.silenceMs / 1000)]),
  ];
}

/** Returns NAME@VERSION, or JSON for what that can’t say. */
function clientWord({ name, version, ...others }: NonNullable<ClientProfile['info']>): string {
  const isPlain =
    name !== undefined && !/^\{|@/.test(name) && Object.keys(others).length === 0 && !version?.includes('@');
  if (!isPlain) return JSON.stringify({ name, ...others, version });
  return version === undefined ? name : `${name}@${version}`;
}

/** Returns the options and words that name the server of a recording. Secrets are variables to set. */
export function serverWords(start: Start): readonly string[] {
  const protocol = start.protocol === 'auto' ? [] : ['--protocol', start.protocol];
  if (start.transport === 'stdio') {
    const clean = start.environment.policy === 'allowlist' ? ['--env', 'minimal'] : [];
    const cwd = start.cwd === '' ? [] : ['--cwd', shellQuote(start.cwd)];
    const env = start.environment.added.flatMap((name) => [
      '--env',
      `${shellQuote(`${name}=`)}"$${environmentVariable(name)}"`,
    ]);
    return [...protocol, ...clean, ...cwd, ...env, '--', ...[start.command, ...start.args].map(shellQuote)];
  }
  const headers = start.headerNames.flatMap((name) => [
    '--header',
    `${shellQuote(`${name}: `)}"$${environmentVariable(name)}"`,
  ]);
  const transport = start.transport === 'sse' ? ['--transport', 'sse'] : [];
  return [...protocol, ...transport, ...headers, shellQuote(start.url)];
}

/** Headers that curl sets itself, and headers that belong to one connection. */
const NOT_SENT = new Set(['host', 'content-length', 'connection', 'accept-encoding', 'transfer-encoding']);

/** Returns a POST of a message as a curl command. Masked values in headers and URL are variables to set. */
export function curlText(url: string, headers: ShownHeaders, body: string): string {
  const lines = headers
    .filter(([name]) => !NOT_SENT.has(name.toLowerCase()))
    .map(([name, value]) =>
      value.includes(MASK)
        ? `  -H ${shellQuote(`${name}: `)}"$${environmentVariable(name)}"`
        : // To curl, `X:` means to leave the header out. `X;` sends it empty.
          `  -H ${shellQuote(value === '' ? `${name};` : `${name}: ${value}`)}`,
    );
  // Without -g, curl expands braces and brackets to several URLs.
  return [`curl -gsN ${urlWord(url)}`, ...lines, `  --data-raw ${shellQuote(body)}`].join(' \\\n');
}

/** Returns the URL as one word. Masked values are variables named after the query parameter. */
function urlWord(url: string): string {
  const [first = '', ...rest] = url.split(MASK);
  let before = first;
  const words = rest.map((part) => {
    const name = /([^?&#=]+)=$/.exec(before)?.[1] ?? 'credentials';
    before = part;
    return `"$${environmentVariable(name)}"${part === '' ? '' : shellQuote(part)}`;
  });
  return shellQuote(first) + words.join('');
}

/**
 * Control characters and those that hide or reorder text, which a terminal would act on when pasted. Also typographic
 * quotes, which PowerShell takes for quotes.
 */
const UNPRINTABLE = new RegExp(`[${HIDDEN_CHARACTERS}\\t\\n\\u200c\\u200d\\u2018-\\u201f]`, 'gu');

/**
 * Quotes one word for a POSIX shell. Unprintable characters become escapes, which bash and zsh read. In other shells it
 * is still one word, since no quote stands inside the quotes.
 */
export function shellQuote(text: string): string {
  // After a leading `=`, zsh looks up a command of that name.
  if (text.search(UNPRINTABLE) < 0 && !text.startsWith('=')) return quote(text);
  return `$'${text.replace(/[\\']/g, escaped).replace(UNPRINTABLE, escaped)}'`;
}

/** Bytes rather than a code point, which shells convert to the locale's encoding. */
function escaped(character: string): string {
  return Array.from(new TextEncoder().encode(character), (byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('');
}
