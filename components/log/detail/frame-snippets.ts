import { prettyJson } from '@/lib/schema/json';
import { type DescribedRequest, ownParams } from '@/lib/snippets/described-request';
import { requestSnippets, type Snippet } from '@/lib/snippets/request-snippets';
import { messageSource } from '@/lib/store/answer-source';
import { requestOf } from '@/lib/store/exchange-parts';
import type { Log } from '@/lib/store/log';
import type { Row } from '@/lib/store/row';
import { LIMITS } from '@/lib/wire/limits';
import { readHttpFrame } from '@/lib/wire/read-http-frame';

/** A frame in every form in which it can be copied: itself, and if it is a request of ours or about one, what sends that. */
export function frameSnippets(log: Log, row: Row): readonly Snippet[] {
  const text = () => log.text(row.seq - 1);
  const isJson = row.kind !== 'junk' && row.kind !== 'stderr' && row.bytes <= LIMITS.formattedBytes;
  return [
    ...(isJson ? [{ label: 'JSON', text: () => prettyJson(text()) }] : []),
    { label: 'Raw', text },
    ...sendingSnippets(log, row),
  ];
}

/** None unless the request itself is here: of its row alone another request would be made. */
function sendingSnippets(log: Log, row: Row): readonly Snippet[] {
  const seq = requestOf(log, row);
  const { start, era, version } = log.state.connection;
  const exchange = seq === undefined ? undefined : log.exchange(seq);
  if (seq === undefined || start === undefined || exchange?.direction !== 'to-server') return [];
  if (!log.isHere(seq)) return [];
  const params = messageSource(log, seq)?.member('params')?.text;
  const request: DescribedRequest = { method: exchange.method, params: ownParams(params), start, era, version };
  // The frame before a message says how it was posted.
  const carrier = seq > 1 && log.columns.kind(seq - 2) === 'http' ? readHttpFrame(log.text(seq - 2)) : undefined;
  const posted = carrier?.kind === 'request' ? carrier : undefined;
  return requestSnippets(request, posted && { url: posted.url, headers: posted.headers, body: log.text(seq - 1) });
}
