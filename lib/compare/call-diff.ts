import type { RecordedAnswer, RecordedCall } from '@/lib/session/recorded-session';
import { isObject, type JsonObject, own } from '@/lib/wire/message';
import { parseExact } from './exact-json';
import type { CallPair } from './pair-calls';
import { shownValue } from './shown-value';
import { type Comparing, type Difference, valueDifferences } from './value-diff';

/** What came of comparing a call's two answers. */
export interface CallComparison extends CallPair {
  readonly verdict: 'same' | 'different' | 'only-before' | 'only-after' | 'skipped';
  /** How the calls ended, if that is not the same: `a result`, `error -32602` … */
  readonly ends: readonly [before: string, after: string] | undefined;
  readonly differences: readonly Difference[];
}

/** Compares how two calls were answered, and what the server asked for meanwhile. */
export function compareCalls(pair: CallPair, how: Comparing): CallComparison {
  const { before, after, skipped } = pair;
  if (skipped !== undefined) return { ...pair, verdict: 'skipped', ends: undefined, differences: [] };
  if (!before || !after) {
    return { ...pair, verdict: before ? 'only-before' : 'only-after', ends: undefined, differences: [] };
  }
  const [was, is] = [before, after].map(({ answer }) => (answer ? readAnswer(answer) : undefined));
  const [endBefore, endAfter] = [endOf(before, was), endOf(after, is)];
  const ends = endBefore === endAfter ? undefined : ([endBefore, endAfter] as const);
  // Of an error and a result no member is the same, and saying so of each helps nobody.
  const comparable = before.answer?.kind === after.answer?.kind;
  const differences = [
    ...(comparable ? valueDifferences(was, is, how) : []),
    ...questionDifferences(before, after, how),
  ];
  return { ...pair, verdict: ends || differences.length > 0 ? 'different' : 'same', ends, differences };
}

/** A text that is no JSON, or a monster of it, is compared as the text. */
function readAnswer({ text }: RecordedAnswer): unknown {
  try {
    return parseExact(text);
  } catch {
    return text;
  }
}

const UNANSWERED = { cancelled: 'cancelled', timeout: 'no answer in time', lost: 'no answer', open: 'no answer' };

/** How it ended, as far as every comparison cares: a changed code is a change of structure. */
function endOf({ answer, unanswered }: RecordedCall, value: unknown): string {
  if (!answer) return UNANSWERED[unanswered?.why ?? 'open'];
  const body: JsonObject = isObject(value) ? value : {};
  if (answer.kind === 'error') return `error ${shownValue(own(body, 'code'))}`;
  const type = own(body, 'resultType');
  if (type !== undefined && type !== 'complete') return `a result of type ${shownValue(type)}`;
  return own(body, 'isError') === true ? 'a tool error' : 'a result';
}

/** What the server asked the client during the call, by method. */
function questionDifferences(before: RecordedCall, after: RecordedCall, how: Comparing): readonly Difference[] {
  return valueDifferences(questionsOf(before), questionsOf(after), how, ['asked']);
}

/** They are asked at any time, and for no call. */
const FOR_NO_CALL: ReadonlySet<string> = new Set(['ping', 'roots/list']);

function questionsOf({ during }: RecordedCall): JsonObject {
  const asked: Record<string, unknown[]> = Object.create(null);
  for (const event of during) {
    if (event.kind !== 'question' || FOR_NO_CALL.has(event.method)) continue;
    asked[event.method] ??= [];
    asked[event.method]!.push(event.params === undefined ? {} : parseExact(event.params));
  }
  return asked;
}
