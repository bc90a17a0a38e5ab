import { ATTRIBUTE, ERROR_TYPE, EXECUTE_TOOL, OWN_ATTRIBUTE, REFUSAL_CODES } from './semantic-conventions';
import {
  type Attributes,
  otlpAttributes,
  SPAN_KIND,
  STATUS_CODE,
  spanFlags,
  unixNano,
  type WrittenSpan,
} from './write-otlp';

/** Most characters of an attribute. A server or host can send any. */
const ATTRIBUTE_CHARS = 512;

/** How a request ended, as lib/store tells it. */
export type SpanOutcome = 'ok' | 'error' | 'tool-error' | 'cancelled' | 'timeout' | 'lost' | 'refused';

/** A position in a trace, for a new span. */
export interface SpanPlace {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  /** Its parent is a span of another process. */
  readonly isRemote?: true;
  readonly sampled: boolean;
}

/** A request and its response, without what they carry. */
export interface SpanExchange {
  readonly method: string;
  /** Sent by the client. */
  readonly toServer: boolean;
  readonly id?: string | number | undefined;
  /** Name of the tool or prompt, or URI of the resource. */
  readonly subject?: string | undefined;
  /** Microseconds since the start of the log. */
  readonly startUs: number;
  readonly endUs: number;
  readonly outcome: SpanOutcome;
  /** Code of a JSON-RPC error. */
  readonly code?: number | undefined;
  readonly frame: number;
  readonly responseFrame?: number | undefined;
  readonly requestBytes?: number | undefined;
  readonly responseBytes?: number | undefined;
  readonly progress?: number | undefined;
  /** How often the client was asked for input before the final result. */
  readonly rounds?: number | undefined;
  /** For a request that gives input: 2 for the second request of a call, and so on. */
  readonly round?: number | undefined;
  /** How often the request had been sent before. */
  readonly resent?: number | undefined;
  readonly isTask?: boolean | undefined;
  /** Number of the session. */
  readonly session?: number | undefined;
  /** Set if this request says another version than the connection. */
  readonly protocolVersion?: string | undefined;
}

/** Facts about a connection that all its spans have. */
export interface SpanConnection {
  /** Start of the log, in milliseconds since 1970. */
  readonly atMs: number;
  /** Id and file name of the recording. Absent: it is not recorded. */
  readonly recording?: string | undefined;
  readonly file?: string | undefined;
  readonly transport?: 'pipe' | 'tcp' | undefined;
  readonly address?: string | undefined;
  readonly port?: number | undefined;
  readonly protocolVersion?: string | undefined;
  readonly server?: string | undefined;
  readonly serverVersion?: string | undefined;
  readonly client?: string | undefined;
}

/** Methods whose subject is a URI. */
const ABOUT_RESOURCE: ReadonlySet<string> = new Set(['resources/read', 'resources/subscribe', 'resources/unsubscribe']);

/** Returns the attributes that spans and metrics share. None has a value that is different for each call. */
export function operationAttributes(facts: SpanExchange, connection: SpanConnection): Attributes {
  const { method, subject, code, toServer } = facts;
  return {
    [ATTRIBUTE.method]: cut(method),
    [ATTRIBUTE.tool]: method === 'tools/call' ? cut(subject) : undefined,
    [ATTRIBUTE.operation]: method === 'tools/call' ? EXECUTE_TOOL : undefined,
    [ATTRIBUTE.prompt]: method === 'prompts/get' ? cut(subject) : undefined,
    [ATTRIBUTE.errorType]: errorType(facts),
    [ATTRIBUTE.errorCode]: code === undefined ? undefined : String(code),
    [ATTRIBUTE.protocolVersion]: cut(facts.protocolVersion ?? connection.protocolVersion),
    [ATTRIBUTE.transport]: connection.transport,
    [ATTRIBUTE.networkProtocol]: connection.transport === 'tcp' ? 'http' : undefined,
    [ATTRIBUTE.serverAddress]: toServer ? cut(connection.address) : undefined,
    [ATTRIBUTE.serverPort]: toServer && connection.address !== undefined ? connection.port : undefined,
  };
}

