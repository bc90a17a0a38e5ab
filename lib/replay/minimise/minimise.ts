import { setMembers } from '@/lib/json/members';
import { JsonSource } from '@/lib/json/source';
import type { PlayStep } from '../compare/recorded-client';
import { promisingParts } from './related-steps';
import { smallestValue, treeOf, treeText, type ValueTree } from './smaller-values';
import { smallestList } from './smallest-list';

/** Plays messages to a server that was started for them. */
export interface Oracle {
  /**
   * Resolves with the number of messages after which the session failed; undefined if it did not. Rejects with the
   * reason of an abort.
   */
  play(steps: readonly PlayStep[]): Promise<number | undefined>;
  /** True if the message that is sent last shows the failure. An exit at the end shows no message. */
  readonly namesMessage: boolean;
}

/** Called with each smaller session that fails. */
export type OnSmaller = (steps: readonly PlayStep[]) => void;

/** Finds the fewest messages of a failing session that still fail. `width`: how many servers may run at a time. */
export function fewestMessages(
  steps: readonly PlayStep[],
  oracle: Oracle,
  width: number,
  onSmaller: OnSmaller,
): Promise<readonly PlayStep[]> {
  const stillFails = async (some: readonly PlayStep[]) => (await oracle.play(some)) !== undefined;
  return smallestList(steps, stillFails, { guesses: promisingParts(steps), width, onSmaller });
}

/**
 * Makes the arguments of a failing session smaller, those of the last message first. A session of one message tries
 * many values on one server, and starts another one for the value that fails.
 */
export async function smallestArguments(
  steps: readonly PlayStep[],
  oracle: Oracle,
  width: number,
  onSmaller: OnSmaller,
): Promise<readonly PlayStep[]> {
  let found = steps;
  for (let at = steps.length - 1; at >= 0; at--) {
    const step = found[at]!;
    const tree = treeInParams(step);
    if (!tree) continue;
    const withValue = (value: ValueTree) => found.with(at, withArguments(step, value));
    const fails = async (value: ValueTree) => (await oracle.play(withValue(value))) !== undefined;
    const smaller = await smallestValue(tree, async (values) => {
      if (found.length > 1 || !oracle.namesMessage) return firstInTurn(values, fails, width);
      return firstOnOneServer(values, step, oracle, fails);
    });
    if (smaller === tree) continue;
    found = withValue(smaller);
    onSmaller(found);
  }
  return found;
}

async function firstInTurn(
  values: readonly ValueTree[],
  fails: (value: ValueTree) => Promise<boolean>,
  width: number,
): Promise<ValueTree | undefined> {
  for (let at = 0; at < values.length; at += width) {
    const some = values.slice(at, at + width);
    const failed = await Promise.all(some.map(fails));
    const first = failed.indexOf(true);
    if (first >= 0) return some[first];
  }
  return undefined;
}

/** Values that one server tries at most: it remembers each. */
const VALUES_PER_SERVER = 100;

async function firstOnOneServer(
  values: readonly ValueTree[],
  step: PlayStep,
  oracle: Oracle,
  fails: (value: ValueTree) => Promise<boolean>,
): Promise<ValueTree | undefined> {
  for (let at = 0; at < values.length; ) {
    const some = values.slice(at, at + VALUES_PER_SERVER);
    const count = await oracle.play(some.map((value) => withArguments(step, value)));
    const failing = count === undefined ? undefined : some[count - 1];
    if (failing && (await fails(failing))) return failing;
    at += failing ? count! : some.length;
  }
  return undefined;
}

/** Returns the arguments that a call sends; undefined if it has none. */
function treeInParams(step: PlayStep): ValueTree | undefined {
  if (step.kind !== 'call' || step.params === undefined) return undefined;
  const given = JsonSource.parse(step.params)?.member('arguments');
  return given?.kind === 'object' ? treeOf(given) : undefined;
}

function withArguments(step: PlayStep, value: ValueTree): PlayStep {
  if (step.kind !== 'call' || step.params === undefined) return step;
  return { ...step, params: setMembers(step.params, [['arguments', treeText(value)]]) };
}
