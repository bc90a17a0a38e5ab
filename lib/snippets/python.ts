import { jsonTokens } from '@/lib/schema/json';
import { type DescribedRequest, hasOnly, paramText, variableOf, wordOf } from './described-request';
import { showHidden } from './javascript-literal';

/** What the Python SDK calls each request: its function, and the members of the params that go to it, the first a string. */
const CALLS: ReadonlyMap<string, readonly [name: string, ...members: string[]]> = new Map([
  ['tools/call', ['call_tool', 'name', 'arguments']],
  ['prompts/get', ['get_prompt', 'name', 'arguments']],
  ['resources/read', ['read_resource', 'uri']],
  ['tools/list', ['list_tools']],
  ['resources/list', ['list_resources']],
  ['resources/templates/list', ['list_resource_templates']],
  ['prompts/list', ['list_prompts']],
  ['ping', ['send_ping']],
]);

/** The request by the Python SDK (`mcp`), as a script; undefined for one that no function of it makes as it was. */
export function pythonText(request: DescribedRequest): string | undefined {
  const call = callOf(request);
  if (call === undefined) return undefined;
  const { imports, opened } = transport(request);
  return `import asyncio
${imports}

async def main():
    async with ${opened}:
        async with ClientSession(*streams[:2]) as session:
            await session.initialize()
            result = await session.${call}
            print(result.model_dump_json(indent=2, by_alias=True, exclude_none=True))


asyncio.run(main())
`;
}

const WORDS: ReadonlyMap<string, string> = new Map([
  ['true', 'True'],
  ['false', 'False'],
  ['null', 'None'],
  [',', ', '],
  [':', ': '],
]);

/** JSON as an expression of Python; 'None' for none. Numbers keep their digits: Python's integers have no bound. */
export function pythonLiteral(json = 'null'): string {
  // Strings are written anew: Python knows no `\/`, and takes surrogates apart for what they are.
  const written = (token: string) => (token.startsWith('"') ? JSON.stringify(JSON.parse(token)) : token);
  return showHidden(
    jsonTokens(json)
      .map((token) => WORDS.get(token) ?? written(token))
      .join(''),
    codeEscape,
  );
}

/** Of the whole character: in Python two surrogates are none. */
function codeEscape(character: string): string {
  const hex = character.codePointAt(0)!.toString(16);
  return hex.length > 4 ? `\\U${hex.padStart(8, '0')}` : `\\u${hex.padStart(4, '0')}`;
}

const literal = (value: unknown) => pythonLiteral(JSON.stringify(value));

/** The call of the session's function. */
function callOf({ method, params }: DescribedRequest): string | undefined {
  const [name, first, ...rest] = CALLS.get(method) ?? [];
  if (first === undefined) return name !== undefined && params === undefined ? `${name}()` : undefined;
  const about = paramText(params, first);
  const others = rest.map((member) => [member, paramText(params, member)] as const);
  const fits = others.every(([, text]) => text === undefined || text.startsWith('{'));
  if (wordOf(about) === undefined || !fits || !hasOnly(params, [first, ...rest])) return undefined;
  const given = others.flatMap(([member, text]) => (text === undefined ? [] : [`${member}=${pythonLiteral(text)}`]));
  return `${name}(${[pythonLiteral(about), ...given].join(', ')})`;
}

function transport({ start }: DescribedRequest): { readonly imports: string; readonly opened: string } {
  const secret = (name: string) => `${literal(name)}: os.environ[${literal(variableOf(name))}]`;
  if (start.transport === 'stdio') {
    const { command, args, environment } = start;
    const env = environment.added.length === 0 ? '' : `, env={${environment.added.map(secret).join(', ')}}`;
    return {
      imports: `${env === '' ? '' : 'import os\n'}
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

server = StdioServerParameters(command=${literal(command)}, args=${literal(args)}${env})
`,
      opened: 'stdio_client(server) as streams',
    };
  }
  const [file, connect] =
    start.transport === 'sse' ? ['sse', 'sse_client'] : ['streamable_http', 'streamablehttp_client'];
  const headers = start.headerNames.length === 0 ? '' : `, headers={${start.headerNames.map(secret).join(', ')}}`;
  return {
    imports: `${headers === '' ? '' : 'import os\n'}
from mcp import ClientSession
from mcp.client.${file} import ${connect}
`,
    opened: `${connect}(${literal(start.url)}${headers}) as streams`,
  };
}
