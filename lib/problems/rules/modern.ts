import { isObject, type JsonObject, own } from '@/lib/json/value';
import { METHODS } from '@/lib/protocol/methods';
import { META_KEY } from '@/lib/wire/protocol-names';
import { metaOf } from '../protocol-state';
import { messageRule, type ProtocolRule, quote } from '../rule';

/** Known values of `resultType`. The last one belongs to the tasks extension. */
const RESULT_TYPES: readonly unknown[] = ['complete', 'input_required', 'task'];
/** Keys of `_meta` that every request must have. */
const REQUIRED_META = [META_KEY.protocolVersion, META_KEY.clientCapabilities] as const;

/** Returns the first required key that the `_meta` of a request lacks. */
export function missingMeta(params: JsonObject): string | undefined {
  const meta = own(params, '_meta');
  return REQUIRED_META.find((key) => !isObject(meta) || own(meta, key) === undefined);
}

/** Rules that apply since 2026-07-28. */
export const MODERN_RULES: readonly ProtocolRule[] = [
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
      id: 'interim-cache-hint',
      kinds: ['response'],
      severity: 'warning',
      title: 'Cache hint in an interim result',
      topic: 'caching',
      advice: 'Leave ttlMs and cacheScope out of an input_required result. It is never cached.',
    },
    ({ body, modern, request }, _state, report) => {
      const result = own(body, 'result');
      if (!modern || !isObject(result) || own(result, 'resultType') !== 'input_required') return;
      for (const name of ['ttlMs', 'cacheScope']) {
        if (own(result, name) === undefined) continue;
        report({
          message: `${name} is set in an input_required result.`,
          path: ['result', name],
          ...(request && { seqs: [request.seq] }),
        });
      }
    },
  ),
  messageRule(
    {
      id: 'malformed-accepted',
      kinds: ['response'],
      severity: 'error',
      title: 'Result for a request without its _meta',
      topic: 'meta',
      advice: 'Answer a request without protocolVersion or clientCapabilities in _meta with error −32602.',
    },
    ({ request, direction }, state, report) => {
      // Before the server is known to be modern, it may serve an older version.
      if (direction !== 'to-client' || !request || !state.modern || request.method === 'initialize') return;
      const missing = missingMeta(request.params);
      if (missing === undefined || request.answerSeq !== undefined) return;
      report({ message: `The request has no ${missing} in _meta.`, path: ['result'], seqs: [request.seq] });
    },
  ),
  messageRule(
    {
      id: 'identity-missing',
      kinds: ['request', 'response'],
      severity: 'info',
      title: 'Client or server does not name itself',
      topic: 'meta',
      advice: 'Clients: send clientInfo in _meta of each request. Servers: send serverInfo in _meta of each result.',
    },
    (seen, _state, report) => {
      const { kind, modern, direction, request, body } = seen;
      if (!modern) return;
      if (kind === 'request') {
        if (direction === 'to-server' && metaOf(seen, META_KEY.clientInfo) === undefined)
          report({ message: 'The request has no clientInfo.', path: ['params', '_meta'] });
        return;
      }
      const result = own(body, 'result');
      if (request?.method !== 'server/discover' || !isObject(result)) return;
      const meta = own(result, '_meta');
      if (isObject(meta) && own(meta, META_KEY.serverInfo) !== undefined) return;
      report({ message: 'The result has no serverInfo.', path: ['result', '_meta'], seqs: [request.seq] });
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
