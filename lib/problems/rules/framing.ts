import { isObject, own } from '@/lib/json/value';
import { messagesOf } from '@/lib/store/classify';
import { PrintedObjects } from '@/lib/store/exchanges/printed-objects';
import { brokenAnswer, explainBrokenAnswer } from '@/lib/store/exchanges/unmatched-answers';
import type { ProtocolVersion } from '@/lib/wire/lifecycle';
import { messageRule, quote, type Rule } from '../rule';

/** What a message is in, before what it says. */
export const FRAMING: readonly Rule[] = [
  {
    id: 'stdout-junk',
    severity: 'error',
    title: 'Something that is no message on stdout',
    topic: 'stdio',
    advice: 'Write logs to stderr: stdout carries nothing but MCP messages, one a line.',
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
    title: 'An HTTP body or event that is no message',
    topic: 'http',
    advice: 'Send nothing but JSON-RPC messages in bodies and events of the endpoint.',
    checks: () => ({
      junk: (frame, text, { transport }, report) => {
        if (transport !== 'http' && transport !== 'sse') return;
        if (frame.direction === 'to-client' && text.trim() !== '')
          report({ message: `The server sent ${quote(text)}.`, ...adviceFor(text) });
      },
      http: (frame, { transport }, report) => {
        if (frame.kind !== 'sse' || frame.data === undefined || frame.data === '') return;
        if (transport === 'sse' || (frame.event ?? 'message') !== 'message') return;
        report({ message: `The event says ${quote(frame.data)}.` });
      },
    }),
  },
  {
    id: 'invalid-utf8',
    severity: 'error',
    title: 'Bytes that are no UTF-8',
    topic: 'stdio',
    advice: 'Encode every message as UTF-8.',
    checks: () => ({
      frame: (_frame, { invalidUtf8 }, _session, report) => {
        if (invalidUtf8) report({ message: 'Some of its bytes are no UTF-8.' });
      },
    }),
  },
  {
    id: 'batch',
    severity: 'error',
    title: 'Messages in an array',
    topic: 'messages',
    advice: 'Send one message at a time: only 2025-03-26 has batches.',
    checks: () => ({
      frame: (_frame, { value }, { version }, report) => {
        if (Array.isArray(value) && version !== undefined && version !== '2025-03-26') {
          report({ message: `An array of ${value.length} came, and ${version} has no batches.` });
        }
      },
    }),
  },
  messageRule(
    {
      id: 'initialize-in-batch',
      kinds: ['request'],
      severity: 'error',
      title: 'initialize within a batch',
      topic: 'lifecycle',
      advice: 'Send initialize alone: what comes after it depends on its answer.',
    },
    ({ batch, method }, _session, report) => {
      if (batch && method === 'initialize') report({ message: 'initialize came within an array.' });
    },
  ),
  messageRule(
    {
      id: 'jsonrpc-version',
      severity: 'error',
      title: 'No jsonrpc: "2.0"',
      topic: 'messages',
      advice: 'Put "jsonrpc": "2.0" into every message.',
    },
    ({ body }, _session, report) => {
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
      title: 'An id that is no string or integer',
      topic: 'messages',
      advice: 'Use a string or an integer, never null; echo a request’s id as it came.',
    },
    ({ kind, body, version, exchange }, session, report) => {
      const id = own(body, 'id');
      // Refused before it was read: JSON-RPC 2.0 (section 5) has null for an id that is not known.
      if (kind === 'error' && id === null && session.isRefusal(exchange)) return;
      if (kind === 'notification' || typeof id === 'string' || Number.isInteger(id)) return;
      const mayLack = kind === 'error' && id === undefined && (version === undefined || version >= '2025-11-25');
      // Before a version is agreed on, an error without an id refuses something that no version describes.
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
      title: 'Both a result and an error',
      topic: 'messages',
      advice: 'Answer with one of the two and leave the other member out, even as null.',
    },
    ({ body }, _session, report) => {
      if (Object.hasOwn(body, 'result') && Object.hasOwn(body, 'error')) {
        report({ message: 'The answer has a result and an error.', path: ['error'] });
      }
    },
  ),
  messageRule(
    {
      id: 'params-type',
      kinds: ['request', 'notification'],
      severity: 'error',
      title: 'Params that are no object',
      topic: 'messages',
      advice: 'Send params as an object, or leave them out.',
    },
    ({ kind, body }, _session, report) => {
      if (kind !== 'request' && kind !== 'notification') return;
      const params = own(body, 'params');
      if (params !== undefined && !isObject(params)) {
        report({ message: `params is ${quote(params)}.`, path: ['params'] });
      }
    },
  ),
];

/** Told once, at its first line. */
const PRINTED = {
  message: 'The server printed an object over several lines.',
  advice:
    'Print one message per line: `json.dumps(message)` without `indent`, `JSON.stringify(message)` without a third argument.',
};

/** Returns advice about text that is nearly a response. */
function adviceFor(text: string): { readonly advice: string } | undefined {
  return brokenAnswer(text) && { advice: `Send it as one line of JSON. ${explainBrokenAnswer(text, 1)}` };
}

/** What to do about an error that answers what had no id to be read. */
function adviceWithoutId(version: ProtocolVersion | undefined): string {
  return version === undefined || version >= '2025-11-25'
    ? 'Leave the id out of an error that answers something unreadable; echo it where the request had one.'
    : `Echo the request’s id. ${version} has no error for a message whose id can’t be read: say so on stderr, or agree on 2025-11-25 or later, where an error may lack the id.`;
}
