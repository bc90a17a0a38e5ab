import { namedParams } from '@/components/exchange/named-params';
import { compactJson } from '@/lib/schema/json';
import { callHeaders } from '@/lib/snippets/call-headers';
import type { DescribedRequest } from '@/lib/snippets/described-request';
import { requestSnippets, type Snippet } from '@/lib/snippets/request-snippets';
import { messageSource } from '@/lib/store/answer-source';
import type { Log } from '@/lib/store/log';
import type { ToolEntry } from '@/lib/store/state';
import { own } from '@/lib/wire/message';

/** A call that was not sent yet, in every form in which it can be copied. The arguments may be no JSON, then they are all there is. */
export function callSnippets(log: Log, tool: ToolEntry, schema: unknown, argumentsText: string): readonly Snippet[] {
  const { start, era, version, transport } = log.state.connection;
  const first = { label: 'Arguments', text: () => argumentsText };
  try {
    const params = namedParams(tool.raw, argumentsText);
    const body = callText(params, era === 'modern' ? metaText(log) : undefined);
    const message = { label: 'Request', text: () => body };
    if (start === undefined) return [first, message];
    const request: DescribedRequest = { method: 'tools/call', params, start, era, version };
    const headers = callHeaders(request, String(own(tool.raw, 'name') ?? ''), schema, argumentsText);
    // Over HTTP+SSE the server says where messages go, and nothing was posted yet.
    const url = start.transport === 'stdio' || transport === 'sse' ? undefined : start.url;
    return [first, message, ...requestSnippets(request, url === undefined ? undefined : { url, headers, body })];
  } catch {
    return [first];
  }
}

/** The whole `tools/call` message around its params. */
export function callText(params: string, meta: string | undefined): string {
  const whole = meta === undefined ? params : `${params.slice(0, -1)},"_meta":${compactJson(meta)}}`;
  return `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${whole}}`;
}

/** The `_meta` that our requests carry. */
function metaText(log: Log): string | undefined {
  const listing = log.latestRequest('tools/list');
  const params = listing === undefined ? undefined : messageSource(log, listing)?.member('params');
  return params?.member('_meta')?.text;
}
