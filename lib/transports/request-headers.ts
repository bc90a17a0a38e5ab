import type { Era } from '@/lib/wire/lifecycle';
import { own } from '@/lib/wire/message';
import type { Headers } from './http-link';
import type { Outgoing } from './outgoing';
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
  message: Outgoing,
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
