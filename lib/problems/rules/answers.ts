import { isObject, own } from '@/lib/json/value';
import { ERROR_CODES, isReservedCode } from '@/lib/protocol/methods';
import { isInVersion } from '@/lib/protocol/rows';
import { OPPOSITE } from '@/lib/wire/frame';
import type { SeenMessage, TrackedRequest } from '../protocol-state';
import { messageRule, type ProtocolRule, quote } from '../rule';

/** Rules about ids: each response needs exactly one request. */
export const ID_RULES: readonly ProtocolRule[] = [
  messageRule(
    {
      id: 'id-reused',
      kinds: ['request'],
      severity: 'error',
      title: 'Reused request id',
      topic: 'messages',
      advice: 'Never reuse an id on a connection, even after the earlier request was answered.',
    },
    (seen, state, report) => {
      const { id, direction, method } = seen;
      const before = id !== null ? state.findRequest(direction, id) : undefined;
      if (!before || mayReuse(seen, before)) return;
      // Without a session, nothing tells clients of the same program apart, and each has ids of its own.
      const hasSession = state.session !== undefined && state.session !== 'none';
      if (state.isTapped && state.transport !== 'stdio' && !hasSession) return;
      const still = before.answerSeq === undefined ? ', which is still unanswered' : '';
      report({
        message: `${quote(method)} reuses the id ${quote(id)} of ${quote(before.method)}${still}.`,
        path: ['id'],
        seqs: [before.seq],
      });
    },
  ),
  messageRule(
    {
      id: 'id-type-changed',
      kinds: ['response', 'error'],
      severity: 'error',
      title: 'Response id has a different type',
      topic: 'messages',
      advice: 'Repeat the id unchanged: 1 and "1" are different ids.',
    },
    ({ id, request, direction }, state, report) => {
      if (request || id === null || id === undefined) return;
      const near = state.findByOtherIdType(direction, id);
      if (near === undefined) return;
      report({
        message: `The request has the id ${quote(near.id)}, but the response has ${quote(id)}.`,
        path: ['id'],
        seqs: [near.seq],
      });
    },
  ),
  messageRule(
    {
      id: 'unknown-id',
      kinds: ['response', 'error'],
      severity: 'error',
      title: 'Response without a matching request',
      topic: 'messages',
      advice: 'Respond only to requests you received, and repeat their id.',
    },
    ({ id, request, direction }, state, report) => {
      if (request || id === null || id === undefined) return;
      if (state.findByOtherIdType(direction, id) !== undefined || state.hasForgotten) return;
      if (state.wasLost(OPPOSITE[direction], id)) return;
      report({ message: `No request has the id ${quote(id)}.`, path: ['id'] });
    },
  ),
  messageRule(
    {
      id: 'second-answer',
      kinds: ['response', 'error'],
      severity: 'error',
      title: 'Second response to the same request',
      topic: 'messages',
      advice: 'Send one response per request.',
    },
    ({ request }, _state, report) => {
      if (request?.answerSeq === undefined) return;
      report({
        message: `${quote(request.method)} (id ${quote(request.id)}) had already been answered.`,
        seqs: [request.seq, request.answerSeq],
      });
    },
  ),
  messageRule(
    {
      id: 'notification-with-id',
      kinds: ['request'],
      severity: 'error',
      title: 'Notification with an id',
      topic: 'messages',
      advice: 'Leave the id out. A message with an id is a request and must be answered.',
    },
    ({ method }, _state, report) => {
      if (method.startsWith('notifications/')) {
        report({ message: `${quote(method)} has an id.`, path: ['id'] });
      }
    },
  ),
];

/**
 * Returns true if a request may have the id of an earlier one. Since 2026-07-28 it may if that one is answered, unless
 * the request repeats it with the input that the server asked for.
 */
function mayReuse({ modern, params }: SeenMessage, before: TrackedRequest): boolean {
  const isRetry = own(params, 'inputResponses') !== undefined || own(params, 'requestState') !== undefined;
  return modern && before.answerSeq !== undefined && !isRetry;
}

function codeOf({ kind, body }: SeenMessage): number | undefined {
  const error = kind === 'error' ? own(body, 'error') : undefined;
  const code = isObject(error) ? own(error, 'code') : undefined;
  return typeof code === 'number' ? code : undefined;
}

/** Rules about errors and empty results. */
export const ERROR_RULES: readonly ProtocolRule[] = [
  messageRule(
    {
      id: 'ping-not-empty',
      kinds: ['response'],
      severity: 'error',
      title: 'Answer to ping that is not empty',
      topic: 'ping',
      advice: 'Answer ping with "result": {}.',
    },
    ({ request, body }, _state, report) => {
      const result = own(body, 'result');
      if (request?.method !== 'ping' || !isObject(result)) return;
      // Another rule reports resultType, which only later versions have.
      const extra = Object.keys(result).find((name) => name !== '_meta' && name !== 'resultType');
      if (extra === undefined) return;
      report({ message: `The result has ${quote(extra)}.`, path: ['result', extra], seqs: [request.seq] });
    },
  ),
  messageRule(
    {
      id: 'error-message-long',
      kinds: ['error'],
      severity: 'info',
      title: 'Error message of several lines',
      topic: 'messages',
      advice: 'Send one short sentence as message, and the details in data.',
    },
    ({ request, body }, _state, report) => {
      const error = own(body, 'error');
      const message = isObject(error) ? own(error, 'message') : undefined;
      if (typeof message !== 'string' || !/[\r\n]/.test(message.trim())) return;
      report({
        message: `The message is ${quote(message)}.`,
        path: ['error', 'message'],
        ...(request && { seqs: [request.seq] }),
      });
    },
  ),
  messageRule(
    {
      id: 'error-code-reserved',
      kinds: ['error'],
      severity: 'warning',
      title: 'Error code reserved for the protocol',
      topic: 'messages',
      advice: 'Use a code outside −32768 to −32000 for your own errors.',
    },
    (seen, _state, report) => {
      const code = codeOf(seen);
      if (code === undefined || ERROR_CODES.has(code)) return;
      // JSON-RPC itself reserves the rest.
      if (!(seen.modern && isReservedCode(code)) && !(code >= -32768 && code < -32099)) return;
      report({
        message: `${code} is reserved but not defined yet.`,
        path: ['error', 'code'],
        ...(seen.request && { seqs: [seen.request.seq] }),
      });
    },
  ),
  messageRule(
    {
      id: 'error-code-of-other-version',
      kinds: ['error'],
      severity: 'warning',
      title: 'Error code from another version',
      topic: 'messages',
      advice: 'Use this version’s code. For a missing resource, that is −32602 since 2026-07-28.',
    },
    (seen, state, report) => {
      const code = codeOf(seen);
      const row = code === undefined ? undefined : ERROR_CODES.get(code);
      // A server may reject a probe of the other era with any code.
      if (!row || seen.version === undefined || state.version !== seen.version || isInVersion(row, seen.version))
        return;
      const until = row.until === undefined ? `since ${row.since}` : `up to ${row.until}`;
      report({
        message: `${code} means ${row.name} ${until}.`,
        path: ['error', 'code'],
        ...(seen.request && { seqs: [seen.request.seq] }),
      });
    },
  ),
];
