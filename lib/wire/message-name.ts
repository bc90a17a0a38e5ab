import { isObject, type JsonObject, own } from '@/lib/json/value';
import { METHOD } from './protocol-names';

type Naming = (params: JsonObject) => unknown;

/** Reads the subject from params, for methods whose subject is not in `name` or `uri`. */
const NAMINGS: ReadonlyMap<string, Naming> = new Map<string, Naming>([
  ['initialize', (params) => inside(params, 'clientInfo', 'name')],
  [METHOD.listen, onlySubscription],
  ['completion/complete', (params) => inside(params, 'ref', 'name') ?? inside(params, 'ref', 'uri')],
  ['logging/setLevel', (params) => own(params, 'level')],
  ['notifications/message', (params) => own(params, 'level')],
  ['tasks/get', (params) => own(params, 'taskId')],
  ['tasks/result', (params) => own(params, 'taskId')],
  ['tasks/update', (params) => own(params, 'taskId')],
  ['tasks/cancel', (params) => own(params, 'taskId')],
  [METHOD.taskStatus, (params) => own(params, 'taskId')],
  [METHOD.taskChanged, (params) => own(params, 'taskId')],
]);

/** Returns the URI of a subscription to one resource. */
function onlySubscription(params: JsonObject): unknown {
  const uris = inside(params, 'notifications', 'resourceSubscriptions');
  return Array.isArray(uris) && uris.length === 1 ? uris[0] : undefined;
}

/** Returns a member of a member that is an object. */
export function inside(params: JsonObject, key: string, inner: string): unknown {
  const value = own(params, key);
  return isObject(value) ? own(value, inner) : undefined;
}

const nameOrUri: Naming = (params) => own(params, 'name') ?? own(params, 'uri');

/** Returns the subject of a request or notification, such as a tool name, a uri or a log level. */
export function messageName(method: string, params: unknown): string | undefined {
  if (!isObject(params)) return undefined;
  const name = (NAMINGS.get(method) ?? nameOrUri)(params);
  return typeof name === 'string' ? name : undefined;
}
