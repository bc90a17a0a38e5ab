import { isObject, own } from '@/lib/json/value';
import { ERROR_CODES, isReservedCode } from '@/lib/protocol/methods';
import { isInVersion } from '@/lib/protocol/rows';
import type { SeenMessage } from '../protocol-state';
import { messageRule, quote, type Rule, senderName } from '../rule';

/** Which answer goes with which request. */
export const IDS: readonly Rule[] = [
  messageRule(
    {
      id: 'id-reused',
      kinds: ['request'],
      severity: 'error',
      title: 'An id used twice',
      topic: 'messages',
      advice: 'Give every request of a session an id of its own, also after the earlier one was answered.',
    },
    ({ kind, id, direction, method }, session, report) => {
      const before = kind === 'request' && id !== null ? session.findRequest(direction, id) : undefined;
      if (!before) return;
      const still = before.answerSeq === undefined ? ', which is not answered yet' : '';
      report({
        message: `${quote(id)} is the id of ${quote(method)}, and was that of ${quote(before.method)}${still}.`,
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
      title: 'An answer with the id in another type',
      topic: 'messages',
      advice: 'Echo the id as it came: 1 and "1" are two ids.',
    },
    ({ kind, id, ask, direction }, session, report) => {
      if ((kind !== 'response' && kind !== 'error') || ask || id === null || id === undefined) return;
      const near = session.findByOtherIdType(direction, id);
      if (near === undefined) return;
      report({
        message: `The request has the id ${quote(near.id)}, its answer ${quote(id)}.`,
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
      title: 'An answer to no request',
      topic: 'messages',
      advice: 'Answer only requests that came, with the id they came with.',
    },
    ({ kind, id, ask, direction }, session, report) => {
      if ((kind !== 'response' && kind !== 'error') || ask || id === null || id === undefined) return;
      if (session.findByOtherIdType(direction, id) !== undefined || session.hasForgotten) return;
      report({ message: `No request has the id ${quote(id)}.`, path: ['id'] });
    },
  ),
  messageRule(
    {
      id: 'second-answer',
      kinds: ['response', 'error'],
      severity: 'error',
      title: 'A second answer to one request',
      topic: 'messages',
      advice: 'Answer each request once.',
    },
    ({ ask, direction }, _session, report) => {
      if (ask?.answerSeq === undefined) return;
      report({
        message: `${quote(ask.method)} with the id ${quote(ask.id)} was answered before by ${senderName(direction)}.`,
        seqs: [ask.seq, ask.answerSeq],
      });
    },
  ),
  messageRule(
    {
      id: 'notification-with-id',
      kinds: ['request'],
      severity: 'error',
      title: 'A notification with an id',
      topic: 'messages',
      advice: 'Leave the id out: with one it is a request, and has to be answered.',
    },
    ({ kind, method }, _session, report) => {
      if (kind === 'request' && method.startsWith('notifications/')) {
        report({ message: `${quote(method)} has an id.`, path: ['id'] });
      }
    },
  ),
];

function codeOf({ kind, body }: SeenMessage): number | undefined {
  const error = kind === 'error' ? own(body, 'error') : undefined;
  const code = isObject(error) ? own(error, 'code') : undefined;
  return typeof code === 'number' ? code : undefined;
}

/** What codes of errors mean. */
export const ERROR_RULES: readonly Rule[] = [
  messageRule(
    {
      id: 'error-code-reserved',
      kinds: ['error'],
      severity: 'warning',
      title: 'An error code that is kept for the protocol',
      topic: 'messages',
      advice: 'Use a code outside −32099…−32020 for errors of your own.',
    },
    (seen, _session, report) => {
      const code = codeOf(seen);
      if (code === undefined || !seen.modern || !isReservedCode(code) || ERROR_CODES.has(code)) return;
      report({
        message: `${code} has no meaning yet.`,
        path: ['error', 'code'],
        ...(seen.ask && { seqs: [seen.ask.seq] }),
      });
    },
  ),
  messageRule(
    {
      id: 'error-code-of-other-version',
      kinds: ['error'],
      severity: 'warning',
      title: 'An error code of another version',
      topic: 'messages',
      advice: 'Use the code that this version has for it: −32602 for a resource that does not exist, since 2026-07-28.',
    },
    (seen, session, report) => {
      const code = codeOf(seen);
      const row = code === undefined ? undefined : ERROR_CODES.get(code);
      // Legacy servers may refuse a modern probe as they like, and modern ones a legacy one.
      if (!row || seen.version === undefined || session.version !== seen.version || isInVersion(row, seen.version))
        return;
      const until = row.until === undefined ? `since ${row.since}` : `up to ${row.until}`;
      report({
        message: `${code} means ${row.name} ${until}.`,
        path: ['error', 'code'],
        ...(seen.ask && { seqs: [seen.ask.seq] }),
      });
    },
  ),
];
