import { afterEach } from 'vitest';
import { Log } from '@/lib/store/log';
import type { Frame } from '@/lib/wire/frame';
import { EXIT } from '@/proxy/cli/exit-code';
import { type CommandAction, runOn, type ServerCommandOptions } from '@/proxy/commands/headless/on-server';
import { keptOutput } from '@/proxy/commands/headless/test-connection';
import {
  type Answer,
  event,
  initialized,
  json,
  result,
  startHttp,
  stream,
} from '@/proxy/connection/fixtures/http-fixture';
import { startOAuth } from '@/proxy/connection/fixtures/oauth-fixture';
import { resolveLaunch } from '@/proxy/connection/launch';
import { LOADED } from './host-look';

/** A server, as a test about hosts writes it, and what is done with it. Everything has a harmless default. */
export interface Script {
  /** Pages of `tools/list`. */
  readonly pages?: readonly (readonly object[])[];
  /** Results by tool. Each is called once. */
  readonly results?: Readonly<Record<string, object>>;
  /** The version that the client asks for. */
  readonly protocol?: '2025-06-18';
  /** Members of the result of `initialize`. */
  readonly initialize?: object;
  readonly resources?: readonly object[];
  /** Contents of `resources/read` by URI. */
  readonly contents?: Readonly<Record<string, object>>;
  /** Requests that the server sends before it answers `tools/list`. */
  readonly asks?: readonly string[];
  /** A token of progress that the server sends before each answer of a call. */
  readonly progress?: string;
  /** Answers before anything else; false for a request that it leaves. */
  readonly first?: (...asked: Parameters<Answer>) => boolean;
  /** A server that wants a token, with these members of its metadata. */
  readonly signIn?: {
    readonly resource?: Record<string, unknown>;
    readonly metadata?: Record<string, unknown>;
    /** The client obtains a token without a person. */
    readonly asClient?: true;
  };
  /** Headers that a person gives to every request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** A process: a line before its first answer, its variables, and members of its start that the recording changes. */
  readonly stdio?: {
    readonly prints?: string;
    readonly env?: Readonly<Record<string, string>>;
    readonly start?: object;
  };
  /** Nothing listens at the address. */
  readonly unreachable?: true;
  /** Milliseconds for the session. */
  readonly timeoutMs?: number;
  /** The recording is changed: another address, another transport, or a later answer. */
  readonly address?: string;
  readonly transport?: 'sse';
  readonly late?: { readonly method: string; readonly seconds: number };
}

/** A tool that no fact complains about. */
export const TOOL = {
  name: 'search',
  description: 'Searches the notes.',
  inputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
  annotations: { title: 'Search', readOnlyHint: true, openWorldHint: false, destructiveHint: false },
};

const REQUEST: ServerCommandOptions = {
  options: {
    demo: false,
    protocol: '2025-11-25',
    env: new Map(),
    inputs: new Map(),
    headers: new Map(),
    client: {},
    tls: {},
    allowLinkLocal: false,
    transport: 'auto',
    cleanEnv: false,
    keepSignIns: false,
    otel: true,
    intercept: [],
  },
  json: true,
  isUnattended: true,
};

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

/** Connects to the server of a script, explores it, calls its tools, and returns the log. */
export async function logWith(script: Script): Promise<Log> {
  const frames: Frame[] = [];
  const action: CommandAction = Object.assign(
    async ({ connection, negotiated }: Parameters<CommandAction>[0]) => {
      await LOADED.explore({ connection, negotiated });
      for (const name of Object.keys(script.results ?? {}))
        await connection.request('tools/call', JSON.stringify({ name, arguments: {} }));
      return EXIT.fine;
    },
    {
      connect: {
        onFrame: (frame: Frame) => void frames.push(frame),
        onlyReads: true,
        out: keptOutput(true),
        onError: () => EXIT.noConnection,
      },
    },
  );
  const { protocol = '2025-11-25' as const, timeoutMs } = script;
  const launch = resolveLaunch(await targetOf(script), protocol, []);
  const request: ServerCommandOptions = {
    ...REQUEST,
    options: { ...REQUEST.options, protocol },
    ...(timeoutMs && { timeoutMs }),
  };
  await runOn(launch, action, request, '0.0.0-test', () => {});
  const log = new Log('hosts');
  log.append(changed(frames, script));
  return log;
}

