import { compactJson } from '@/lib/schema/json';
import { type DescribedRequest, hasOnly, paramText, variableOf, wordOf } from './described-request';
import { shellQuote } from './shell-quote';

/** Lists that `mcp-inspect list` knows by a word. */
const LISTS: ReadonlyMap<string, string> = new Map([
  ['tools/list', 'tools'],
  ['resources/list', 'resources'],
  ['resources/templates/list', 'templates'],
  ['prompts/list', 'prompts'],
]);

/** The request as a command line of ours, for a POSIX shell. What is secret is a variable that has to be set. */
export function commandText(request: DescribedRequest): string {
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
  const name = one && wordOf(paramText(params, one.member));
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
    const env = start.environment.added.flatMap((name) => ['--env', `${shellQuote(`${name}=`)}"$${variableOf(name)}"`]);
    return [...protocol, ...clean, ...cwd, ...env, '--', ...[start.command, ...start.args].map(shellQuote)];
  }
  const headers = start.headerNames.flatMap((name) => ['--header', `${shellQuote(`${name}: `)}"$${variableOf(name)}"`]);
  const transport = start.transport === 'sse' ? ['--transport', 'sse'] : [];
  return [...protocol, ...transport, ...headers, shellQuote(start.url)];
}
