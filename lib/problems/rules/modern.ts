import { isObject, own } from '@/lib/json/value';
import { METHODS } from '@/lib/protocol/methods';
import { messageRule, quote, type Rule } from '../rule';

/** Known values of `resultType`. The last one belongs to the tasks extension. */
const RESULT_TYPES: readonly unknown[] = ['complete', 'input_required', 'task'];
/** Rules that apply since 2026-07-28. */
export const MODERN_RULES: readonly Rule[] = [
  messageRule(
    {
      id: 'result-type-unknown',
      kinds: ['response'],
      severity: 'error',
      title: 'Unknown resultType',
      topic: 'messages',
      advice: 'Use complete, or input_required where allowed.',
    },
    ({ body, modern, request }, _state, report) => {
      const result = own(body, 'result');
      if (!modern || !isObject(result)) return;
      const type = own(result, 'resultType');
      if (typeof type !== 'string' || RESULT_TYPES.includes(type)) return;
      report({
        message: `resultType is ${quote(type)}.`,
        path: ['result', 'resultType'],
        ...(request && { seqs: [request.seq] }),
      });
    },
  ),
  messageRule(
    {
      id: 'input-required-not-allowed',
      kinds: ['response'],
      severity: 'error',
      title: 'input_required where it is not allowed',
      topic: 'input',
      advice: 'Return input_required only for tools/call, prompts/get and resources/read.',
    },
    ({ body, modern, request }, _state, report) => {
      const result = own(body, 'result');
      if (!modern || !request || !isObject(result)) return;
      if (own(result, 'resultType') !== 'input_required' || METHODS.get(request.method)?.asks) return;
      report({
        message: `${quote(request.method)} was answered with input_required.`,
        path: ['result', 'resultType'],
        seqs: [request.seq],
      });
    },
  ),
  messageRule(
    {
      id: 'input-required-empty',
      kinds: ['response'],
      severity: 'error',
      title: 'input_required without a request for input',
      topic: 'input',
      advice: 'Send inputRequests, requestState or both.',
    },
    ({ body, modern, request }, _state, report) => {
      const result = own(body, 'result');
      if (!modern || !isObject(result) || own(result, 'resultType') !== 'input_required') return;
      if (own(result, 'inputRequests') !== undefined || own(result, 'requestState') !== undefined) return;
      report({
        message: 'The result has neither inputRequests nor requestState.',
        path: ['result'],
        ...(request && { seqs: [request.seq] }),
      });
    },
  ),
  messageRule(
    {
      id: 'server-request',
      kinds: ['request'],
      severity: 'error',
      title: 'Request from the server',
      topic: 'input',
      advice: 'Return input_required instead. Since 2026-07-28, servers send no requests.',
    },
    ({ direction, method }, state, report) => {
      if (direction !== 'to-client' || !state.modern) return;
      report({ message: `The server sent the request ${quote(method)}.`, path: ['method'] });
    },
  ),
  messageRule(
    {
      id: 'client-answer',
      kinds: ['response', 'error'],
      severity: 'error',
      title: 'Response from the client',
      topic: 'input',
      advice: 'Send the request again with the answer in inputResponses.',
    },
    ({ direction }, state, report) => {
      if (direction !== 'to-server' || !state.modern) return;
      report({ message: 'Since 2026-07-28, clients send no responses.' });
    },
  ),
];
