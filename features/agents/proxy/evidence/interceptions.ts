import type { InterceptedMessage } from '@/lib/store/exchanges/interceptions';
import type { Log } from '@/lib/store/log';
import type { InterceptDid } from '@/lib/wire/intercept';
import { idKey } from '@/lib/wire/message';

/** The message is passed on in the end, as its sender sent it. */
const LATE: ReadonlySet<InterceptDid> = new Set(['delay', 'release', 'duplicate']);

/** An interception of an exchange. */
export interface ExchangeInterception {
  /** The latest one that matters. */
  readonly by: InterceptedMessage;
  /** True if the client got something else than the server sent, or the server something else than the client. */
  readonly isChanged: boolean;
}

/** Returns the interceptions of requests of the client, by the seq of the request. */
export function interceptedExchanges(log: Log): ReadonlyMap<number, ExchangeInterception> {
  const found = new Map<number, ExchangeInterception>();
  const { columns, size, interceptions } = log;
  const newest = new Map<string, number>();
  const add = (request: number, by: InterceptedMessage | undefined): void => {
    if (!by || by.event.did === 'pass' || by.event.did === 'progress') return;
    // The name of a tool or its definition is changed on the way, and the answer is the server's.
    if (by.event.did === 'overlay' && by.made === undefined) return;
    const isChanged = !LATE.has(by.event.did);
    if (isChanged || !found.get(request)?.isChanged) found.set(request, { by, isChanged });
  };
  for (let index = 0; index < size; index++) {
    const seq = index + 1;
    const by = interceptions.of(seq);
    if (columns.kind(index) === 'request' && columns.direction(index) === 'to-server') {
      const { id, responseSeq } = log.exchange(seq) ?? {};
      if (id !== undefined) newest.set(idKey(id), seq);
      add(seq, by);
      if (responseSeq !== undefined) add(seq, interceptions.of(responseSeq));
    } else if (by?.seq === seq && by.event.direction === 'to-client' && by.event.id !== undefined) {
      // The client may never have got the response.
      const request = newest.get(idKey(by.event.id));
      if (request !== undefined) add(request, by);
    }
  }
  return found;
}

const SENTENCES: { readonly [D in InterceptDid]?: string } = {
  delay: 'mcp-inspect delayed a message of this request',
  release: 'mcp-inspect held a message of this request for a person',
  duplicate: 'mcp-inspect duplicated a message of this request',
  drop: 'mcp-inspect dropped a message of this request',
  replace: 'mcp-inspect replaced a message of this request',
  error: 'mcp-inspect answered with this error, not the server',
  result: 'mcp-inspect answered with this result, not the server',
  'answer-from': 'mcp-inspect answered from a recording, not the server',
  cut: 'mcp-inspect cut the stream of this request',
  overlay: 'mcp-inspect refused this call, because an overlay hides the tool',
};

/** Says what was done, without the name of the rule. */
export function interceptionText({ by: { event } }: ExchangeInterception): string {
  return SENTENCES[event.did] ?? 'mcp-inspect intercepted a message of this request';
}
