import { startsWithBom } from '@/lib/json/parse';
import { isObject, own } from '@/lib/json/value';
import { messagesOf } from '@/lib/store/classify';
import { explainBrokenAnswer } from '@/lib/store/exchanges/answer-faults';
import { PrintedObjects } from '@/lib/store/exchanges/printed-objects';
import { brokenAnswer } from '@/lib/store/exchanges/unmatched-answers';
import type { ProtocolVersion } from '@/lib/wire/lifecycle';
import { messageRule, type ProtocolRule, quote } from '../rule';

/** Rules about framing and the JSON-RPC envelope. */
export const FRAMING_RULES: readonly ProtocolRule[] = [
  {
    id: 'stdout-junk',
    severity: 'error',
    title: 'Non-MCP output on stdout',
    topic: 'stdio',
    advice: 'Write logs to stderr. Only MCP messages, one per line, belong on stdout.',
    checks: () => {
      const printed = new PrintedObjects();
      return {
        frame: (frame, { value }) => {
          if (printed.isOpen && frame.direction === 'to-client' && messagesOf(value).length > 0) printed.discardOpen();
        },
        junk: (frame, text, { transport }, report) => {
          if (transport === 'http' || transport === 'sse' || frame.direction !== 'to-client') return;
          const isLine = printed.isOpen;
          printed.addLine(frame.seq, text, frame.bytes.length);
          if (isLine || text.trim() === '') return;
          const broken = adviceFor(text);
          report(printed.isOpen && !broken ? PRINTED : { message: `The server wrote ${quote(text)}.`, ...broken });
        },
      };
    },
  },
  {
    id: 'stream-junk',
    severity: 'error',
    title: 'Non-MCP content in an HTTP body or event',
    topic: 'http',
    advice: 'Send only JSON-RPC messages in the endpoint’s bodies and events.',
    checks: () => ({
      junk: (frame, text, { transport }, report) => {
        if (transport !== 'http' && transport !== 'sse') return;
        if (frame.direction === 'to-client' && text.trim() !== '')
          report({ message: `The server sent ${quote(text)}.`, ...adviceFor(text) });
      },
      http: (frame, { transport }, report) => {
        if (frame.kind !== 'sse' || frame.data === undefined || frame.data === '') return;
        const { event = 'message', data } = frame;
        if (frame.unfinished) {
          const message = `The stream ended before the blank line after \`event: ${event}\`, so clients ignore it.`;
          return report({ message, advice: 'Write an empty line after each event, also after the last one.' });
        }
        if (transport === 'sse') return;
        if (event === 'message') return report({ message: `The event contains ${quote(data)}.` });
        if (!/^\s*[[{].*"jsonrpc"\s*:/s.test(data)) return;
        const message = `A message has the event type ${quote(event)}, so clients ignore it.`;
        report({ message, advice: 'Write `event: message`, or leave the line out.' });
      },
    }),
  },
  {
    id: 'invalid-utf8',
    severity: 'error',
    title: 'Invalid UTF-8',
    topic: 'stdio',
    advice: 'Encode every message as UTF-8.',
    checks: () => ({
      frame: (_frame, { invalidUtf8 }, _state, report) => {
        if (invalidUtf8) report({ message: 'Some bytes are not valid UTF-8.' });
      },
    }),
  },
  {
    id: 'byte-order-mark',
    severity: 'error',
    title: 'Byte order mark before a message',
    topic: 'stdio',
    advice: 'Write UTF-8 without a byte order mark. Most clients cannot read a message that starts with one.',
    checks: () => ({
      frame: (frame, { value }, _state, report) => {
        if (frame.direction !== 'to-client' || messagesOf(value).length === 0) return;
        // The parts of a message are put together when its bytes are read.
        if (startsWithBom(frame.cut?.text ?? frame.bytes))
          report({ message: 'The message starts with the bytes EF BB BF, a byte order mark.' });
      },
    }),
  },
  {
    id: 'batch',
    severity: 'error',
    title: 'Batch in a version without batches',
    topic: 'messages',
    advice: 'Send one message at a time. Only 2025-03-26 has batches.',
    checks: () => ({
      frame: (_frame, { value }, { version }, report) => {
        if (Array.isArray(value) && version !== undefined && version !== '2025-03-26') {
          report({ message: `This is an array of ${value.length}, but ${version} has no batches.` });
        }
      },
    }),
  },
  messageRule(
    {
      id: 'initialize-in-batch',
      kinds: ['request'],
      severity: 'error',
      title: 'initialize inside a batch',
      topic: 'lifecycle',
      advice: 'Send initialize on its own and wait for the response.',
    },
    ({ batch, method }, _state, report) => {
      if (batch && method === 'initialize') report({ message: 'initialize was sent inside an array.' });
    },
  ),
  messageRule(
    {
      id: 'jsonrpc-version',
      severity: 'error',
      title: 'Missing or wrong jsonrpc version',
      topic: 'messages',
      advice: 'Add "jsonrpc": "2.0" to every message.',
    },
    ({ body }, _state, report) => {
      const version = own(body, 'jsonrpc');
      if (version === '2.0') return;
      report({
        message: version === undefined ? 'jsonrpc is missing.' : `jsonrpc is ${quote(version)}.`,
        path: ['jsonrpc'],
      });
    },
  ),
  messageRule(
    {
      id: 'id-type',
      kinds: ['request', 'response', 'error'],
      severity: 'error',
      title: 'Invalid id',
      topic: 'messages',
      advice: 'Use a string or an integer, never null. Repeat the request’s id unchanged in the response.',
    },
    ({ kind, body, version, exchange }, state, report) => {
      const id = own(body, 'id');
      // A server that refuses a request unread does not know its id. JSON-RPC 2.0 (section 5) then uses null.
      if (kind === 'error' && id === null && state.isRefusal(exchange)) return;
      if (typeof id === 'string' || Number.isInteger(id)) return;
      const mayLack = kind === 'error' && id === undefined && (version === undefined || version >= '2025-11-25');
      // Before the negotiation, no version says whether an error needs an id.
      if (mayLack || (kind === 'error' && version === undefined)) return;
      report({
        message: id === undefined ? 'The id is missing.' : `The id is ${quote(id)}.`,
        path: ['id'],
        ...(kind === 'error' && (id === undefined || id === null) && { advice: adviceWithoutId(version) }),
      });
    },
  ),
  messageRule(
    {
      id: 'result-and-error',
      kinds: ['response', 'error'],
      severity: 'error',
      title: 'Both result and error in one response',
      topic: 'messages',
      advice: 'Send either result or error. Leave the other out; do not set it to null.',
    },
    ({ body }, _state, report) => {
      if (Object.hasOwn(body, 'result') && Object.hasOwn(body, 'error')) {
        report({ message: 'The response has both a result and an error.', path: ['error'] });
      }
    },
  ),
  messageRule(
    {
      id: 'method-and-result',
      kinds: ['request', 'notification'],
      severity: 'error',
      title: 'Both a method and a result in one message',
      topic: 'messages',
      advice: 'Send method in requests and notifications only, result or error in responses only.',
    },
    ({ body }, _state, report) => {
      const name = ['result', 'error'].find((each) => Object.hasOwn(body, each) && body[each] !== null);
      if (name !== undefined) report({ message: `The message has a method and ${name}.`, path: [name] });
    },
  ),
  messageRule(
    {
      id: 'params-type',
      kinds: ['request', 'notification'],
      severity: 'error',
      title: 'params is not an object',
      topic: 'messages',
      advice: 'Send params as an object, or omit params.',
    },
    ({ body }, _state, report) => {
      const params = own(body, 'params');
      if (params !== undefined && !isObject(params)) {
        report({ message: `params is ${quote(params)}.`, path: ['params'] });
      }
    },
  ),
];

/** The finding for an object printed over several lines, reported once, on the first line. */
const PRINTED = {
  message: 'The server printed an object over several lines.',
  advice:
    'Print one message per line: `json.dumps(message)` without `indent`, `JSON.stringify(message)` without a third argument.',
};

/** Returns advice about text that is nearly a response. */
function adviceFor(text: string): { readonly advice: string } | undefined {
  return brokenAnswer(text) && { advice: `Send it as one line of JSON. ${explainBrokenAnswer(text, 1)}` };
}

/** Returns advice about an error without an id. */
function adviceWithoutId(version: ProtocolVersion | undefined): string {
  return version === undefined || version >= '2025-11-25'
    ? 'Leave the id out of an error for an unreadable message. Otherwise repeat the request’s id.'
    : `Repeat the request’s id. If the id was unreadable, log the error to stderr: ${version} requires an id, which is optional since 2025-11-25.`;
}
