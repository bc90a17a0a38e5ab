import { isObject, own } from '@/lib/json/value';
import { countOf } from '@/lib/wire/format';
import { formatId, type RequestId } from '@/lib/wire/message';
import { newerVersion, updateAdvice } from '@/lib/wire/newer-version';
import { RPC_CODE } from '@/lib/wire/protocol-names';
import type { AttemptFacts } from '../attempt-facts';
import type { HttpExchangeFacts } from '../exchange-facts';
import type { DoctorFinding, Remedy } from '../finding';
import { quoteLine } from '../quote-line';
import { SILENCE } from '../silence';

/** Returns the versions that a refusal lists. */
function offered({ error }: AttemptFacts): readonly string[] {
  const data = error?.error.data;
  const list = isObject(data) ? (own(data, 'supported') ?? own(data, 'supportedVersions')) : undefined;
  return Array.isArray(list) ? list.filter((one): one is string => typeof one === 'string').slice(0, 10) : [];
}

/** A version mismatch, reported by a JSON-RPC error with any HTTP status. */
export const VERSION: Remedy = {
  code: 'version-mismatch',
  step: 'mcp',
  find: (facts) => {
    const { error, failure } = facts;
    if (error?.error.code !== RPC_CODE.unsupportedVersion && failure.code !== 'version-unknown') return undefined;
    const versions = offered(facts);
    const newer = newerVersion(versions);
    const asked = facts.start.protocol === 'auto' ? '' : ` ${facts.start.protocol}`;
    return {
      what: error
        ? `The server does not support the requested protocol version${asked} (error ${error.error.code}).`
        : failure.message,
      advice:
        newer !== undefined
          ? updateAdvice(newer)
          : versions.length > 0
            ? `Choose a protocol version that it supports: ${versions.join(', ')}.`
            : error
              ? 'Choose auto or another protocol version.'
              : failure.advice,
      seq: error?.seq,
    };
  },
};

/** Another JSON-RPC error, with a status that does not explain the failure better. */
export const REFUSED: Remedy = {
  code: 'handshake-refused',
  step: 'mcp',
  find: ({ error, status, opened, method = 'the request' }) =>
    error && status !== undefined && status < 500 && ![401, 403, 404, 405, 429].includes(status)
      ? {
          what: `The server refused ${method} with error ${error.error.code}: ${JSON.stringify(error.error.message.slice(0, 300))}.`,
          advice: refusalAdvice(error.error.message, opened),
          seq: error.seq,
        }
      : undefined,
};

function refusalAdvice(message: string, opened: boolean): string {
  if (opened) return 'Check the server’s log.';
  return /already initiali[sz]ed/i.test(message)
    ? 'It may use one transport for all clients, so that only the first one can connect. Make a transport for each session. Until then, restart it.'
    : 'Choose another protocol version, or check the server’s log.';
}

/** A success status with content that is not MCP. */
export const CONTENT: readonly Remedy[] = [
  {
    code: 'web-page',
    step: 'content',
    elsewhere: true,
    find: ({ failure, type, status, exchange, opened }) =>
      failure.code === 'not-mcp' && type === 'text/html'
        ? {
            what: `${exchange?.request.url ?? 'This URL'} returns a web page (HTTP ${status}, text/html), not an MCP message. Apps often return their page for every path.`,
            advice: opened
              ? 'Check the server’s log.'
              : 'Use the path of the MCP server: usually /mcp, or /sse for older servers.',
            seq: exchange?.body?.seq ?? exchange?.response?.seq,
          }
        : undefined,
  },
  {
    code: 'wrong-type',
    step: 'content',
    elsewhere: true,
    find: ({ failure, type, status, exchange }) =>
      failure.code === 'not-mcp'
        ? {
            what: !exchange?.body
              ? `The server answered HTTP ${status}${type === '' ? '' : ` with ${type}`}, but the body is empty.`
              : type === ''
                ? `The server answered HTTP ${status} without a Content-Type.`
                : `The server answered HTTP ${status} with ${type}. MCP uses application/json or text/event-stream.`,
            advice: exchange?.body
              ? 'Check the path, or make the server send the right Content-Type.'
              : 'Make the server answer each request with a response.',
            seq: exchange?.response?.seq,
          }
        : undefined,
  },
  {
    code: 'encoding-unknown',
    step: 'content',
    find: ({ failure, exchange, method }) =>
      ['encoding-unknown', 'encoding-missing', 'body-broken', 'body-too-large'].includes(failure.code)
        ? { what: inAnswerTo(method, failure.message), advice: failure.advice, seq: exchange?.response?.seq }
        : undefined,
  },
  {
    code: 'body-cut',
    step: 'content',
    find: ({ failure, exchange, status, method, header }) => {
      if (status === undefined || status > 299 || failure.code !== 'connection-reset') return undefined;
      const [length, encoding] = [header('content-length'), header('content-encoding')];
      return {
        what: `The server closed the connection in the middle of its response${method === undefined ? '' : ` to ${method}`} (HTTP ${status}).`,
        advice:
          length === undefined || encoding === undefined
            ? 'Check the log of the server, and of a proxy in front of it.'
            : `It has Content-Length ${length} and Content-Encoding ${encoding}. Check that the length is that of the compressed body.`,
        seq: exchange?.response?.seq,
      };
    },
  },
  {
    code: 'connection-cut',
    step: 'http',
    find: ({ failure, exchange, status, method, answeredBefore }) =>
      status === undefined && answeredBefore && failure.code === 'connection-reset'
        ? {
            what: `The server closed the connection without a response${method === undefined ? '' : ` to ${method}`}. It had answered before.`,
            advice: 'Check the server’s log: it may have crashed or restarted.',
            seq: exchange?.end?.seq ?? exchange?.request.seq,
          }
        : undefined,
  },
];

