import type { Failure } from '@/lib/wire/lifecycle';
import type { AttemptFacts } from '../attempt-facts';
import type { HttpExchangeFacts } from '../exchange-facts';
import { type DoctorFinding, LEAVE_OUT_TRANSPORT, type Remedy } from '../finding';
import { quoteLine } from '../quote-line';
import { SILENCE } from '../silence';

/** The endpoint that an event stream of HTTP+SSE announces. */
export const ENDPOINTS: readonly Remedy[] = [
  { code: 'endpoint-refused', step: 'mcp', find: endpointElsewhere },
  { code: 'endpoint-not-found', step: 'http', find: endpointNotFound },
  {
    code: 'get-unanswered',
    step: 'http',
    find: ({ exchange, fellBack, isSse, failure }) =>
      isSse && exchange?.request.method === 'GET' && exchange.response === undefined && SILENCE.has(failure.code)
        ? {
            what: `The server accepted the connection, but did not answer GET ${exchange.request.url}.${refusedPost(fellBack)}`,
            advice: `HTTP+SSE starts with the answer to that GET. ${fellBack ? 'Check that no proxy buffers it, and the server’s log.' : LEAVE_OUT_TRANSPORT}${more(failure)}`,
            seq: exchange.request.seq,
          }
        : undefined,
  },
  { code: 'no-endpoint', step: 'mcp', elsewhere: true, find: endpointMissing },
];

/** Recognises an event stream without the event that names the endpoint. */
function endpointMissing(facts: AttemptFacts): DoctorFinding | undefined {
  const { announced, exchange, failure, fellBack, isSse, status, type } = facts;
  const isStream = exchange?.request.method === 'GET' && status === 200 && type === 'text/event-stream';
  if (!isSse || !isStream || announced || !SILENCE.has(failure.code)) return undefined;
  const first = exchange.events.find(({ event, data }) => event !== undefined || data !== undefined);
  const instead = first
    ? ` Its first event has the type ${JSON.stringify((first.event ?? 'message').slice(0, 80))}.`
    : '';
  const cause =
    failure.code === 'no-endpoint'
      ? failure.message
      : 'The server opened an event stream, but sent no endpoint event in time.';
  const buffers = 'check that no proxy buffers the stream.';
  return {
    what: `${cause}${instead}${refusedPost(fellBack)}`,
    advice: fellBack
      ? `HTTP+SSE starts with the endpoint event: send it first, and ${buffers}${more(failure)}`
      : `HTTP+SSE starts with the endpoint event. Streamable HTTP servers open such streams too. ${LEAVE_OUT_TRANSPORT} Also ${buffers}${more(failure)}`,
    seq: first?.seq ?? exchange.response?.seq,
  };
}

function refusedPost(fellBack: AttemptFacts['fellBack']): string {
  const { request, response } = fellBack?.refusal ?? {};
  return request && response ? ` It answered ${request.method} with HTTP ${response.status}.` : '';
}

/** Returns the advice to allow more time, where that could help. */
function more({ code, advice }: AttemptFacts['failure']): string {
  return code === 'timeout' ? ` ${advice}` : '';
}

/** Streams that answer a request, but hold no answer to it that clients read. */
export const STREAMS: readonly Remedy[] = [
  { code: 'event-ignored', step: 'mcp', find: eventIgnored },
  { code: 'event-unfinished', step: 'mcp', find: eventUnfinished },
  { code: 'no-events', step: 'content', find: linesWithoutField },
];

function endpointElsewhere({ announced, exchange, failure, url }: AttemptFacts): DoctorFinding | undefined {
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
function endpointNotFound({ announced, exchange, status }: AttemptFacts): DoctorFinding | undefined {
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
function eventIgnored({ exchange, failure, method }: AttemptFacts): DoctorFinding | undefined {
  if (failure.code !== 'no-answer' && !SILENCE.has(failure.code)) return undefined;
  const others = (exchange?.events ?? []).filter(({ event }) => event !== undefined && !READ_EVENTS.test(event));
  const found = others.find(({ data }) => isMessage(data));
  if (!found) return failure.code === 'no-answer' ? endedBy(others.at(-1), failure) : undefined;
  const name = JSON.stringify(found.event!.slice(0, 80));
  return {
    what: `The server sent a message as an event of type ${name}${method === undefined ? '' : `, in answer to ${method}`}. Clients ignore it: messages have the type "message".`,
    advice: `Write \`event: message\` instead of \`event: ${found.event!.slice(0, 80)}\`, or leave the line out.`,
    seq: found.seq,
  };
}

/** Events that clients read, and signs of life. */
const READ_EVENTS = /^(?:message|endpoint|ping|heartbeat|keep-?alive)$/i;

/** The finding about an event of a type of the server's own, after which it ended the stream. */
function endedBy(
  event: HttpExchangeFacts['events'][number] | undefined,
  { message }: Failure,
): DoctorFinding | undefined {
  if (!event?.data) return undefined;
  return {
    what: `${message} Its last event has the type ${JSON.stringify(event.event!.slice(0, 80))}: \`${quoteLine(event.data)}\`.`,
    advice: 'Clients ignore such an event. Answer with a JSON-RPC error instead.',
    seq: event.seq,
  };
}

/** Recognises JSON or a web page that is sent as an event stream. */
function linesWithoutField({
  exchange,
  failure,
  type,
  method = 'the request',
}: AttemptFacts): DoctorFinding | undefined {
  const text = failure.code === 'no-answer' && type === 'text/event-stream' ? exchange?.body?.text : undefined;
  if (text === undefined) return undefined;
  return {
    what: `The server answered ${method} with text/event-stream, but not with events: \`${quoteLine(text)}\`. Clients ignore lines without \`data:\`.`,
    advice: 'Send JSON as `application/json`, or write `data: ` before each line of it.',
    seq: exchange?.body?.seq,
  };
}

/** Recognises an event without the blank line that ends it. */
function eventUnfinished({ exchange, failure, method }: AttemptFacts): DoctorFinding | undefined {
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
