import { isObject, type JsonObject, own } from '@/lib/json/value';
import type { ProtocolVersion } from '@/lib/wire/lifecycle';
import { type Fault, type FaultCheck, FaultWalk } from './checks';
import { VersionChecks } from './compile';
import { ERROR_CODES, extensionOf, METHODS } from './methods';
import { isInVersion } from './rows';

const CHECKS = new Map<ProtocolVersion, VersionChecks>();

/** The request of a response. */
export interface AnsweredRequest {
  readonly method: string;
  readonly params: unknown;
}

/** Returns the faults in the params of a request or notification; none for unknown methods. */
export function checkParams(version: ProtocolVersion, method: string, body: JsonObject): readonly Fault[] {
  const row = METHODS.get(method);
  if (row === undefined) return [];
  const type = row.params ?? (row.kind === 'request' ? 'RequestParams' : 'NotificationParams');
  const checks = checksOf(version);
  if (!Object.hasOwn(body, 'params') && !row.needsParams && checks.isOptional(type)) return [];
  return faultsAt('params', checks.of(type), body);
}

/** Returns the faults in a result. */
export function checkResult(version: ProtocolVersion, asked: AnsweredRequest, body: JsonObject): readonly Fault[] {
  return faultsAt('result', checksOf(version).of(resultType(version, asked, own(body, 'result'))), body);
}

/** Members that say how long a modern result may be cached, and by whom. */
export const CACHE_HINTS: readonly unknown[] = ['ttlMs', 'cacheScope'];
/** Required members of modern results for which clients have a default. */
const HINTS: readonly unknown[] = ['resultType', ...CACHE_HINTS];

/**
 * Returns true for a missing member of a modern result for which clients have a default: the type of the result, or a
 * cache hint.
 */
export function hasClientDefault({ kind, path }: Fault): boolean {
  return kind === 'missing' && path.length === 2 && path[0] === 'result' && HINTS.includes(path[1]);
}

/**
 * Returns the faults that make a result invalid as a whole: it is not an object, or a required member is missing or of
 * another type. Leaves out deeper faults, faults in optional members, and members for which clients have a default.
 */
export function structureFaults(version: ProtocolVersion, asked: AnsweredRequest, result: unknown): readonly Fault[] {
  const faults = checkResult(version, asked, { result });
  if (!isObject(result)) return faults;
  // A member is required if its removal is a fault.
  const isRequired = (name: string | number | undefined) => {
    const rest = Object.fromEntries(Object.entries(result).filter(([member]) => member !== name));
    return checkResult(version, asked, { result: rest }).some(
      ({ kind, path }) => kind === 'missing' && path[1] === name,
    );
  };
  return faults.filter(
    ({ kind, path }) =>
      (kind === 'missing' || kind === 'type') && path.length === 2 && !HINTS.includes(path[1]) && isRequired(path[1]),
  );
}

/** Returns the faults in an error. */
export function checkError(version: ProtocolVersion, body: JsonObject): readonly Fault[] {
  const checks = checksOf(version);
  const faults = faultsAt('error', checks.of('RpcError'), body);
  const error = own(body, 'error');
  if (faults.length > 0 || !isObject(error)) return faults;
  const row = ERROR_CODES.get(own(error, 'code') as number);
  if (row?.data === undefined || !isInVersion(row, version)) return [];
  const walk = new FaultWalk();
  const data = checks.of(row.data);
  const check: FaultCheck = (value, inner) =>
    isObject(value) && Object.hasOwn(value, 'data')
      ? inner.checkMember('data', data, value.data)
      : inner.addFault('missing', 'required', 'data');
  walk.checkMember('error', check, error);
  return walk.faults;
}

/** Returns the type of a result in the table. */
function resultType(version: ProtocolVersion, { method, params }: AnsweredRequest, result: unknown): string {
  const row = METHODS.get(method);
  if (row === undefined || !isObject(result)) return 'object';
  // The table has the method as an older version defined it.
  if (extensionOf(version, method) !== undefined) return 'EmptyResult';
  if (version >= '2026-07-28') {
    const kind = own(result, 'resultType');
    if (kind === 'input_required' && row.asks) return 'InputRequiredResult';
    // Extensions define their own result types.
    if (typeof kind === 'string' && kind !== 'complete') return 'EmptyResult';
  }
  if (isObject(params) && own(params, 'task') !== undefined && own(result, 'task') !== undefined) {
    return 'CreateTaskResult';
  }
  return row.result ?? 'EmptyResult';
}

/** Returns the checks of a version. */
export function checksOf(version: ProtocolVersion): VersionChecks {
  const checks = CHECKS.get(version) ?? new VersionChecks(version);
  CHECKS.set(version, checks);
  return checks;
}

function faultsAt(member: string, check: FaultCheck, body: JsonObject): readonly Fault[] {
  const walk = new FaultWalk();
  if (Object.hasOwn(body, member)) walk.checkMember(member, check, body[member]);
  else walk.addFault('missing', 'required', member);
  return walk.faults;
}
