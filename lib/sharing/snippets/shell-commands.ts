import { quote } from 'shlex';
import { compactJson } from '@/lib/json/exact';
import { HIDDEN_CHARACTERS } from '@/lib/wire/control-characters';
import { MASK, type ShownHeaders } from '@/lib/wire/http-frame';
import { type DescribedRequest, environmentVariable, hasOnly, nonEmptyString, paramText } from './described-request';

/** Lists that `mcp-inspect list` knows by a word. */
const LISTS: ReadonlyMap<string, string> = new Map([
  ['tools/list', 'tools'],
  ['resources/list', 'resources'],
  ['resources/templates/list', 'templates'],
  ['prompts/list', 'prompts'],
]);

/** The request as a command line of ours, for a POSIX shell. What is secret is a variable that has to be set. */
export function inspectCommandText(request: DescribedRequest): string {
  return ['npx', 'mcp-inspect', ...wordsOf(request), ...serverWords(request)].join(' ');
}

/** Requests about one thing that a subcommand makes: of which member of the params, and whether `--args` gives `arguments`. */
const ABOUT_ONE: ReadonlyMap<string, { readonly word: string; readonly member: string; readonly takes: boolean }> =
  new Map([
    ['tools/call', { word: 'call', member: 'name', takes: true }],
    ['prompts/get', { word: 'prompt', member: 'name', takes: true }],
    ['resources/read', { word: 'read', member: 'uri', takes: false }],
  ]);

/** The subcommand with its words, quoted: `raw` for what no other says whole. */
function wordsOf({ method, params }: DescribedRequest): readonly string[] {
  const list = LISTS.get(method);
  if (list !== undefined && params === undefined) return ['list', list];
  const one = ABOUT_ONE.get(method);
  const name = one && nonEmptyString(paramText(params, one.member));
  const args = paramText(params, 'arguments');
  const whole = one && hasOnly(params, one.takes ? [one.member, 'arguments'] : [one.member]);
  // A word that looks like an option is taken for one.
  if (one && whole && name !== undefined && !name.startsWith('-') && (args === undefined || args.startsWith('{'))) {
    return [one.word, shellQuote(name), ...(args === undefined ? [] : ['--args', shellQuote(compactJson(args))])];
  }
  const rest = params === undefined ? '' : `,"params":${compactJson(params)}`;
  return ['raw', shellQuote(`{"jsonrpc":"2.0","id":1,"method":${JSON.stringify(method)}${rest}}`)];
}

function serverWords({ start }: DescribedRequest): readonly string[] {
  const chosen = start.protocol === 'none' ? ['--no-handshake'] : ['--protocol', start.protocol];
  const protocol = start.protocol === 'auto' ? [] : chosen;
  if (start.transport === 'stdio') {
    const clean = start.environment.policy === 'allowlist' ? ['--clean-env'] : [];
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

/** What curl sets by itself, and what is about one socket. */
const NOT_SENT = new Set(['host', 'content-length', 'connection', 'accept-encoding', 'transfer-encoding']);

/** A POST of a message as a command for curl. Masked values, in headers and in the URL, are variables that have to be set. */
export function curlText(url: string, headers: ShownHeaders, body: string): string {
  const lines = headers
    .filter(([name]) => !NOT_SENT.has(name.toLowerCase()))
    .map(([name, value]) =>
      value.includes(MASK)
        ? `  -H ${shellQuote(`${name}: `)}"$${environmentVariable(name)}"`
        : // curl takes `X:` for a header that is to be left out.
          `  -H ${shellQuote(value === '' ? `${name};` : `${name}: ${value}`)}`,
    );
  // Without -g it makes several URLs of braces and brackets.
  return [`curl -gsN ${urlWord(url)}`, ...lines, `  --data-raw ${shellQuote(body)}`].join(' \\\n');
}

/** The URL as one word; what is masked in it as variables named like the query parameter. */
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
 * Control characters, and what turns or hides text: a terminal would act on them as they are pasted. The typographic quotes
 * too: PowerShell takes them for its own.
 */
const UNPRINTABLE = new RegExp(`[${HIDDEN_CHARACTERS}\\t\\n\\u200c\\u200d\\u2018-\\u201f]`, 'gu');

/**
 * One word for a POSIX shell; what can't be printed as an escape, which bash and zsh read. In a shell that doesn't it is still
 * one word: no quote stands within the quotes.
 */
export function shellQuote(text: string): string {
  // zsh looks for a command of the name after a first `=`.
  if (text.search(UNPRINTABLE) < 0 && !text.startsWith('=')) return quote(text);
  return `$'${text.replace(/[\\']/g, escaped).replace(UNPRINTABLE, escaped)}'`;
}

/** As bytes, and not as a code point: shells make those of the locale's encoding. */
function escaped(character: string): string {
  return Array.from(new TextEncoder().encode(character), (byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('');
}
