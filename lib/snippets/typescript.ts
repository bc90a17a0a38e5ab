import { type DescribedRequest, variableOf } from './described-request';
import { javascriptLiteral } from './javascript-literal';

/** The request by the TypeScript SDK (`@modelcontextprotocol/client`), as a module that runs as it is under Node. */
export function typescriptText(request: DescribedRequest): string {
  const { method, params } = request;
  const { imports, made } = transport(request);
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

/** A literal as the value of a member: its further lines go in with it. A string has no line feed of its own. */
function indented(literal: string): string {
  return literal.replaceAll('\n', '\n  ');
}

/** The end of the import of `Client`, and what makes the transport. */
function transport({ start }: DescribedRequest): { readonly imports: string; readonly made: string } {
  const literal = (value: unknown) => javascriptLiteral(JSON.stringify(value));
  if (start.transport === 'stdio') {
    const { command, args, environment } = start;
    const env = environment.added.map((name) => `${literal(name)}: process.env.${variableOf(name)} ?? ''`);
    const added = env.length === 0 ? '' : `\n  env: { ...getDefaultEnvironment(), ${env.join(', ')} },`;
    const names = env.length === 0 ? 'StdioClientTransport' : 'getDefaultEnvironment, StdioClientTransport';
    return {
      imports: ` } from '@modelcontextprotocol/client';\nimport { ${names} } from '@modelcontextprotocol/client/stdio';`,
      made: `new StdioClientTransport({\n  command: ${literal(command)},\n  args: ${indented(literal(args))},${added}\n})`,
    };
  }
  const kind = start.transport === 'sse' ? 'SSEClientTransport' : 'StreamableHTTPClientTransport';
  const headers = start.headerNames.map((name) => `${literal(name)}: process.env.${variableOf(name)} ?? ''`);
  const init = headers.length === 0 ? '' : `, { requestInit: { headers: { ${headers.join(', ')} } } }`;
  return {
    imports: `, ${kind} } from '@modelcontextprotocol/client';`,
    made: `new ${kind}(new URL(${literal(start.url)})${init})`,
  };
}
