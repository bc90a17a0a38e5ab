import { isNumber, tryParseJson, writeNumber } from '@/lib/json/exact';
import { isObject, own } from '@/lib/json/value';
import { view as viewOf } from '@/lib/schema/view';
import { isHeaderToken } from '@/lib/wire/header-fields';
import { MASK, type ShownHeaders } from '@/lib/wire/http-frame';
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
    ...(modern ? [['Mcp-Method', 'tools/call'] as const, ['Mcp-Name', encoded(name)] as const] : []),
    ...(modern ? mirrored(schema, argumentsText) : [['Mcp-Session-Id', MASK] as const]),
    ...(start.transport === 'stdio' ? [] : start.headerNames.map((header) => [header, MASK] as const)),
  ];
}

/**
 * Returns the arguments that a schema repeats in headers (2026-07-28, `x-mcp-header`), at any depth. Skips invalid JSON
 * and invalid header names, which could start another header.
 */
function mirrored(schema: unknown, argumentsText: string): ShownHeaders {
  const parsed = tryParseJson(argumentsText);
  return parsed.ok ? within(schema, parsed.value) : [];

  function within(node: unknown, value: unknown): ShownHeaders {
    const view = viewOf(node, schema);
    if (view.kind !== 'object' || !isObject(value)) return [];
    return view.properties.flatMap(({ name, schema: property }) => {
      const inner = own(value, name);
      const { header } = viewOf(property, schema);
      if (header === undefined) return within(property, inner);
      if (!isHeaderToken(header)) return [];
      return isNumber(inner) || typeof inner === 'string' || typeof inner === 'boolean'
        ? [[`Mcp-Param-${header}`, encoded(isNumber(inner) ? writeNumber(inner) : String(inner))] as const]
        : [];
    });
  }
}

/** Returns a value as a header can hold it: plain, or as `=?base64?…?=` of its UTF-8. */
function encoded(value: string): string {
  if (/^(?:[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?)?$/.test(value)) return value;
  const bytes = new TextEncoder().encode(value);
  return `=?base64?${btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))}?=`;
}
