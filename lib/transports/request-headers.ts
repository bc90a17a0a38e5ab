import { jsonIn } from '@/lib/json/parse';
import { isObject, type JsonObject, own } from '@/lib/json/value';
import type { Era } from '@/lib/wire/lifecycle';
import type { RequestId } from '@/lib/wire/message';
import { META_KEY } from '@/lib/wire/protocol-names';
import { encodeHeaderValue, type ParamHeaders, standardHeaders } from '@/lib/wire/repeated-headers';
import type { Headers } from './http-link';

/**
 * Returns those headers of a POST that depend on its message. Modern requests repeat parts of the message in headers.
 */
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
  const name = own(params, 'name');
  return [
    ...content,
    ['MCP-Protocol-Version', encodeHeaderValue(modern)],
    ...standardHeaders(method, params),
    ...(method === 'tools/call' && typeof name === 'string' ? tools.headersFor(name, message.text) : []),
  ];
}

/** Merges the user's headers with the transport's, which win over the same name. */
export function withOwn(theirs: Headers, ours: Headers): Headers {
  const taken = new Set(ours.map(([name]) => name.toLowerCase()));
  return [...theirs.filter(([name]) => !taken.has(name.toLowerCase())), ...ours];
}

/** The parts of a message that decide how it is posted. Empty for text that is not JSON. */
export interface OutgoingMessage {
  readonly text: string;
  /** Ids of its requests; a batch may have several. */
  readonly ids: readonly RequestId[];
  readonly method: string | undefined;
  readonly params: JsonObject;
  /** The version in its `_meta`, which modern requests have. */
  readonly version: string | undefined;
}

/** Parses a text to be posted. Never throws. */
export function parseOutgoing(text: string): OutgoingMessage {
  const sent = jsonIn(text);
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
  const version = isObject(meta) ? own(meta, META_KEY.protocolVersion) : undefined;
  return {
    text,
    ids,
    method: typeof method === 'string' ? method : undefined,
    params: isObject(params) ? params : {},
    version: typeof version === 'string' ? version : undefined,
  };
}
