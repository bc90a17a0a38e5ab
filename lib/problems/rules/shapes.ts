import { typeWords } from '@/lib/json/type-words';
import { isObject, own } from '@/lib/json/value';
import { CACHE_HINTS, checkError, checkParams, checkResult, hasClientDefault } from '@/lib/protocol/check-message';
import { type Fault, type FaultPath, isViolation } from '@/lib/protocol/checks';
import { hasMethod, METHODS } from '@/lib/protocol/methods';
import type { SeenMessage } from '../protocol-state';
import { type ProtocolRule, quote } from '../rule';

/** Longest name of a field in a sentence. */
const NAME_CHARS = 80;

/** Faults by message. Several rules use the same faults. */
const FAULTS = new WeakMap<SeenMessage, readonly Fault[]>();

function faultsOf(seen: SeenMessage): readonly Fault[] {
  const known = FAULTS.get(seen);
  if (known) return known;
  const found = findFaults(seen);
  FAULTS.set(seen, found);
  return found;
}

function findFaults({ kind, version, method, body, request, direction }: SeenMessage): readonly Fault[] {
  if (version === undefined) return [];
  if (kind === 'error') return checkError(version, body);
  if (kind === 'response') return request ? checkResult(version, request, body) : [];
  // A version has no shape for a method that it does not define.
  return hasMethod(version, method, direction) ? checkParams(version, method, body) : [];
}

/** Builds a rule about faults from the table of shapes. */
export function shapeRule(
  {
    oncePerField,
    ...rule
  }: Omit<ProtocolRule, 'checks' | 'topic'> & {
    readonly topic?: ProtocolRule['topic'];
    /** True to report a fault that several list items share only once. */
    readonly oncePerField?: true;
  },
  wants: (fault: Fault) => boolean,
  /** Says what is wrong with the field, without its name. */
  format: (fault: Fault, value: unknown) => string,
  /** Returns the fix, where it differs from that of the rule. */
  advise?: (fault: Fault, value: unknown) => string | undefined,
): ProtocolRule {
  return {
    topic: 'messages',
    ...rule,
    checks: () => ({
      message: (seen, _state, report) => {
        const faults = faultsOf(seen);
        if (faults.length === 0) return;
        const reported = new Set<string>();
        for (const fault of faults) {
          if (!wants(fault) || (oncePerField && reported.has(fieldOf(fault)))) continue;
          reported.add(fieldOf(fault));
          const topic = rule.topic ?? METHODS.get(seen.request?.method ?? seen.method)?.page;
          const value = valueAt(seen.body, fault.path);
          const text = format(fault, value);
          const advice = advise?.(fault, value);
          report({
            message: `${nameOf(fault.path)} ${text}.`,
            path: fault.path,
            // Other faults leave a result valid.
            ...(isViolation(fault) && { fault: text }),
            ...(advice !== undefined && { advice }),
            ...(topic && { topic }),
            ...(seen.request && { seqs: [seen.request.seq] }),
          });
        }
      },
    }),
  };
}

const isKind = (kind: Fault['kind']) => (fault: Fault) => fault.kind === kind && !hasClientDefault(fault);
const isMissing =
  (...names: unknown[]) =>
  (fault: Fault) =>
    hasClientDefault(fault) && names.includes(fault.path[1]);

/** Clients and servers of every version agree on extensions this way, as MCP Apps demands. */
function isExtensions({ path }: Fault): boolean {
  return path.length === 3 && path[1] === 'capabilities' && path[2] === 'extensions';
}

/** Returns the name of a field for a sentence; for an item of a list, the list's with the index. */
function nameOf(path: FaultPath): string {
  const last = path.at(-1);
  if (typeof last === 'number' && path.length > 1) return `${String(path.at(-2)).slice(0, NAME_CHARS)}[${last}]`;
  return String(last).slice(0, NAME_CHARS);
}

