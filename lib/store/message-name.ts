import { isObject, type JsonObject, own } from '@/lib/wire/message';

type Naming = (params: JsonObject) => unknown;

/** Methods that say what they are about elsewhere than in `name` or `uri`. */
const NAMINGS: ReadonlyMap<string, Naming> = new Map<string, Naming>([
  ['initialize', (params) => inside(params, 'clientInfo', 'name')],
  ['completion/complete', (params) => inside(params, 'ref', 'name') ?? inside(params, 'ref', 'uri')],
  ['logging/setLevel', (params) => own(params, 'level')],
  ['notifications/message', (params) => own(params, 'level')],
  ['tasks/get', (params) => own(params, 'taskId')],
  ['tasks/result', (params) => own(params, 'taskId')],
  ['tasks/cancel', (params) => own(params, 'taskId')],
  ['notifications/tasks/status', (params) => own(params, 'taskId')],
]);

function inside(params: JsonObject, key: string, inner: string): unknown {
  const value = own(params, key);
  return isObject(value) ? own(value, inner) : undefined;
}

const nameOrUri: Naming = (params) => own(params, 'name') ?? own(params, 'uri');

/** What a request or notification is about: a tool's or prompt's name, a uri, a log level… undefined if it doesn't say. */
export function messageName(method: string, params: unknown): string | undefined {
  if (!isObject(params)) return undefined;
  const name = (NAMINGS.get(method) ?? nameOrUri)(params);
  return typeof name === 'string' ? name : undefined;
}
