import { isObject, own } from '@/lib/json/value';
import { DIRECTIONS } from './frame';
import { type HoldDecision, INTERCEPT_LIMITS, type InterceptAction } from './intercept';

/** Returns what is wrong with a value: “ must be a number”. undefined: nothing. */
type Fault = (value: unknown) => string | undefined;

const text =
  (most: number): Fault =>
  (value) =>
    typeof value !== 'string'
      ? ' must be a string'
      : value.length > most
        ? ` is longer than ${most} characters`
        : undefined;
const integer =
  (least: number, most: number): Fault =>
  (value) =>
    Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most
      ? undefined
      : ` must be a whole number from ${least} to ${most}`;
const optional =
  (fault: Fault): Fault =>
  (value) =>
    value === undefined ? undefined : fault(value);
const json: Fault = (value) => {
  const wrong = text(INTERCEPT_LIMITS.messageBytes)(value);
  if (wrong !== undefined) return wrong;
  try {
    JSON.parse(value as string);
    return undefined;
  } catch {
    return ' is not JSON text';
  }
};

/** Checks the members of an object. Any other member is a fault. */
function shape(fields: Readonly<Record<string, Fault>>): Fault {
  const faults = new Map(Object.entries(fields));
  return (value) => {
    if (!isObject(value)) return ' must be an object';
    const unknown = Object.keys(value).find((key) => !faults.has(key));
    if (unknown !== undefined) return ` has an unknown member ${JSON.stringify(unknown.slice(0, 100))}`;
    for (const [key, fault] of faults) {
      const wrong = fault(own(value, key));
      if (wrong !== undefined) return `.${key}${wrong}`;
    }
    return undefined;
  };
}

type Fields = Readonly<Record<string, Fault>>;

const whole = integer(Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER);

/** The members of each action apart from `do`. */
const ACTIONS: { readonly [A in InterceptAction['do']]: Fields } = {
  hold: {},
  delay: { ms: integer(0, INTERCEPT_LIMITS.delayMs) },
  drop: {},
  duplicate: { copies: optional(integer(1, INTERCEPT_LIMITS.copies)) },
  replace: { text: text(INTERCEPT_LIMITS.messageBytes) },
  error: { code: whole, message: text(INTERCEPT_LIMITS.errorChars), data: optional(json) },
  result: { result: json },
  'answer-from': { file: text(INTERCEPT_LIMITS.whenChars) },
  cut: {},
};

const { delay, drop, duplicate, error, result, cut } = ACTIONS;
/** The members of each decision apart from `do`. */
const DECISIONS: { readonly [A in HoldDecision['do']]: Fields } = {
  release: { text: optional(text(INTERCEPT_LIMITS.messageBytes)) },
  delay,
  drop,
  duplicate,
  error,
  result,
  cut,
};

function oneOfThese(fields: Readonly<Record<string, Fields>>): Fault {
  const faults = new Map(
    Object.entries(fields).map(([name, members]) => [name, shape({ do: () => undefined, ...members })]),
  );
  return (value) => {
    const name = isObject(value) ? own(value, 'do') : undefined;
    const fault = typeof name === 'string' ? faults.get(name) : undefined;
    return fault ? fault(value) : `.do must be one of: ${[...faults.keys()].join(', ')}`;
  };
}

const rule = (actions: Fault): Fault =>
  shape({
    name: (value) => text(INTERCEPT_LIMITS.nameChars)(value) ?? (value === '' ? ' must not be empty' : undefined),
    direction: optional((value) =>
      DIRECTIONS.some((direction) => direction === value) ? undefined : ` must be ${DIRECTIONS.join(' or ')}`,
    ),
    when: optional(text(INTERCEPT_LIMITS.whenChars)),
    after: optional(integer(0, Number.MAX_SAFE_INTEGER)),
    every: optional(integer(1, Number.MAX_SAFE_INTEGER)),
    times: optional(integer(1, Number.MAX_SAFE_INTEGER)),
    action: actions,
  });

const { 'answer-from': _, ...pageActions } = ACTIONS;
/** A page must not make mcp-inspect read a file. */
const RULE_OF = { page: rule(oneOfThese(pageActions)), file: rule(oneOfThese(ACTIONS)) };

/**
 * Returns what is wrong with a list of rules, beginning with the place: “[2].action.ms must be …”. undefined: nothing.
 */
export function rulesFault(value: unknown, owner: keyof typeof RULE_OF): string | undefined {
  if (!Array.isArray(value)) return ' must be a list';
  if (value.length > INTERCEPT_LIMITS.rules) return ` has more than ${INTERCEPT_LIMITS.rules} rules`;
  const names = new Set<string>();
  for (const [index, item] of value.entries()) {
    const fault = RULE_OF[owner](item);
    if (fault !== undefined) return `[${index}]${fault}`;
    const { name } = item as { readonly name: string };
    if (names.has(name)) return `[${index}].name is also the name of another rule`;
    names.add(name);
  }
  return undefined;
}

const decision = oneOfThese(DECISIONS);

/** Returns what is wrong with a decision: “.ms must be …”. undefined: nothing. */
export function decisionFault(value: unknown): string | undefined {
  return decision(value);
}
