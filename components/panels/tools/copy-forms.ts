import { quote } from 'shlex';
import { namedParams } from '@/components/exchange/named-params';
import { compactJson, tryParseJson } from '@/lib/schema/json';
import { isNumber, writeNumber } from '@/lib/schema/number-text';
import { view as viewOf } from '@/lib/schema/view';
import type { Era, LifecycleEvent } from '@/lib/wire/lifecycle';
import { isObject, type JsonObject, own } from '@/lib/wire/message';

/** How a connection was made. */
type Start = Extract<LifecycleEvent, { event: 'start' }>;

/** A call that is to be written down. */
export interface CopiedCall {
  readonly tool: JsonObject;
  readonly schema: unknown;
  /** JSON text; blank for none. */
  readonly argumentsText: string;
  readonly start: Start | undefined;
  readonly era: Era | undefined;
  readonly version: string | undefined;
  /** The `_meta` that our requests carry, as text, if they do. */
  readonly meta: string | undefined;
}

/** The arguments alone, as they are written. */
export function argumentsText({ argumentsText }: CopiedCall): string {
  return argumentsText;
}

/** The whole `tools/call` request. */
export function requestText(call: CopiedCall): string {
  const params = namedParams(call.tool, call.argumentsText);
  const whole = call.meta === undefined ? params : `${params.slice(0, -1)},"_meta":${compactJson(call.meta)}}`;
  return `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${whole}}`;
}

/** The call from a terminal: curl for a server at a URL, our own command for one that is started. Undefined while unknown. */
export function shellText(call: CopiedCall): string | undefined {
  const { start } = call;
  if (start === undefined) return undefined;
  if (start.transport === 'stdio') {
    const name = String(own(call.tool, 'name') ?? '');
    const args = call.argumentsText.trim() === '' ? [] : ['--args', compactJson(call.argumentsText)];
    return ['npx', 'mcp-inspect', 'call', name, ...args, '--', start.command, ...start.args].map(quote).join(' ');
  }
  const headers = [...headersOf(call), ...start.headerNames.map((name) => [name, '…'] as const)];
  const lines = headers.map(([name, value]) => `  -H ${quote(`${name}: ${value}`)}`);
  return [`curl -sN ${quote(start.url)}`, ...lines, `  -d ${quote(requestText(call))}`].join(' \\\n');
}

/** How a host is told of the server: the `mcpServers` of its config. Values that are secret are to be filled in. */
export function configText({ start }: CopiedCall): string | undefined {
  if (start === undefined) return undefined;
  const blanks = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, '…']));
  const server =
    start.transport === 'stdio'
      ? {
          command: start.command,
          args: start.args,
          ...(start.environment.added.length > 0 && { env: blanks(start.environment.added) }),
        }
      : { url: start.url, ...(start.headerNames.length > 0 && { headers: blanks(start.headerNames) }) };
  return JSON.stringify({ mcpServers: { [start.name]: server } }, null, 2);
}

function headersOf(call: CopiedCall): (readonly [name: string, value: string])[] {
  const modern = call.era === 'modern';
  return [
    ['Content-Type', 'application/json'],
    ['Accept', 'application/json, text/event-stream'],
    ...(call.version === undefined ? [] : [['MCP-Protocol-Version', call.version] as const]),
    ...(modern
      ? [['Mcp-Method', 'tools/call'] as const, ['Mcp-Name', encoded(String(own(call.tool, 'name') ?? ''))] as const]
      : []),
    ...(modern ? mirrored(call) : [['Mcp-Session-Id', '…'] as const]),
  ];
}

/** The arguments that the schema wants repeated in headers (2026-07-28, `x-mcp-header`), however deep. */
function mirrored({ schema, argumentsText }: CopiedCall): (readonly [string, string])[] {
  const parsed = tryParseJson(argumentsText);
  return parsed.ok ? within(schema, parsed.value) : [];

  function within(node: unknown, value: unknown): (readonly [string, string])[] {
    const view = viewOf(node, schema);
    if (view.kind !== 'object' || !isObject(value)) return [];
    return view.properties.flatMap(({ name, schema: property }) => {
      const inner = own(value, name);
      const { header } = viewOf(property, schema);
      if (header === undefined) return within(property, inner);
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
