import { asked, type FrameSeed, framesOf, got, happened, sent } from '@/lib/store/test-frames';
import { type HttpFrame, MASK } from '@/lib/wire/http-frame';
import type { ProtocolVersion } from '@/lib/wire/lifecycle';
import type { Problem } from './problem';
import { ProblemFinder } from './problem-finder';
import type { SkippedChecks } from './protocol-state';

/** Returns the problems of all rules in these frames. */
export function problemsIn(seeds: readonly FrameSeed[], unchecked?: SkippedChecks): readonly Problem[] {
  const finder = new ProblemFinder();
  if (unchecked) finder.skipChecks(unchecked);
  for (const frame of framesOf(seeds)) finder.addFrame(frame);
  return finder.problems;
}

/** Frames in which a rule finds something, and nearly the same frames in which it does not. */
export interface RuleFixture {
  readonly bad: readonly FrameSeed[];
  readonly good: readonly FrameSeed[];
  /** Results whose schema check is skipped, in both. */
  readonly unchecked?: SkippedChecks;
}

const ENVIRONMENT = { policy: 'allowlist', inherited: [], added: [] } as const;

/** The start of a connection. */
export const started = (transport: 'stdio' | 'http' = 'stdio'): FrameSeed =>
  transport === 'stdio'
    ? happened({
        event: 'start',
        at: '2026-01-01T00:00:00Z',
        name: 'x',
        transport,
        command: 'x',
        args: [],
        cwd: '/',
        environment: ENVIRONMENT,
        protocol: 'auto',
      })
    : happened({
        event: 'start',
        at: '2026-01-01T00:00:00Z',
        name: 'x',
        transport,
        url: 'http://127.0.0.1/mcp',
        headerNames: [],
        protocol: 'auto',
      });

/** Every capability. */
const SERVER = {
  tools: { listChanged: true },
  prompts: { listChanged: true },
  resources: { listChanged: true, subscribe: true },
  logging: {},
};
const CLIENT = { roots: { listChanged: true }, sampling: {} };

interface Opening {
  readonly version?: ProtocolVersion;
  readonly chosen?: string;
  readonly server?: object;
  readonly client?: object;
  readonly transport?: 'stdio' | 'http';
}

/** A legacy handshake, with the id `i`. */
export function legacy({
  version = '2025-11-25',
  chosen = version,
  server = SERVER,
  client = CLIENT,
  transport,
}: Opening = {}): FrameSeed[] {
  return [
    started(transport),
    asked('i', 'initialize', {
      protocolVersion: version,
      capabilities: client,
      clientInfo: { name: 'c', version: '1' },
    }),
    got({
      jsonrpc: '2.0',
      id: 'i',
      result: { protocolVersion: chosen, capabilities: server, serverInfo: { name: 's', version: '1' } },
    }),
    sent({ jsonrpc: '2.0', method: 'notifications/initialized' }),
    happened({ event: 'open', era: 'legacy', version: chosen }),
  ];
}

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': { name: 'c', version: '1' },
};

export const ask = (id: unknown, method: string, params: object = {}, meta: object = {}): FrameSeed =>
  asked(id, method, { ...params, _meta: { ...META, ...meta } });

/** A complete, cacheable result of the modern era. */
export const complete = (id: unknown, result: object): FrameSeed =>
  got({ jsonrpc: '2.0', id, result: { resultType: 'complete', ttlMs: 0, cacheScope: 'private', ...result } });

const SERVER_META = { 'io.modelcontextprotocol/serverInfo': { name: 's', version: '1' } };

/** A modern handshake, with the id `d`. */
export function modern({ transport, server = SERVER }: Opening = {}): FrameSeed[] {
  return [
    started(transport),
    ask('d', 'server/discover'),
    complete('d', { supportedVersions: ['2026-07-28'], capabilities: server, _meta: SERVER_META }),
    happened({ event: 'open', era: 'modern', version: '2026-07-28' }),
  ];
}

