import { isNumber, tryParseJson, writeNumber } from '@/lib/json/exact';
import { isObject, own } from '@/lib/json/value';
import { view as viewOf } from '@/lib/schema/view';
import { isHeaderToken } from '@/lib/wire/header-fields';
import { MASK, type ShownHeaders } from '@/lib/wire/http-frame';
import type { DescribedRequest } from './described-request';

/**
 * The headers that a `tools/call` would be posted with (2025-03-26 on; 2026-07-28: method, name and marked arguments too), values
 * that are secret or not known yet masked. `schema` is the tool's, `argumentsText` may be blank.
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
 * The arguments that the schema wants repeated in headers (2026-07-28, `x-mcp-header`), however deep. None of what is no JSON, and
 * none by what is no header name: a line feed in it would begin another header.
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

/** A value as a header can carry it: as it is, or as `=?base64?…?=` of its UTF-8. */
function encoded(value: string): string {
  if (/^(?:[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?)?$/.test(value)) return value;
  const bytes = new TextEncoder().encode(value);
  return `=?base64?${btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))}?=`;
}