/** Returns the class of the error; undefined for success. */
function errorType({ outcome, code, toServer }: SpanExchange): string | undefined {
  if (outcome === 'ok') return undefined;
  if (code === undefined) return outcome === 'error' ? '_OTHER' : ERROR_TYPE[outcome];
  return toServer || !REFUSAL_CODES.has(code) ? String(code) : undefined;
}

/** Returns the span of an exchange. Nothing in it is from arguments, results, or the text of errors. */
export function exchangeSpan(facts: SpanExchange, place: SpanPlace, connection: SpanConnection): WrittenSpan {
  const { method, subject, startUs, endUs, session } = facts;
  const { atMs, recording } = connection;
  const shared = operationAttributes(facts, connection);
  const target = method === 'tools/call' || method === 'prompts/get' ? subject : undefined;
  const about: Attributes = {
    ...shared,
    [ATTRIBUTE.resourceUri]: ABOUT_RESOURCE.has(method) ? cut(subject && withoutQuery(subject)) : undefined,
    [ATTRIBUTE.requestId]: facts.id === undefined ? undefined : cut(String(facts.id)),
    [ATTRIBUTE.session]: session === undefined || recording === undefined ? undefined : `${recording}.${session}`,
    [ATTRIBUTE.resendCount]: facts.resent || undefined,
    [OWN_ATTRIBUTE.recording]: cut(recording),
    [OWN_ATTRIBUTE.file]: cut(connection.file),
    [OWN_ATTRIBUTE.frame]: facts.frame,
    [OWN_ATTRIBUTE.responseFrame]: facts.responseFrame,
    [OWN_ATTRIBUTE.requestBytes]: facts.requestBytes,
    [OWN_ATTRIBUTE.responseBytes]: facts.responseBytes,
    [OWN_ATTRIBUTE.progress]: facts.progress || undefined,
    [OWN_ATTRIBUTE.rounds]: facts.rounds || undefined,
    [OWN_ATTRIBUTE.round]: facts.round,
    [OWN_ATTRIBUTE.task]: facts.isTask || undefined,
    [OWN_ATTRIBUTE.server]: cut(connection.server),
    [OWN_ATTRIBUTE.serverVersion]: cut(connection.serverVersion),
    [OWN_ATTRIBUTE.client]: cut(connection.client),
  };
  return {
    traceId: place.traceId,
    spanId: place.spanId,
    ...(place.parentSpanId !== undefined && { parentSpanId: place.parentSpanId }),
    name: cut(target === undefined ? method : `${method} ${target}`)!,
    kind: facts.toServer ? SPAN_KIND.client : SPAN_KIND.server,
    startTimeUnixNano: unixNano(atMs, startUs),
    endTimeUnixNano: unixNano(atMs, Math.max(startUs, endUs)),
    attributes: otlpAttributes(about),
    droppedAttributesCount: 0,
    events: [],
    droppedEventsCount: 0,
    status: { code: shared[ATTRIBUTE.errorType] === undefined ? STATUS_CODE.unset : STATUS_CODE.error },
    links: [],
    droppedLinksCount: 0,
    flags: spanFlags(place.sampled, place.isRemote === true),
  };
}

/** Returns a URI without its user info, query and fragment, which may be arguments or secrets. */
function withoutQuery(uri: string): string {
  return uri.replace(/[?#].*$/s, '').replace(/^([a-z][\w+.-]*:\/\/)[^/]*@/i, '$1');
}

function cut(text: string | undefined): string | undefined {
  return text === undefined || text.length <= ATTRIBUTE_CHARS ? text : `${text.slice(0, ATTRIBUTE_CHARS - 1)}…`;
}