async function targetOf(script: Script) {
  if (script.unreachable) return { transport: 'http', url: 'http://127.0.0.1:1/mcp' } as const;
  if (script.stdio) {
    const prints = script.stdio.prints === undefined ? '' : `console.log(${JSON.stringify(script.stdio.prints)});`;
    const code = `${prints} require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
      const { id, method } = JSON.parse(line);
      if (id === undefined) return;
      const results = { initialize: ${JSON.stringify(initializedWith(script))}, 'tools/list': { tools: ${JSON.stringify(script.pages?.[0] ?? [TOOL])} } };
      console.log(JSON.stringify({ jsonrpc: '2.0', id, result: results[method] ?? {} }));
    });`;
    const { env = {} } = script.stdio;
    return { transport: 'stdio', command: process.execPath, args: ['-e', code], env } as const;
  }
  if (script.signIn) {
    const { metadata = {}, resource = {}, asClient } = script.signIn;
    const onToken = () => ({ body: { access_token: 'secret-token-0123456789', token_type: 'Bearer' } });
    const fixture = await startOAuth({ metadata, resource, ...(asClient && { onToken }) });
    open.push(fixture);
    const client = { grant: 'client-credentials', clientId: 'tests', clientSecret: 'secret-of-tests' } as const;
    return { transport: 'http', url: fixture.url, ...(asClient && { client }) } as const;
  }
  const fixture = await startHttp(answersOf(script));
  open.push(fixture);
  return {
    transport: 'http',
    url: `${fixture.origin}/mcp`,
    ...(script.headers && { headers: script.headers }),
  } as const;
}

function initializedWith({ initialize, resources }: Script): object {
  const capabilities = { tools: {}, ...(resources && { resources: {} }) };
  const given = initialized(0, capabilities) as { readonly result: object };
  return { ...given.result, ...initialize };
}

function answersOf(script: Script): Answer {
  const { pages = [[TOOL]], results = {}, resources = [], contents = {}, asks = [], progress, first } = script;
  return (seen, response) => {
    if (first?.(seen, response)) return;
    const { message, method, headers } = seen;
    const id = message?.id;
    const params = message?.params ?? {};
    const session = headers['mcp-session-id'];
    if (method !== 'POST') response.writeHead(405).end();
    else if (session !== undefined && session !== 's-1') response.writeHead(404).end();
    else if (message?.method === 'initialize') {
      json(response, result(id, initializedWith(script)), 200, { 'Mcp-Session-Id': 's-1' });
    } else if (id === undefined || message?.method === undefined) response.writeHead(202).end();
    else if (message.method === 'tools/list') {
      const page = Number(params.cursor ?? 0);
      const next = page + 1 < pages.length ? { nextCursor: String(page + 1) } : {};
      const list = result(id, { tools: pages[page], ...next });
      if (asks.length === 0) json(response, list);
      else {
        const questions = asks.map((one, at) =>
          event({ jsonrpc: '2.0', id: `ask-${at}`, method: one, params: ASKED[one] }),
        );
        stream(response, ...questions, event(list)).end();
      }
    } else if (message.method === 'tools/call') {
      const answer = event(result(id, results[String(params.name)] ?? { content: [] }));
      const told = {
        jsonrpc: '2.0',
        method: 'notifications/progress',
        params: { progressToken: progress, progress: 1 },
      };
      stream(response, ...(progress === undefined ? [] : [event(told)]), answer).end();
    } else if (message.method === 'resources/list') json(response, result(id, { resources }));
    else if (message.method === 'resources/read') {
      const uri = String(params.uri);
      json(response, result(id, { contents: [{ uri, ...contents[uri] }] }));
    } else json(response, result(id, {}));
  };
}

/** Params of the requests of a server. */
const ASKED: Readonly<Record<string, object>> = {
  'roots/list': {},
  'sampling/createMessage': { messages: [], maxTokens: 1 },
  'elicitation/create': { message: 'Which?', requestedSchema: { type: 'object', properties: {} } },
};

/** Returns the frames as a recording of the changed session has them. */
function changed(frames: readonly Frame[], { address, transport, late, stdio }: Script): readonly Frame[] {
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  let laterUs = 0;
  let id: unknown;
  return frames.map((frame) => {
    let text = decoder.decode(frame.bytes);
    if (address !== undefined) text = text.replaceAll(/http:\/\/127\.0\.0\.1:\d+\/mcp/g, address);
    if (transport && frame.channel === 'lifecycle')
      text = text.replace('"transport":"http"', `"transport":"${transport}"`);
    if (stdio?.start && frame.channel === 'lifecycle') {
      const event = JSON.parse(text) as { readonly event: string };
      if (event.event === 'start') text = JSON.stringify({ ...event, ...stdio.start });
    }
    if (late && frame.channel === 'protocol') {
      const message = JSON.parse(text) as { readonly id?: unknown; readonly method?: string };
      if (message.method === late.method) id = message.id;
      else if (id !== undefined && message.id === id && message.method === undefined) laterUs = late.seconds * 1e6;
    }
    return { ...frame, time: frame.time + laterUs, bytes: encoder.encode(text) };
  });
}
