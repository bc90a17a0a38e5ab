import type { AttemptFacts } from '../attempt-facts';
import { type Finding, LEAVE_OUT_TRANSPORT, type Remedy } from '../finding';

/** The endpoint that an event stream of HTTP+SSE announces. */
export const ENDPOINTS: readonly Remedy[] = [
  { code: 'endpoint-refused', step: 'mcp', find: endpointElsewhere },
  { code: 'endpoint-not-found', step: 'http', find: endpointNotFound },
  {
    code: 'get-unanswered',
    step: 'http',
    find: ({ exchange, start, failure }) =>
      exchange?.request.method === 'GET' && exchange.response === undefined && SILENCE.has(failure.code)
        ? {
            what: `The server accepted the connection, but did not answer GET ${exchange.request.url}.`,
            advice: `HTTP+SSE starts with the answer to that GET. ${start.transport === 'sse' ? LEAVE_OUT_TRANSPORT : 'Check that no proxy buffers it, and the server’s log.'}`,
            seq: exchange.request.seq,
          }
        : undefined,
  },
];

/** Codes of failures after which nothing had come in time. */
export const SILENCE: ReadonlySet<string> = new Set([
  ...['get-unanswered', 'no-endpoint', 'handshake-timeout', 'probe-timeout', 'timeout'],
]);

/** Streams that answer a request, but hold no answer to it that clients read. */
export const STREAMS: readonly Remedy[] = [
  { code: 'event-ignored', step: 'mcp', find: eventIgnored },
  { code: 'event-unfinished', step: 'mcp', find: eventUnfinished },
];

function endpointElsewhere({ announced, exchange, failure, url }: AttemptFacts): Finding | undefined {
  const isRefused = failure.code === 'endpoint-refused' || exchange?.end?.code === 'endpoint-refused';
  if (!isRefused || !announced || !url) return undefined;
  const { text, event, stream } = announced;
  if (!URL.canParse(text, stream.request.url)) {
    return {
      what: `The event stream at ${url.origin} announces the endpoint ${JSON.stringify(text.slice(0, 200))}, which is an invalid URL.`,
      advice: 'Make its endpoint event name a path.',
      seq: event.seq,
    };
  }
  const { origin } = new URL(text, stream.request.url);
  return {
    what: `The event stream at ${url.origin} announces an endpoint at another origin, ${origin}. mcp-inspect sends headers only to the origin of the URL.`,
    advice: `Make its endpoint event name a path, or ${url.origin}. Servers behind a proxy often announce their internal address.`,
    seq: event.seq,
  };
}

/** Recognises an endpoint that does not exist, mostly because a proxy adds a prefix that the server does not know. */
function endpointNotFound({ announced, exchange, status }: AttemptFacts): Finding | undefined {
  if (!announced || exchange?.request.method !== 'POST' || (status !== 404 && status !== 405)) return undefined;
  const { stream, event } = announced;
  const { url } = exchange.request;
  if (!URL.canParse(url) || !URL.canParse(stream.request.url)) return undefined;
  // Auto mode posts to the URL of the stream before there is one.
  if (exchange.request.seq < event.seq) return undefined;
  const [home, endpoint] = [new URL(stream.request.url), new URL(url)];
  const prefix = home.pathname.replace(/\/[^/]*\/?$/, '');
  const lacks = prefix !== '' && !endpoint.pathname.startsWith(`${prefix}/`);
  return {
    what: `The event stream at ${home.pathname} works, but the endpoint that it announces, ${url}, answered POST with HTTP ${status}.`,
    advice: lacks
      ? `The endpoint lacks the prefix ${prefix} of the stream, which a proxy or a mount may add. Make the server announce ${prefix}${endpoint.pathname} (root_path, mount path).`
      : 'Check the path in the server’s endpoint event, and the routes of a proxy in front of it.',
    seq: exchange.response?.seq,
  };
}

/** Recognises a message in an event of another type than `message`. */
function eventIgnored({ exchange, failure, method }: AttemptFacts): Finding | undefined {
  if (failure.code !== 'no-answer' && !SILENCE.has(failure.code)) return undefined;
  const found = exchange?.events.find(
    ({ event, data }) => event !== undefined && event !== 'message' && event !== 'endpoint' && isMessage(data),
  );
  if (!found) return undefined;
  const name = JSON.stringify(found.event!.slice(0, 80));
  return {
    what: `The server sent a message as an event of type ${name}${method === undefined ? '' : `, in answer to ${method}`}. Clients ignore it: messages have the type "message".`,
    advice: `Write \`event: message\` instead of \`event: ${found.event!.slice(0, 80)}\`, or leave the line out.`,
    seq: found.seq,
  };
}

/** Recognises an event without the blank line that ends it. */
function eventUnfinished({ exchange, failure, method }: AttemptFacts): Finding | undefined {
  if (failure.code !== 'no-answer' && !SILENCE.has(failure.code)) return undefined;
  const found = exchange?.events.find(({ unfinished }) => unfinished);
  if (!found) return undefined;
  const name = found.event === undefined ? 'an event' : `\`event: ${found.event.slice(0, 80)}\``;
  return {
    what: `The stream${method === undefined ? '' : ` that answers ${method}`} ended in the middle of ${name}: the blank line after it is missing, so clients ignore it.`,
    advice: 'Write an empty line after each event, also after the last one.',
    seq: found.seq,
  };
}

function isMessage(data: string | undefined): boolean {
  return data !== undefined && /^\s*[[{]/.test(data) && /"(?:jsonrpc|result|error|method)"\s*:/.test(data);
}
