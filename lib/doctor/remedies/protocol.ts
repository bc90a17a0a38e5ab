import { isObject, own } from '@/lib/json/value';
import { RPC_CODE } from '@/lib/wire/protocol-names';
import type { AttemptFacts } from '../attempt-facts';
import { LEAVE_OUT_TRANSPORT, type Remedy } from '../finding';

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
    const asked = facts.start.protocol === 'auto' ? '' : ` ${facts.start.protocol}`;
    return {
      what: error
        ? `The server does not support the requested protocol version${asked} (error ${error.error.code}).`
        : failure.message,
      advice:
        versions.length > 0
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
  find: ({ error, exchange, status }) =>
    error && status !== undefined && status < 500 && ![401, 403, 404, 405, 429].includes(status)
      ? {
          what: `The server refused ${methodOf(exchange?.sent?.value)} with error ${error.error.code}: ${JSON.stringify(error.error.message.slice(0, 300))}.`,
          advice: 'Choose another protocol version, or check the server’s log.',
          seq: error.seq,
        }
      : undefined,
};

/** A success status with content that is not MCP. */
export const CONTENT: readonly Remedy[] = [
  {
    code: 'web-page',
    step: 'content',
    elsewhere: true,
    find: ({ failure, type, status, exchange }) =>
      failure.code === 'not-mcp' && type === 'text/html'
        ? {
            what: `This URL returns a web page (HTTP ${status}, text/html), not an MCP server. Apps often return their page for every path.`,
            advice: 'Use the path of the MCP server: usually /mcp, or /sse for older servers.',
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
            what:
              type === ''
                ? `The server answered HTTP ${status} without a Content-Type.`
                : `The server answered HTTP ${status} with ${type}. MCP uses application/json or text/event-stream.`,
            advice: 'Check the path, or make the server send the right Content-Type.',
            seq: exchange?.response?.seq,
          }
        : undefined,
  },
  {
    code: 'encoding-unknown',
    step: 'content',
    find: ({ failure }) =>
      ['encoding-unknown', 'body-broken', 'body-too-large'].includes(failure.code)
        ? { what: failure.message, advice: failure.advice }
        : undefined,
  },
];

/** A handshake that did not complete although HTTP worked. */
export const HANDSHAKE: readonly Remedy[] = [
  {
    code: 'no-endpoint',
    step: 'mcp',
    elsewhere: true,
    find: ({ failure, exchange }) =>
      failure.code === 'no-endpoint'
        ? {
            what: 'The server opened an event stream but did not send the endpoint event that HTTP+SSE starts with.',
            advice: `Streamable HTTP servers open such streams too. ${LEAVE_OUT_TRANSPORT} Also check that no proxy buffers the stream.`,
            seq: exchange?.response?.seq,
          }
        : undefined,
  },
  {
    code: 'silent',
    step: 'mcp',
    find: ({ failure, exchange }) =>
      failure.code === 'handshake-timeout' || failure.code === 'probe-timeout'
        ? {
            what: failure.message,
            advice: 'Check that no proxy buffers the response. The server’s log may say what it is waiting for.',
            seq: exchange?.sent?.seq,
          }
        : undefined,
  },
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

function methodOf(message: unknown): string {
  const method = isObject(message) ? own(message, 'method') : undefined;
  return typeof method === 'string' ? method.slice(0, 100) : 'the request';
}
