import { isObject, type JsonObject, own } from '@/lib/json/value';
import type { FaultPath } from '@/lib/protocol/checks';
import type { SeenMessage } from '../protocol-state';

/** A request for input: a legacy server's request, or one embedded in a modern result. */
export interface InputRequest {
  readonly method: string;
  readonly params: JsonObject;
  /** Path of the request in the message. */
  readonly path: FaultPath;
}

/** Returns the requests for input that are embedded in a modern result. */
export function inputRequestsIn({ body, modern, request }: SeenMessage): readonly InputRequest[] {
  const result = modern ? own(body, 'result') : undefined;
  if (!isObject(result)) return [];
  // A task asks in the responses to its polls.
  const isTask = request?.method === 'tasks/get' && own(result, 'status') === 'input_required';
  if (own(result, 'resultType') !== 'input_required' && !isTask) return [];
  const requests = own(result, 'inputRequests');
  if (!isObject(requests)) return [];
  return Object.entries(requests).flatMap(([key, request]) => {
    const method = isObject(request) ? own(request, 'method') : undefined;
    if (typeof method !== 'string') return [];
    const params = own(request as JsonObject, 'params');
    return { method, params: isObject(params) ? params : {}, path: ['result', 'inputRequests', key] };
  });
}