/** Formats a field's path without list indexes. */
function fieldOf({ path }: Fault): string {
  return path.map((key) => (typeof key === 'number' ? '' : key)).join('\0');
}

function valueAt(value: unknown, path: FaultPath): unknown {
  return path.reduce<unknown>((at, key) => {
    if (Array.isArray(at)) return at[key as number];
    return isObject(at) ? own(at, String(key)) : undefined;
  }, value);
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

const EMPTY_OBJECT = 'Send {}. PHP writes an empty array as []: use new stdClass() or (object)[] there.';

/** Rules about fields, from the table of shapes. */
export const SHAPE_RULES: readonly ProtocolRule[] = [
  shapeRule(
    {
      id: 'field-missing',
      severity: 'error',
      title: 'Missing required field',
      advice: 'Add the field. This version requires it.',
    },
    isKind('missing'),
    ({ expected }) => `${expected.replace(/^required ?/, '')} is missing`.trimStart(),
  ),
  shapeRule(
    {
      id: 'field-type',
      severity: 'error',
      title: 'Wrong field type',
      advice: 'Send the expected type. To omit an optional field, leave it out instead of sending null.',
    },
    isKind('type'),
    ({ expected }, value) => `is ${typeWords(value)}, expected ${expected}`,
    ({ expected }, value) => (expected === 'an object' && isEmptyList(value) ? EMPTY_OBJECT : undefined),
  ),
  shapeRule(
    {
      id: 'field-value',
      severity: 'error',
      title: 'Value not allowed in this version',
      advice: 'Send one of the listed values.',
    },
    isKind('value'),
    ({ expected }, value) => `is ${quote(value)}, expected ${expected}`,
  ),
  shapeRule(
    {
      id: 'field-range',
      severity: 'error',
      title: 'Value out of range',
      advice: 'Send a value within the range.',
    },
    isKind('range'),
    ({ expected }, value) => `is ${quote(value)}, expected ${expected}`,
  ),
  shapeRule(
    {
      id: 'field-not-in-version',
      oncePerField: true,
      severity: 'info',
      title: 'Field not in this version',
      advice: 'The other side may ignore it. Leave it out, or negotiate a version that has it.',
    },
    (fault) => isKind('other-version')(fault) && !isExtensions(fault),
    ({ expected }) => `exists ${expected.startsWith('only') ? '' : 'only '}${expected}`,
  ),
  shapeRule(
    {
      id: 'result-type-missing',
      severity: 'warning',
      title: 'Missing resultType',
      advice: 'Add "resultType": "complete". Without it, clients assume the result is complete.',
    },
    isMissing('resultType'),
    () => 'is missing',
  ),
  shapeRule(
    {
      id: 'cache-hint-missing',
      severity: 'warning',
      title: 'Missing ttlMs or cacheScope',
      topic: 'caching',
      advice: 'State how long and for whom the result may be cached. Without it, clients treat it as stale.',
    },
    isMissing(...CACHE_HINTS),
    () => 'is missing',
  ),
  shapeRule(
    {
      id: 'members-exclude',
      severity: 'error',
      title: 'Members that exclude each other',
      advice: 'Send only one of the two members.',
    },
    isKind('excluded'),
    ({ expected }) => `is set beside ${expected}, which excludes it`,
  ),
  shapeRule(
    {
      id: 'name-repeated',
      severity: 'error',
      title: 'Name used twice in a list',
      advice: 'Give every item of the list its own name. Clients find an item by it.',
    },
    isKind('repeated'),
    ({ expected }, value) => `is ${quote(value)}, which ${expected} of the list has too`,
  ),
  shapeRule(
    {
      id: 'number-without-meaning',
      severity: 'warning',
      title: 'Number without a meaning',
      advice: 'Send a number that the field can have. To omit an optional field, leave it out.',
    },
    isKind('amount'),
    ({ expected }, value) => `is ${quote(value)}, expected ${expected}`,
  ),
];
