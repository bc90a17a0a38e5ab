import { expect, test } from 'vitest';
import { event, result, stream } from '@/proxy/connection/fixtures/http-fixture';
import type { Sight } from '../lib/fact';
import { HOST_FACTS } from '../lib/facts';
import { hostSession } from '../lib/host-session';
import { logWith, type Script, TOOL } from './test-host-sessions';

const tool = (more: object): Script => ({ pages: [[{ ...TOOL, ...more }]] });
const schema = (inputSchema: object): Script => tool({ inputSchema });
const called = (answer: object, more: object = {}): Script => ({ ...tool(more), results: { search: answer } });
const text = (chars: number): Script => called({ content: [{ type: 'text', text: 'a'.repeat(chars) }] });
const many = (count: number): Script => ({
  pages: [Array.from({ length: count }, (_, at) => ({ ...TOOL, name: `tool-${at}` }))],
});
const PAGE = { mimeType: 'text/html;profile=mcp-app', text: '<p>hi</p>', _meta: { ui: { csp: {} } } };
const app = (content: object, ui: object = {}): Script => ({
  ...tool({ _meta: { ui: { resourceUri: 'ui://a', ...ui } } }),
  resources: [{ uri: 'ui://a', name: 'a' }],
  contents: { 'ui://a': { ...PAGE, ...content } },
});
const at = (address: string): Script => ({ address });
const STRAY = '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"nobody","progress":1}}';
const FINE: Script = {};
/** A server that refuses a POST, as those do that speak HTTP+SSE. */
const ONLY_SSE: Script = {
  transport: 'sse',
  first: ({ method }, response) => method === 'POST' && Boolean(response.writeHead(405).end()),
};
const redirects = (status: number, to: string): Script => ({
  first: ({ url }, response) => url === '/mcp' && Boolean(response.writeHead(status, { location: to }).end()),
});
/** A redirect to another origin that a request with a token meets. */
const elsewhereWithToken: Script = {
  ...redirects(307, 'http://localhost:1/mcp'),
  headers: { Authorization: 'Bearer x' },
};
/** A redirect to another origin after the server began a session. */
const elsewhereWithSession: Script = {
  first: ({ message }, response) =>
    message?.method === 'tools/list' && Boolean(response.writeHead(307, { location: 'http://localhost:1/mcp' }).end()),
};
const answers = (
  method: string,
  ...how: readonly [status: number, headers?: Record<string, string>, body?: string]
): Script => ({
  first: ({ message }, response) =>
    message?.method === method && Boolean(response.writeHead(how[0], how[1] ?? {}).end(how[2] ?? '')),
});
const metadata = (more: Record<string, unknown>): Script => ({ signIn: { metadata: more } });
const resource = (more: Record<string, unknown>): Script => ({ signIn: { resource: more } });
const unauthorized = (headers: Record<string, string>): Script => ({
  first: (_seen, response) => Boolean(response.writeHead(401, headers).end()),
});
const late = (method: string, seconds: number): Script => ({ ...text(1), late: { method, seconds } });
const env = (...names: readonly string[]): Script => ({
  stdio: { env: Object.fromEntries(names.map((name) => [name, 'x'])) },
});
/** A server that sends a comment while a call takes its time. */
const KEPT_ALIVE: Script = {
  results: { search: {} },
  first: ({ message }, response) => {
    if (message?.method !== 'tools/call') return false;
    const events = stream(response);
    setTimeout(() => {
      events.write(': keep-alive\n\n');
      events.end(event(result(message.id, { content: [] })));
    }, 1100);
    return true;
  },
};
const SIGN_IN: Script = { signIn: {} };
const KEYS_TOP = { type: 'object', properties: {}, anyOf: [{ required: [] }] };
const BEARER = { 'www-authenticate': 'Bearer resource_metadata="http://127.0.0.1:1/.well-known/x"' };
const DOWN = { type: 'object', properties: { at: { anyOf: [{ type: 'string' }, { type: 'number' }] } } };
/** Blocks as SDKs write them beside a structured content that has the same. */
const WRAPPED = {
  content: [
    { type: 'text', text: 'one' },
    { type: 'text', text: '{"a": 1}' },
  ],
  structuredContent: { result: ['one', { a: 1 }] },
};
const STRUCTURED = { content: [{ type: 'text', text: '{"b":2,"a":1}' }], structuredContent: { a: 1, b: 2 } };

