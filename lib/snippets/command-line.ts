import { compactJson } from '@/lib/schema/json';
import { type DescribedRequest, paramText, variableOf } from './described-request';
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

/** The subcommand with its words, quoted. */
function wordsOf({ method, params }: DescribedRequest): readonly string[] {
  const list = LISTS.get(method);
  if (list !== undefined && params === undefined) return ['list', list];
  const name = wordOf(paramText(params, method === 'resources/read' ? 'uri' : 'name'));
  const args = paramText(params, 'arguments');
  const given = args === undefined ? [] : ['--args', shellQuote(compactJson(args))];
  // A word that looks like an option is taken for one.
  if (name !== undefined && !name.startsWith('-')) {
    if (method === 'tools/call') return ['call', shellQuote(name), ...given];
    if (method === 'prompts/get') return ['prompt', shellQuote(name), ...given];
    if (method === 'resources/read') return ['read', shellQuote(name)];
  }
  const rest = params === undefined ? '' : `,"params":${compactJson(params)}`;
  return ['raw', shellQuote(`{"jsonrpc":"2.0","id":1,"method":${JSON.stringify(method)}${rest}}`)];
}

function serverWords({ start }: DescribedRequest): readonly string[] {
  if (start.transport === 'stdio') {
    const env = start.environment.added.flatMap((name) => ['--env', `${shellQuote(`${name}=`)}"$${variableOf(name)}"`]);
    return [...env, '--', ...[start.command, ...start.args].map(shellQuote)];
  }
  const headers = start.headerNames.flatMap((name) => ['--header', `${shellQuote(`${name}: `)}"$${variableOf(name)}"`]);
  const transport = start.transport === 'sse' ? ['--transport', 'sse'] : [];
  return [...transport, ...headers, shellQuote(start.url)];
}

function wordOf(json: string | undefined): string | undefined {
  const value: unknown = json === undefined ? undefined : JSON.parse(json);
  return typeof value === 'string' && value !== '' ? value : undefined;
}
