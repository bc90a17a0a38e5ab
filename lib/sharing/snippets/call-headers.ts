import { JsonSource } from '@/lib/json/source';
import { MASK, type ShownHeaders } from '@/lib/wire/http-frame';
import { readHeaderParams } from '@/lib/wire/param-headers';
import { paramHeaders, standardHeaders } from '@/lib/wire/repeated-headers';
import type { DescribedRequest } from './described-request';

/**
 * Returns the HTTP headers of a `tools/call` (from 2025-03-26; in 2026-07-28 also method, name and marked arguments).
 * Secret and unknown values are masked. `schema` is the tool's; `argumentsText` may be blank.
 */
export function callHeaders(
  { start, era, version }: DescribedRequest,
  name: string,
  schema: unknown,
  argumentsText: string,
): ShownHeaders {
  const modern = era === 'modern';
  return [
    ['Content-Type', 'application/json'],
    ['Accept', 'application/json, text/event-stream'],
    ...(version === undefined ? [] : [['MCP-Protocol-Version', version] as const]),
    ...(modern ? standardHeaders('tools/call', { name }) : []),
    ...(modern ? mirrored(schema, argumentsText) : [['Mcp-Session-Id', MASK] as const]),
    ...(start.transport === 'stdio' ? [] : start.headerNames.map((header) => [header, MASK] as const)),
  ];
}

/** Returns the arguments that a schema repeats in headers (2026-07-28, `x-mcp-header`). None in invalid JSON. */
function mirrored(schema: unknown, argumentsText: string): ShownHeaders {
  const sent = paramHeaders(readHeaderParams(schema).params, JsonSource.parse(argumentsText));
  return sent.flatMap(({ name, value }) => (value === undefined ? [] : [[name, value] as const]));
}
