import { isObject, own } from '@/lib/json/value';
import { CACHE_HINTS, checkError, checkParams, checkResult, hasClientDefault } from '@/lib/protocol/check-message';
import type { Fault, Path } from '@/lib/protocol/checks';
import { hasMethod, METHODS } from '@/lib/protocol/methods';
import type { SeenMessage } from '../protocol-state';
import { quote, type Rule } from '../rule';

/** Faults of the message looked at last: several rules pick theirs out of them. */
const FAULTS = new WeakMap<SeenMessage, readonly Fault[]>();

function faultsOf(seen: SeenMessage): readonly Fault[] {
  const known = FAULTS.get(seen);
  if (known) return known;
  const found = findFaults(seen);
  FAULTS.set(seen, found);
  return found;
}

function findFaults({ kind, version, method, body, ask, direction }: SeenMessage): readonly Fault[] {
  if (version === undefined) return [];
  if (kind === 'error') return checkError(version, body);
  if (kind === 'response') return ask ? checkResult(version, ask, body) : [];
  // A method that this version does not have has no shape in it.
  return hasMethod(version, method, direction) ? checkParams(version, method, body) : [];
}

function shapeRule(
  {
    oncePerField,
    ...rule
  }: Omit<Rule, 'checks' | 'topic'> & {
    readonly topic?: Rule['topic'];
    /** The items of a list all have it or none: telling it of one is enough. */
    readonly oncePerField?: true;
  },
  wants: (fault: Fault) => boolean,
  words: (fault: Fault, value: unknown) => string,
): Rule {
  return {
    topic: 'messages',
    ...rule,
    checks: () => ({
      message: (seen, _session, report) => {
        const faults = faultsOf(seen);
        if (faults.length === 0) return;
        const told = new Set<string>();
        for (const fault of faults) {
          if (!wants(fault) || (oncePerField && told.has(fieldOf(fault)))) continue;
          told.add(fieldOf(fault));
          const topic = rule.topic ?? METHODS.get(seen.ask?.method ?? seen.method)?.page;
          report({
            message: words(fault, valueAt(seen.body, fault.path)),
            path: fault.path,
            ...(topic && { topic }),
            ...(seen.ask && { seqs: [seen.ask.seq] }),
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

/** A field's place, whatever item of a list it is in. */
function fieldOf({ path }: Fault): string {
  return path.map((key) => (typeof key === 'number' ? '' : key)).join('\0');
}

function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((at, key) => {
    if (Array.isArray(at)) return at[key as number];
    return isObject(at) ? own(at, String(key)) : undefined;
  }, value);
}

/** What the version's table says of every message. */
export const SHAPE_RULES: readonly Rule[] = [
  shapeRule(
    {
      id: 'field-missing',
      severity: 'error',
      title: 'A required field is missing',
      advice: 'Add the field: this version requires it.',
    },
    isKind('missing'),
    ({ path }) => `${String(path.at(-1))} is missing.`,
  ),
  shapeRule(
    {
      id: 'field-type',
      severity: 'error',
      title: 'A field of the wrong type',
      advice: 'Send the type that is expected; leave an optional field out instead of sending null.',
    },
    isKind('type'),
    ({ path, expected }, value) => `${String(path.at(-1))} is ${quote(value)}, and should be ${expected}.`,
  ),
  shapeRule(
    {
      id: 'field-value',
      severity: 'error',
      title: 'A value that this version does not list',
      advice: 'Send one of the listed values.',
    },
    isKind('value'),
    ({ path, expected }, value) => `${String(path.at(-1))} is ${quote(value)}, and should be ${expected}.`,
  ),
  shapeRule(
    {
      id: 'field-range',
      severity: 'error',
      title: 'A value out of bounds',
      advice: 'Keep to the bounds.',
    },
    isKind('range'),
    ({ path, expected }, value) => `${String(path.at(-1))} is ${quote(value)}, and should be ${expected}.`,
  ),
  shapeRule(
    {
      id: 'field-not-in-version',
      oncePerField: true,
      severity: 'info',
      title: 'A field that this version does not have',
      advice: 'Expect the other side to ignore it, or agree on a version that has it.',
    },
    isKind('other-version'),
    ({ path, expected }) => `${String(path.at(-1))} exists ${expected.startsWith('only') ? '' : 'only '}${expected}.`,
  ),
  shapeRule(
    {
      id: 'result-type-missing',
      severity: 'warning',
      title: 'No resultType',
      advice: 'Add "resultType": "complete" to the result; without it clients take the result for complete.',
    },
    isMissing('resultType'),
    () => 'resultType is missing.',
  ),
  shapeRule(
    {
      id: 'cache-hint-missing',
      severity: 'warning',
      title: 'No ttlMs or cacheScope',
      topic: 'caching',
      advice: 'Say how long the answer holds and for whom; without it clients take it for stale at once.',
    },
    isMissing(...CACHE_HINTS),
    ({ path }) => `${String(path.at(-1))} is missing.`,
  ),
];
