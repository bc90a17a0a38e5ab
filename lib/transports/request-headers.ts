import { isObject, type JsonObject, own, type RequestId } from '@/lib/json/value';
import type { Era } from '@/lib/wire/lifecycle';
import type { Headers } from './http-link';
import { encodeHeaderValue, type ParamHeaders } from './param-headers';

/** Which param names what a request is about, by method (2026-07-28, standard request headers). */
const NAMED_BY: ReadonlyMap<string, string> = new Map([
  ['tools/call', 'name'],
  ['prompts/get', 'name'],
  ['resources/read', 'uri'],
  ['tasks/get', 'taskId'],
  ['tasks/update', 'taskId'],
  ['tasks/cancel', 'taskId'],
]);

/** Headers of a POST that come from its message. A modern one repeats there what it is about. */
export function requestHeaders(
  message: OutgoingMessage,
  era: Era | undefined,
  version: string | undefined,
  tools: ParamHeaders,
): Headers {
  const content: Headers = [
    ['Content-Type', 'application/json'],
    ['Accept', 'application/json, text/event-stream'],
  ];
  const modern = message.version ?? (era === 'modern' ? version : undefined);
  if (modern === undefined) return content;
  const { method, params } = message;
  const key = NAMED_BY.get(method ?? '');
  const name = key === undefined ? undefined : own(params, key);
  return [
    ...content,
    ['MCP-Protocol-Version', encodeHeaderValue(modern)],
    ...(method === undefined ? [] : [['Mcp-Method', encodeHeaderValue(method)] as const]),
    ...(typeof name === 'string' ? [['Mcp-Name', encodeHeaderValue(name)] as const] : []),
    ...(method === 'tools/call' && typeof name === 'string' ? tools.headersFor(name, message.text) : []),
  ];
}

/** The person's headers and the transport's; of two with one name, the transport's. */
export function withOwn(theirs: Headers, ours: Headers): Headers {
  const taken = new Set(ours.map(([name]) => name.toLowerCase()));
  return [...theirs.filter(([name]) => !taken.has(name.toLowerCase())), ...ours];
}

/** What a transport over HTTP has to know of a text that it posts. Nothing, if that is no JSON. */
export interface OutgoingMessage {
  readonly text: string;
  /** Of its requests; a batch may have several. */
  readonly ids: readonly RequestId[];
  readonly method: string | undefined;
  readonly params: JsonObject;
  /** The version that its `_meta` names, as modern requests do. */
  readonly version: string | undefined;
}

/** What ends the legacy handshake. */
export const INITIALIZED = 'notifications/initialized';

const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion';

/** Reads what is to be posted. Never throws. */
export function parseOutgoing(text: string): OutgoingMessage {
  const sent = parse(text);
  const messages = (Array.isArray(sent) ? sent : [sent]).filter(isObject);
  const ids = messages.flatMap((message) => {
    const id = own(message, 'id');
    const asks = typeof own(message, 'method') === 'string';
    return asks && (typeof id === 'string' || typeof id === 'number') ? [id] : [];
  });
  const only = isObject(sent) ? sent : {};
  const method = own(only, 'method');
  const params = own(only, 'params');
  const meta = isObject(params) ? own(params, '_meta') : undefined;
  const version = isObject(meta) ? own(meta, VERSION_KEY) : undefined;
  return {
    text,
    ids,
    method: typeof method === 'string' ? method : undefined,
    params: isObject(params) ? params : {},
    version: typeof version === 'string' ? version : undefined,
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
