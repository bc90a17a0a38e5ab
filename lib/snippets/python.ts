import { jsonTokens } from '@/lib/schema/json';
import { type DescribedRequest, paramText, variableOf } from './described-request';
import { showHidden } from './javascript-literal';

/** What the Python SDK calls each request, made of its params. */
const CALLS: ReadonlyMap<string, (params: string | undefined) => string> = new Map<string, (params?: string) => string>(
  [
    ['tools/call', (params) => `call_tool(${named(params)})`],
    ['prompts/get', (params) => `get_prompt(${named(params)})`],
    ['resources/read', (params) => `read_resource(${pythonLiteral(paramText(params, 'uri'))})`],
    ['tools/list', () => 'list_tools()'],
    ['resources/list', () => 'list_resources()'],
    ['resources/templates/list', () => 'list_resource_templates()'],
    ['prompts/list', () => 'list_prompts()'],
    ['ping', () => 'send_ping()'],
  ],
);

/** The request by the Python SDK (`mcp`), as a script; undefined for a method that it has no function for. */
export function pythonText(request: DescribedRequest): string | undefined {
  const call = CALLS.get(request.method)?.(request.params);
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
  );
}

const literal = (value: unknown) => pythonLiteral(JSON.stringify(value));

function named(params: string | undefined): string {
  const args = paramText(params, 'arguments');
  return pythonLiteral(paramText(params, 'name')) + (args === undefined ? '' : `, arguments=${pythonLiteral(args)}`);
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
