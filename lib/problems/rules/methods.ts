import { own } from '@/lib/json/value';
import { extensionOf, hasMethod, METHODS } from '@/lib/protocol/methods';
import { OPPOSITE } from '@/lib/wire/frame';
import { PROTOCOL_VERSIONS } from '@/lib/wire/lifecycle';
import { METHOD } from '@/lib/wire/protocol-names';
import type { ProtocolState, SeenMessage } from '../protocol-state';
import { messageRule, type ProtocolRule, quote, senderName } from '../rule';

/**
 * True if the method can be judged. Extensions may define methods and bring back earlier ones. The rule
 * `capability-undeclared` judges those of extensions that we know.
 */
function isJudged({ version, method }: SeenMessage, state: ProtocolState): boolean {
  const extended = [state.clientCapabilities, state.serverCapabilities].some(
    (capabilities) => capabilities !== undefined && own(capabilities, 'extensions') !== undefined,
  );
  return version !== undefined && !extended && extensionOf(version, method) === undefined;
}

/** Rules about methods: who may send them, and when. */
export const METHOD_RULES: readonly ProtocolRule[] = [
  messageRule(
    {
      id: 'method-not-in-version',
      kinds: ['request', 'notification'],
      severity: 'error',
      title: 'Method not in this version',
      topic: 'messages',
      advice: 'Use only methods of the negotiated version.',
    },
    (seen, state, report) => {
      const { method, version, direction } = seen;
      const row = METHODS.get(method);
      if (!row || !isJudged(seen, state) || method === 'initialize' || method === 'server/discover') return;
      if (hasMethod(version!, method, 'to-server') || hasMethod(version!, method, 'to-client')) return;
      const versions = PROTOCOL_VERSIONS.filter((each) => hasMethod(each, method, direction));
      report({
        message: `${version} has no method ${quote(method)}.${versions.length > 0 ? ` Versions that have it: ${versions.join(', ')}.` : ''}`,
        path: ['method'],
        topic: row.page,
      });
    },
  ),
  messageRule(
    {
      id: 'method-direction',
      kinds: ['request', 'notification'],
      severity: 'error',
      title: 'Method sent by the wrong side',
      topic: 'messages',
      advice: 'Do not send this method. Only the other side may send it.',
    },
    (seen, state, report) => {
      const { method, version, direction } = seen;
      const row = METHODS.get(method);
      if (!row || !isJudged(seen, state)) return;
      if (hasMethod(version!, method, direction) || !hasMethod(version!, method, OPPOSITE[direction])) return;
      report({
        message: `${quote(method)} must not be sent by ${senderName(direction)}.`,
        path: ['method'],
        topic: row.page,
      });
    },
  ),
  messageRule(
    {
      id: 'method-unknown',
      kinds: ['request', 'notification'],
      severity: 'info',
      title: 'Unknown method',
      topic: 'messages',
      advice: 'Check the spelling. If it belongs to an extension, declare the extension.',
    },
    (seen, state, report) => {
      if (!isJudged(seen, state) || METHODS.has(seen.method)) return;
      report({ message: `The specification has no method ${quote(seen.method)}.`, path: ['method'] });
    },
  ),
  messageRule(
    {
      id: 'method-reserved',
      kinds: ['request', 'notification'],
      severity: 'error',
      title: 'Method name reserved by JSON-RPC',
      topic: 'messages',
      advice: 'Use another name. JSON-RPC 2.0 keeps names that begin with rpc. for itself.',
    },
    ({ method }, _state, report) => {
      if (method.startsWith('rpc.')) report({ message: `The method is ${quote(method)}.`, path: ['method'] });
    },
  ),
  messageRule(
    {
      id: 'request-without-id',
      kinds: ['notification'],
      severity: 'error',
      title: 'Request without an id',
      topic: 'messages',
      advice: 'Add an id. Without one, the other side does not respond.',
    },
    ({ method }, _state, report) => {
      const row = METHODS.get(method);
      if (row?.kind === 'request') {
        report({ message: `${quote(method)} has no id.`, path: ['id'], topic: row.page });
      }
    },
  ),
  messageRule(
    {
      id: 'before-initialized',
      kinds: ['request'],
      severity: 'warning',
      title: 'Request before initialization finished',
      topic: 'lifecycle',
      advice: 'Send only ping until notifications/initialized has been sent.',
    },
    ({ method, direction, modern }, state, report) => {
      if (method === 'ping' || method === 'initialize' || method === 'server/discover') return;
      // The client must wait for the response to initialize, the server for the notification after it.
      const open = direction === 'to-server' ? state.version !== undefined : state.initialized;
      const opening = state.initializeSeq;
      if (open || modern || state.modern || opening === undefined) return;
      report({ message: `${quote(method)} was sent before initialization finished.`, seqs: [opening] });
    },
  ),
  messageRule(
    {
      id: 'cancel-initialize',
      kinds: ['notification'],
      severity: 'error',
      title: 'Cancelled initialize',
      topic: 'cancellation',
      advice: 'Close the connection instead of cancelling initialize.',
    },
    ({ method, direction, params }, state, report) => {
      if (method !== METHOD.cancelled) return;
      const request = state.findRequest(direction, own(params, 'requestId'));
      if (request?.method === 'initialize')
        report({ message: 'initialize must not be cancelled.', seqs: [request.seq] });
    },
  ),
  messageRule(
    {
      id: 'cancel-task',
      kinds: ['notification'],
      severity: 'error',
      title: 'Task cancelled by a notification',
      topic: 'cancellation',
      advice: 'Send tasks/cancel, which returns the last state of the task.',
    },
    ({ method, direction, params, version }, state, report) => {
      if (method !== METHOD.cancelled || version !== '2025-11-25') return;
      const id = own(params, 'requestId');
      // Only a task needs no requestId, and a task is not cancelled this way.
      if (id === undefined) return report({ message: 'requestId is missing.', path: ['params'] });
      const request = state.findRequest(direction, id);
      if (!request?.task) return;
      report({
        message: `${quote(request.method)} (id ${quote(id)}) is a task.`,
        path: ['params', 'requestId'],
        seqs: [request.seq],
      });
    },
  ),
  messageRule(
    {
      id: 'cancel-unknown',
      kinds: ['notification'],
      severity: 'error',
      title: 'Cancelled an unknown request',
      topic: 'cancellation',
      advice: 'Cancel only requests that you sent, by their exact id.',
    },
    ({ method, direction, params, version }, state, report) => {
      const id = own(params, 'requestId');
      if (method !== METHOD.cancelled || version === undefined || state.hasForgotten) return;
      if (typeof id !== 'string' && typeof id !== 'number') return;
      // A modern server sends it only to end a subscription, which the client has requested.
      const ends = state.modern && direction === 'to-client';
      const request = state.findRequest(ends ? 'to-server' : direction, id);
      if (state.wasLost(direction, id) || state.wasHeld(direction, id)) return;
      if (request && (!ends || request.method === METHOD.listen)) return;
      report({
        message: request
          ? `The server cancelled ${quote(request.method)}, but may only end subscriptions.`
          : `No request from ${senderName(ends ? 'to-server' : direction)} has the id ${quote(id)}.`,
        path: ['params', 'requestId'],
        ...(request && { seqs: [request.seq] }),
      });
    },
  ),
];
