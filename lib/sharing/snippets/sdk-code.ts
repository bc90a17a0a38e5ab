import { compactJson, jsonTokens, prettyJson } from '@/lib/json/exact';
import { HIDDEN_CHARACTERS, unitEscapes } from '@/lib/wire/control-characters';
import { type DescribedRequest, environmentVariable, hasOnly, nonEmptyString, paramText } from './described-request';

/** Returns a request as a TypeScript module (SDK `@modelcontextprotocol/client`) that runs under Node. */
export function typescriptText(request: DescribedRequest): string {
  const { method, params } = request;
  const { imports, made } = typescriptTransport(request);
  const asked = params === undefined ? '' : `, params: ${javascriptLiteral(params)}`;
  return `import { Client${imports}

const transport = ${made};
const client = new Client({ name: 'example', version: '1.0.0' }${options(request)});
await client.connect(transport);
const result = await client.request({ method: ${javascriptLiteral(JSON.stringify(method))}${asked} });
console.log(JSON.stringify(result, null, 2));
await client.close();
`;
}

function options({ era, version }: DescribedRequest): string {
  if (era !== 'modern') return '';
  const mode = version === undefined ? `'auto'` : `{ pin: ${JSON.stringify(version)} }`;
  return `, { versionNegotiation: { mode: ${mode} } }`;
}

/** Indents the further lines of a literal that is a member's value. Strings have no line feeds of their own. */
function indented(literal: string): string {
  return literal.replaceAll('\n', '\n  ');
}

/** Returns the rest of the import of `Client`, and the expression for the transport. */
function typescriptTransport({ start }: DescribedRequest): { readonly imports: string; readonly made: string } {
  const literal = (value: unknown) => javascriptLiteral(JSON.stringify(value));
  if (start.transport === 'stdio') {
    const { command, args, environment } = start;
    const env = environment.added.map((name) => `${literal(name)}: process.env.${environmentVariable(name)} ?? ''`);
    const added = env.length === 0 ? '' : `\n  env: { ...getDefaultEnvironment(), ${env.join(', ')} },`;
    const names = env.length === 0 ? 'StdioClientTransport' : 'getDefaultEnvironment, StdioClientTransport';
    return {
      imports: ` } from '@modelcontextprotocol/client';\nimport { ${names} } from '@modelcontextprotocol/client/stdio';`,
      made: `new StdioClientTransport({\n  command: ${literal(command)},\n  args: ${indented(literal(args))},${added}\n})`,
    };
  }
  const kind = start.transport === 'sse' ? 'SSEClientTransport' : 'StreamableHTTPClientTransport';
  const headers = start.headerNames.map((name) => `${literal(name)}: process.env.${environmentVariable(name)} ?? ''`);
  const init = headers.length === 0 ? '' : `, { requestInit: { headers: { ${headers.join(', ')} } } }`;
  return {
    imports: `, ${kind} } from '@modelcontextprotocol/client';`,
    made: `new ${kind}(new URL(${literal(start.url)})${init})`,
  };
}

/** How the Python SDK names requests: the function, and the members of params that it takes, a string first. */
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

/** Returns a request as a Python script (SDK `mcp`); undefined if no SDK function makes it exactly. */
export function pythonText(request: DescribedRequest): string | undefined {
  const call = callOf(request);
  if (call === undefined) return undefined;
  const { imports, opened } = pythonTransport(request);
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

/**
 * Returns JSON as a Python expression; 'None' for none. Numbers keep their digits, since Python's integers are
 * unbounded.
 */
export function pythonLiteral(json = 'null'): string {
  // Strings are encoded again: Python does not know `\/` and keeps surrogates apart.
  const written = (token: string) => (token.startsWith('"') ? JSON.stringify(JSON.parse(token)) : token);
  return escapeHidden(
    jsonTokens(json)
      .map((token) => WORDS.get(token) ?? written(token))
      .join(''),
    codeEscape,
  );
}

/** Escapes the whole character: Python does not join two surrogates. */
function codeEscape(character: string): string {
  const hex = character.codePointAt(0)!.toString(16);
  return hex.length > 4 ? `\\U${hex.padStart(8, '0')}` : `\\u${hex.padStart(4, '0')}`;
}

const literal = (value: unknown) => pythonLiteral(JSON.stringify(value));

/** Returns the call of the session's function. */
function callOf({ method, params }: DescribedRequest): string | undefined {
  const [name, first, ...rest] = CALLS.get(method) ?? [];
  if (first === undefined) return name !== undefined && params === undefined ? `${name}()` : undefined;
  const about = paramText(params, first);
  const others = rest.map((member) => [member, paramText(params, member)] as const);
  const fits = others.every(([, text]) => text === undefined || text.startsWith('{'));
  if (nonEmptyString(about) === undefined || !fits || !hasOnly(params, [first, ...rest])) return undefined;
  const given = others.flatMap(([member, text]) => (text === undefined ? [] : [`${member}=${pythonLiteral(text)}`]));
  return `${name}(${[pythonLiteral(about), ...given].join(', ')})`;
}

function pythonTransport({ start }: DescribedRequest): { readonly imports: string; readonly opened: string } {
  const secret = (name: string) => `${literal(name)}: os.environ[${literal(environmentVariable(name))}]`;
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

/** Characters that hide or reorder text in an editor. Escapes make them visible and mean the same. */
const HIDDEN = new RegExp(`[${HIDDEN_CHARACTERS}\\u200c\\u200d]`, 'gu');

/**
 * Returns JSON as a JavaScript expression. `__proto__` has another meaning in a literal, so such JSON is parsed
 * instead.
 */
export function javascriptLiteral(json: string): string {
  const hasProto = JSON.stringify(JSON.parse(json)).includes('"__proto__":');
  return escapeHidden(hasProto ? `JSON.parse(${JSON.stringify(compactJson(json))})` : prettyJson(json), unitEscapes);
}

/** Replaces hidden characters within strings with the result of `written`. */
function escapeHidden(text: string, written: (character: string) => string): string {
  return text.replace(HIDDEN, written);
}