/** Adds to a sentence about a response which request it answers. */
function inAnswerTo(method: string | undefined, sentence: string): string {
  if (method === undefined) return sentence;
  const named = sentence.replace(/ response\b/, ` response to ${method}`);
  return named === sentence ? `${sentence} It answers ${method}.` : named;
}

/** Says what came of a response that did not end. */
function cutSentence(
  { bytes, text = '' }: NonNullable<HttpExchangeFacts['body']>,
  status: number | undefined,
  type: string,
  header: AttemptFacts['header'],
  method: string,
): string {
  const length = header('content-length');
  const [what, missing] =
    type === 'text/event-stream'
      ? ['of an event', 'The empty line that ends it did not come.']
      : ['of a body', length === undefined ? 'Its end did not come.' : `Its Content-Length is ${length}.`];
  return `HTTP ${status} came in answer to ${method}, with ${countOf(bytes, 'byte')} ${what}: \`${quoteLine(text)}\`. ${missing}`;
}

/** Says what came of a request that got no response in time. */
function silence({
  failure,
  exchange,
  status,
  type,
  header,
  method = 'the request',
}: AttemptFacts): DoctorFinding | undefined {
  if (!SILENCE.has(failure.code)) return undefined;
  const came =
    status === undefined
      ? `No HTTP response to ${method} came.`
      : `HTTP ${status} came${type === '' ? '' : ` with ${type}`}, but no response to ${method}.`;
  const late = failure.code === 'timeout' ? ` ${failure.advice}` : '';
  const { body } = exchange ?? {};
  const isCut = body?.cut === true;
  const advice = isCut
    ? type === 'text/event-stream'
      ? 'Write an empty line after each event, and send it at once.'
      : `End the response${header('content-length') === undefined ? '' : ', or correct its Content-Length'}.`
    : 'Check that no proxy buffers the response. The server’s log may say what it is waiting for.';
  return {
    what: exchange
      ? `${failure.message} ${isCut ? cutSentence(body, status, type, header, method) : came}`
      : failure.message,
    advice: `${advice}${late}`,
    seq: (isCut ? body.seq : exchange?.response?.seq) ?? exchange?.sent?.seq,
  };
}

/** Recognises a response that has the id of an earlier request. One with an unused id is found before. */
function wrongId({ exchange, failure, method = 'the request' }: AttemptFacts): DoctorFinding | undefined {
  const { sent, answer } = exchange ?? {};
  if (failure.code !== 'no-answer' || !isObject(sent?.value) || !isObject(answer?.value)) return undefined;
  const [expected, got] = [own(sent.value, 'id'), own(answer.value, 'id')];
  if (own(answer.value, 'method') !== undefined || !isId(expected) || !isId(got) || got === expected) return undefined;
  return {
    what: `The server answered ${method} with the wrong id: ${formatId(got)}. Expected ${formatId(expected)}.`,
    advice: 'Copy the `id` of each request into its response, with the same JSON type.',
    seq: answer.seq,
  };
}

function isId(value: unknown): value is RequestId {
  return typeof value === 'string' || typeof value === 'number';
}

/** A handshake that did not complete although the connection worked. */
export const HANDSHAKE: readonly Remedy[] = [
  {
    code: 'silent',
    step: 'http',
    find: (facts) => (facts.exchange !== undefined && facts.status === undefined ? silence(facts) : undefined),
  },
  { code: 'silent', step: 'mcp', find: silence },
  { code: 'wrong-id', step: 'mcp', find: wrongId },
  {
    code: 'no-answer',
    step: 'mcp',
    find: ({ failure, exchange }) =>
      [
        'no-answer',
        'stream-lost',
        'endpoint-refused',
        'handshake-refused',
        'handshake-cancelled',
        'version-unknown',
      ].includes(failure.code)
        ? { what: failure.message, advice: failure.advice, seq: exchange?.end?.seq }
        : undefined,
  },
];
