import { messageRule, type Rule } from '../rule';
import { quote, whose } from '../words';

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
      const before = kind === 'request' && id !== null ? session.ask(direction, id) : undefined;
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
      const near = session.near(direction, id);
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
      if (session.near(direction, id) !== undefined || session.hasForgotten) return;
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
        message: `${quote(ask.method)} with the id ${quote(ask.id)} was answered before by ${whose(direction)}.`,
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