/** For each fact a server that breaks it, and one that comes close to it and does not. */
const PAIRS: Readonly<Record<string, readonly [breaks: Script, keeps: Script]>> = {
  'claudeai-443': [at('https://mcp.example.com:8443/mcp'), at('https://mcp.example.com/mcp')],
  'claudeai-https': [at('http://mcp.example.com/mcp'), at('https://mcp.example.com:8443/mcp')],
  'claudeai-waf': [answers('initialize', 403, { 'content-type': 'text/html', 'cf-mitigated': 'challenge' }), FINE],
  'claudeai-transport': [ONLY_SSE, FINE],
  'redirect-reported': [redirects(307, '/mcp/'), FINE],
  'claudeai-307-token': [elsewhereWithToken, elsewhereWithSession],
  'claude-auth-types': [metadata({ registration_endpoint: undefined }), SIGN_IN],
  'claudeai-no-prm': [
    { first: ({ url }, response) => Boolean(response.writeHead(url === '/mcp' ? 401 : 404).end()) },
    SIGN_IN,
  ],
  'claudeai-crosshost-as': [SIGN_IN, unauthorized(BEARER)],
  'claudeai-client-basic': [metadata({ token_endpoint_auth_methods_supported: ['none'] }), SIGN_IN],
  'claudeai-features': [{ asks: ['sampling/createMessage'] }, { asks: ['elicitation/create'] }],
  'claudeai-subscriptions': [{ initialize: { capabilities: { resources: { subscribe: true } } } }, { resources: [] }],
  'claudeai-roots': [{ asks: ['roots/list'] }, FINE],
  'claudeai-output-anyof': [tool({ outputSchema: { ...KEYS_TOP } }), schema(KEYS_TOP)],
  'claude-name-64': [tool({ name: 'files.read' }), tool({ name: 'files-read_'.padEnd(64, 'x') })],
  'claudeapi-2020-12': [
    schema({ type: 'object', properties: { a: { type: 'number', minimum: 0, exclusiveMinimum: true } } }),
    schema({ $schema: 'http://json-schema.org/draft-07/schema#', type: 'object', properties: { a: { const: 1 } } }),
  ],
  'cc-resource': [resource({ resource: 'http://127.0.0.1:1/mcp' }), SIGN_IN],
  'openai-128': [many(129), many(128)],
  'openai-properties': [schema({ type: 'object' }), schema({ type: 'object', properties: {} })],
  'claude-150k': [text(150_001), text(150_000)],
  'claude-csp-place': [app({ _meta: {} }, { csp: {} }), app({}, { csp: {} })],
  'claudeai-csp-limits': [
    app({ _meta: { ui: { csp: { connectDomains: ['blob:'] } } } }),
    app({ _meta: { ui: { csp: { connectDomains: ['https://a.example'] } } } }),
  ],
  'claudeai-domain': [app({ _meta: { ui: { domain: 'a.claudemcpcontent.com' } } }), app({})],
  'claude-app-mime': [app({ mimeType: 'text/html' }), app({})],
  'claude-sandbox-links': [
    app({ text: '<a href="/x" target="_blank">x</a>' }),
    app({ text: '<a href="#x">window</a>' }),
  ],
  'desktop-variables': [env('API_KEY'), env('PATH')],
  'cc-stdout': [{ stdio: { prints: 'Server is running' } }, { stdio: {} }],
  'cc-start-30s': [late('initialize', 31), late('initialize', 20)],
  'cc-2kb': [tool({ description: 'é'.repeat(1025) }), tool({ description: 'é'.repeat(1024) })],
  'cc-2kb-instructions': [
    { initialize: { instructions: 'a'.repeat(2049) } },
    { initialize: { instructions: 'a'.repeat(2048) } },
  ],
  'tssdk-one-bad-tool': [schema({ type: 'object', properties: { text: true } }), schema({ type: 'object' })],
  'cc-top-combinators': [schema(KEYS_TOP), schema(DOWN)],
  'cc-name-64': [tool({ name: 'a'.repeat(60) }), tool({ name: 'a'.repeat(20) })],
  'cc-25k': [
    text(100_001),
    { ...tool({ _meta: { 'anthropic/maxResultSizeChars': 200_000 } }), results: text(150_000).results! },
  ],
  'cc-call-timeouts': [late('tools/call', 301), late('tools/call', 299)],
  'cc-image-mime': [
    called({ content: [{ type: 'image', mimeType: 'image/svg+xml', data: '' }] }),
    called({ content: [{ type: 'image', mimeType: 'image/png', data: '' }] }),
  ],
  'tssdk-output-missing': [
    called({ content: [] }, { outputSchema: { type: 'object' } }),
    called({ content: [], structuredContent: {} }, { outputSchema: { type: 'object' } }),
  ],
  'cc-progress-token': [{ stdio: { prints: STRAY } }, { ...text(1), progress: 'nobody' }],
  'claudeapi-top-combinators': [schema(KEYS_TOP), schema(DOWN)],
  'claudeapi-name': [tool({ name: 'search.notes' }), tool({ name: 'a'.repeat(128) })],
  'claudeapi-property': [
    schema({ type: 'object', properties: { $top: { type: 'number' } } }),
    schema({ type: 'object', properties: { 'a.b-c': { type: 'number' } } }),
  ],
  'chatgpt-public': [at('http://mcp.example.com/mcp'), at('https://mcp.example.com:8443/mcp')],
  'chatgpt-transport': [ONLY_SSE, FINE],
  'chatgpt-401-challenge': [unauthorized({ 'www-authenticate': 'Bearer' }), unauthorized(BEARER)],
  'chatgpt-auth-types': [
    metadata({ registration_endpoint: undefined }),
    metadata({ registration_endpoint: undefined, client_id_metadata_document_supported: true }),
  ],
  'chatgpt-cimd-methods': [
    metadata({
      client_id_metadata_document_supported: true,
      token_endpoint_auth_methods_supported: ['client_secret_basic'],
    }),
    metadata({ client_id_metadata_document_supported: true }),
  ],
  'chatgpt-csp': [app({ _meta: {} }), app({})],
  'chatgpt-domain': [
    app({ _meta: { ui: { domain: 'a.example' } } }),
    app({ _meta: { ui: { domain: 'https://a.example' } } }),
  ],
  'openai-tool-name': [tool({ name: 'search.notes' }), tool({ name: 'a'.repeat(64) })],
  'openai-top-combinators': [schema(KEYS_TOP), schema(DOWN)],
  'agents-start': [late('initialize', 6), late('initialize', 2)],
  'agents-5s': [late('tools/call', 6), late('tools/call', 2)],
  'agents-structured': [called({ content: [], structuredContent: { a: 1 } }), called(STRUCTURED)],
  'codex-redirects': [redirects(303, '/mcp/'), redirects(307, '/mcp/')],
  'codex-cross-origin': [elsewhereWithToken, elsewhereWithSession],
  'codex-start-timeout': [late('initialize', 31), late('initialize', 20)],
  'codex-env': [env('HTTPS_PROXY'), env('LANG', 'TMPDIR')],
  'codex-first-page': [{ pages: [[TOOL], [{ ...TOOL, name: 'other' }]] }, { pages: [[TOOL], [TOOL]] }],
  'codex-duplicates': [{ pages: [[TOOL, TOOL]] }, { pages: [[TOOL], [TOOL]] }],
  'codex-tool-timeout': [late('tools/call', 301), late('tools/call', 299)],
  'codex-tool-name': [
    {
      pages: [
        [
          { ...TOOL, name: 'a-b' },
          { ...TOOL, name: 'a.b' },
        ],
      ],
    },
    many(2),
  ],
  'vscode-redirects': [redirects(302, '/mcp/'), redirects(307, '/mcp/')],
  'vscode-cross-origin': [elsewhereWithSession, redirects(307, 'http://localhost:1/mcp')],
  'vscode-no-version-header': [
    {
      first: ({ message, headers }, response) =>
        message?.method === 'ping' &&
        headers['mcp-protocol-version'] === undefined &&
        Boolean(response.writeHead(400).end()),
    },
    FINE,
  ],
  'vscode-403-is-auth': [answers('initialize', 403), FINE],
  'vscode-prm-resource': [resource({ resource: 'http://127.0.0.1:1/other' }), SIGN_IN],
  'vscode-draft7': [schema({ type: 'object', properties: { a: { type: 'text' } } }), schema(DOWN)],
  'vscode-tool-name': [
    {
      pages: [
        [
          { ...TOOL, name: 'a.b' },
          { ...TOOL, name: 'a_b' },
        ],
      ],
    },
    many(2),
  ],
  'vscode-array-items': [
    schema({ type: 'object', properties: { list: { type: 'array' } } }),
    schema({ type: 'object', properties: { list: { type: 'array', items: {} }, default: { type: 'string' } } }),
  ],
  'vscode-top-combinators': [schema({ type: 'object', not: {} }), schema(DOWN)],
  'vscode-required-undeclared': [schema({ type: 'object', properties: {}, required: ['a'] }), FINE],
  'vscode-no-description': [tool({ description: ' ' }), FINE],
  'vscode-128-tools': [many(129), many(128)],
  'vscode-structured-wins': [
    called({ content: [{ type: 'text', text: 'Two notes.' }], structuredContent: { notes: 2 } }),
    { pages: [[TOOL, { ...TOOL, name: 'list' }]], results: { search: STRUCTURED, list: WRAPPED } },
  ],
  'vscode-audience': [
    called({ content: [{ type: 'text', text: 'a', annotations: { audience: ['user'] } }] }),
    called({ content: [{ type: 'text', text: 'a', annotations: { audience: ['user', 'assistant'] } }] }),
  ],
  'vscode-embedded': [
    called({ content: [{ type: 'resource', resource: { uri: 'a:b', text: 'a' } }] }),
    called({
      content: [
        { type: 'resource', resource: { uri: 'a:b', text: 'a' } },
        { type: 'text', text: 'a' },
      ],
    }),
  ],
  'cursor-silent-stream': [late('tools/call', 301), KEPT_ALIVE],
  'cursor-features': [{ asks: ['sampling/createMessage'] }, FINE],
  'cursor-60': [tool({ name: 'a'.repeat(53) }), tool({ name: 'a'.repeat(52) })],
  'cursor-80': [many(81), many(80)],
  'cursor-progress-token': [{ ...text(1), progress: 'nobody' }, text(1)],
  'gemini-redirects': [redirects(301, '/mcp/'), redirects(308, '/mcp/')],
  'gemini-cross-origin': [elsewhereWithToken, elsewhereWithSession],
  'gemini-silent-stream': [late('tools/call', 301), KEPT_ALIVE],
  'gemini-prm-resource': [resource({ resource: 'http://127.0.0.1:1/other' }), SIGN_IN],
  'gemini-nothing': [{ pages: [[]] }, FINE],
  'gemini-env': [env('GITHUB_TOKEN'), env('HTTPS_PROXY', 'GEMINI_CLI_KEY')],
  'gemini-caps': [{ asks: ['elicitation/create'] }, { asks: ['roots/list'] }],
  'gemini-first-page': [{ pages: [[TOOL], [{ ...TOOL, name: 'other' }]] }, many(40)],
  'gemini-nullable': [
    schema({ type: 'object', properties: { a: { type: ['string', 'number', 'null'] } } }),
    schema({ type: 'object', properties: { a: { type: ['string', 'null'] } } }),
  ],
  'gemini-truncate': [text(40_001), text(40_000)],
  'windsurf-100': [many(101), many(100)],
  'zed-content-type': [answers('notifications/initialized', 200), FINE],
  'zed-sse-notification': [
    answers('notifications/initialized', 202, { 'content-type': 'text/event-stream' }),
    answers('notifications/initialized', 200, { 'content-type': 'application/json' }, '{}'),
  ],
  'rmcp-content-type': [
    {
      first: ({ message }, response) =>
        message?.method === 'tools/list' &&
        Boolean(
          response
            .writeHead(200, { 'content-type': 'text/plain' })
            .end(JSON.stringify(result(message.id, { tools: [] }))),
        ),
    },
    FINE,
  ],
  'rmcp-404-session': [
    {
      first: ({ headers }, response) =>
        headers['mcp-session-id'] !== undefined &&
        headers['mcp-session-id'] !== 's-1' &&
        Boolean(response.writeHead(400).end()),
    },
    FINE,
  ],
  'rmcp-401-header': [unauthorized({}), unauthorized(BEARER)],
  'zed-oauth-urls': [{ signIn: {}, address: 'http://10.0.0.7/mcp' }, SIGN_IN],
  'zed-cimd': [metadata({ registration_endpoint: undefined }), SIGN_IN],
  'zed-timeout': [late('initialize', 61), late('initialize', 50)],
  'gemini-versions': [
    { protocol: '2025-06-18', initialize: { protocolVersion: '2025-11-25' } },
    { protocol: '2025-06-18', initialize: { protocolVersion: '2025-03-26' } },
  ],
  'goose-large-text': [text(200_001), text(200_000)],
  'copilotstudio-sse': [ONLY_SSE, FINE],
  'copilotstudio-ref': [
    schema({ type: 'object', properties: { a: { $ref: '#/$defs/a' } }, $defs: { a: { type: 'string' } } }),
    schema({ type: 'object', properties: { $ref: { type: 'string' } } }),
  ],
  'copilotstudio-type-array': [
    schema({ type: 'object', properties: { a: { type: ['string', 'null'] } } }),
    schema({ type: 'object', properties: { a: { type: 'string' } } }),
  ],
  'copilotstudio-exclusive': [
    schema({ type: 'object', properties: { a: { type: 'number', exclusiveMinimum: 0 } } }),
    schema({ type: 'object', properties: { a: { type: 'number', minimum: 0 } } }),
  ],
  'copilotstudio-128': [many(129), many(128)],
  'dir-claude-https': [at('http://mcp.example.com/mcp'), at('https://mcp.example.com:8443/mcp')],
  'dir-claude-https443': [at('https://mcp.example.com:8443/mcp'), at('https://mcp.example.com/mcp')],
  'dir-claude-auth': [metadata({ registration_endpoint: undefined }), SIGN_IN],
  'dir-claude-title': [
    tool({ annotations: { readOnlyHint: true } }),
    tool({ title: 'Search', annotations: { readOnlyHint: true } }),
  ],
  'dir-claude-title-place': [
    tool({ title: 'Search', annotations: { readOnlyHint: true } }),
    tool({ title: 'Search', annotations: { title: 'Search' } }),
  ],
  'dir-claude-hints': [tool({ annotations: { title: 'A' } }), tool({ annotations: { destructiveHint: false } })],
  'dir-claude-name': [tool({ name: 'a'.repeat(65) }), tool({ name: 'a'.repeat(64) })],
  'dir-claude-result': [text(100_001), text(100_000)],
  'dir-chatgpt-public': [at('http://mcp.example.com/mcp'), at('https://mcp.example.com:8443/mcp')],
  'dir-chatgpt-oauth': [metadata({ code_challenge_methods_supported: ['plain'] }), SIGN_IN],
  'dir-chatgpt-hints': [tool({ annotations: { readOnlyHint: true, openWorldHint: true } }), FINE],
  'dir-chatgpt-contradiction': [
    tool({ annotations: { readOnlyHint: true, destructiveHint: true } }),
    tool({ annotations: { readOnlyHint: false, destructiveHint: true } }),
  ],
  'dir-chatgpt-csp': [app({ _meta: {} }), app({})],
};

const SESSION_FACTS = HOST_FACTS.filter(({ look }) => look);

test('each fact has a server that breaks it, and one that does not', () => {
  expect(Object.keys(PAIRS).sort()).toEqual(SESSION_FACTS.map(({ id }) => id).sort());
});

test.each(SESSION_FACTS.map((fact) => [fact.id, fact] as const))('%s', async (id, { look }) => {
  const [breaks, keeps] = PAIRS[id]!;
  const sightOf = async (script: Script): Promise<Sight> => look!(hostSession(await logWith(script)));
  const broken = await sightOf(breaks);
  if (typeof broken === 'object' && 'ask' in broken) expect(broken.ask).toMatch(/\?/);
  else
    expect(broken).toEqual(expect.arrayContaining([expect.objectContaining({ words: expect.stringMatching(/\.$/) })]));
  expect(await sightOf(keeps)).toBe('holds');
});
