import { JsonSource } from '@/lib/json/source';
import type { PlayStep } from '@/lib/replay/compare/recorded-client';

/** Shortest string that relates two messages. Shorter ones are equal by chance. */
const SHORTEST = 3;
/** Most strings of a message that are looked for. */
const MOST_STRINGS = 50;

/** Steps of one kind that are tried together. */
const FEW = 4;

/**
 * Lists parts of a session that probably fail alone: nothing but the handshake, the last step, it with the steps whose
 * answers hold values that it sends, it with a few steps of each kind, and it with the steps that have a string in
 * common with it.
 */
export function promisingParts(steps: readonly PlayStep[]): readonly (readonly PlayStep[])[] {
  const last = steps.at(-1);
  if (!last) return [];
  const wanted = stringsOf(last);
  const sharing = steps.filter((step) => step === last || [...wanted].some((text) => textsOf(step).includes(text)));
  const alike = steps.filter((step) => kindOf(step) === kindOf(last)).slice(-FEW);
  const kinds = [firstOfKinds(steps, 1), lastOfKinds(steps, 1), alike, lastOfKinds(steps, FEW)];
  const parts = [[], [last], sources(steps, last), ...kinds, sharing].filter(({ length }) => length < steps.length);
  const places = new Map(steps.map((step, at) => [step, at]));
  const keys = parts.map((part) => part.map((step) => places.get(step)).join());
  return parts.filter((_, at) => keys.indexOf(keys[at]!) === at);
}

/** Returns the last step, and the first few of each method and name. */
function firstOfKinds(steps: readonly PlayStep[], few: number): readonly PlayStep[] {
  const counts = new Map<string, number>();
  return steps.filter((step, at) => {
    const count = (counts.get(kindOf(step)) ?? 0) + 1;
    counts.set(kindOf(step), count);
    return count <= few || at === steps.length - 1;
  });
}

/** Returns the last few of each method and name. */
function lastOfKinds(steps: readonly PlayStep[], few: number): readonly PlayStep[] {
  const [last, ...before] = steps.toReversed();
  return [last!, ...firstOfKinds(before, few)].toReversed();
}

function kindOf(step: PlayStep): string {
  return step.kind === 'notification' ? step.method : `${step.call.method} ${step.call.name ?? ''}`;
}

/** Returns a step and those whose answers hold what it sends, what those send, and so on. */
function sources(steps: readonly PlayStep[], last: PlayStep): readonly PlayStep[] {
  const found = new Set([last]);
  for (const step of found) {
    for (const text of stringsOf(step)) {
      const source = steps.find((one) => one === step || answerOf(one).includes(text));
      if (source && source !== step) found.add(source);
    }
  }
  return steps.filter((step) => found.has(step));
}

function answerOf(step: PlayStep): string {
  return step.kind === 'call' ? (step.call.answer?.text ?? '') : '';
}

function textsOf(step: PlayStep): string {
  return `${('params' in step && step.params) || ''} ${answerOf(step)}`;
}

/** Returns the strings that a step sends, as JSON, without the names of tools and the like. */
function stringsOf(step: PlayStep): ReadonlySet<string> {
  const found = new Set<string>();
  const source = 'params' in step && step.params !== undefined ? JsonSource.parse(step.params) : undefined;
  const pending = source ? [source.member('arguments') ?? source] : [];
  for (let next = pending.pop(); next && found.size < MOST_STRINGS; next = pending.pop()) {
    if (next.kind === 'string' && next.length >= SHORTEST + 2) found.add(next.text);
    else if (next.kind === 'object' || next.kind === 'array')
      pending.push(...next.children(MOST_STRINGS).children.map((child) => child.source));
  }
  return found;
}