const encoder = new TextEncoder();

export function http(frame: HttpFrame): FrameSeed {
  const direction = frame.kind === 'request' ? 'to-server' : 'to-client';
  return { channel: 'http', direction, bytes: encoder.encode(JSON.stringify(frame)), flags: 0 };
}

/** Headers that every POST of the newest legacy version has. */
const POST_HEADERS = { Accept: 'application/json, text/event-stream', 'MCP-Protocol-Version': '2025-11-25' };

/** A POST with these headers in addition to those that it needs, then its message. undefined leaves a header out. */
export function posted(exchange: number, headers: Record<string, string | undefined>, message: FrameSeed): FrameSeed[] {
  const url = 'http://127.0.0.1/mcp';
  const sent = Object.entries({ ...POST_HEADERS, ...headers }).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  );
  return [http({ kind: 'request', exchange, method: 'POST', url, headers: sent, bytes: 1 }), message];
}

/** A request without a message in a session, and the head of its response. */
export function requested(
  exchange: number,
  method: 'GET' | 'DELETE',
  status: number,
  { session, headers = {}, type }: { session?: number; headers?: Record<string, string>; type?: string } = {},
): FrameSeed[] {
  const url = 'http://127.0.0.1/mcp';
  const own = inSessionOf(session);
  const sent = Object.entries({ Accept: 'text/event-stream', ...headers });
  return [
    http({ kind: 'request', exchange, method, url, bytes: 0, ...own, headers: [...own.headers, ...sent] }),
    http({ kind: 'response', exchange, status, headers: type === undefined ? [] : [['Content-Type', type]] }),
  ];
}

/** The response to a POST, with an optional body. */
export function responded(
  exchange: number,
  status: number,
  headers: Record<string, string>,
  body?: FrameSeed,
): FrameSeed[] {
  const response = http({ kind: 'response', exchange, status, headers: Object.entries(headers) });
  return body ? [response, http({ kind: 'body', exchange, bytes: 1 }), body] : [response];
}

/** Headers of a request or response with the session of this number, masked as in a log. */
function inSessionOf(session: number | undefined) {
  return {
    headers: session === undefined ? [] : [['Mcp-Session-Id', MASK] as const],
    ...(session !== undefined && { session }),
  };
}

/** A POST in a session, and the head of its response in another or the same one. */
export function exchanged(
  exchange: number,
  message: FrameSeed,
  sent: number | undefined,
  answer: { readonly status?: number; readonly session?: number | undefined; readonly partial?: true } = {},
): FrameSeed[] {
  const { status = 200, session, partial } = answer;
  const url = 'http://127.0.0.1/mcp';
  const own = inSessionOf(sent);
  const headers = [...own.headers, ...Object.entries(POST_HEADERS)];
  return [
    http({ kind: 'request', exchange, method: 'POST', url, bytes: 1, ...own, headers }),
    message,
    http({ kind: 'response', exchange, status, ...inSessionOf(session), ...(partial && { partial }) }),
  ];
}

/** A legacy handshake over HTTP, in exchanges from `first` on. The response to `initialize` assigns a session. */
export function inSession(session: number | undefined, partial?: true, first = 1): FrameSeed[] {
  const [start, initialize, initialized, ready, open] = legacy({ transport: 'http' });
  return [
    start!,
    ...exchanged(first, initialize!, undefined, { session, ...(partial && { partial }) }),
    http({ kind: 'body', exchange: first, bytes: 1 }),
    initialized!,
    ...exchanged(first + 1, ready!, session, { status: 202, session }),
    open!,
  ];
}

/** A ping in one session, whose response has another or the same one. */
export function answeredPing(sent: number | undefined, answered: number | undefined): FrameSeed[] {
  return [
    ...exchanged(3, asked(3, 'ping'), sent, { session: answered }),
    http({ kind: 'body', exchange: 3, bytes: 1 }),
    got({ jsonrpc: '2.0', id: 3, result: {} }),
  ];
}
