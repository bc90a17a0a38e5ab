import { setMembers } from '@/lib/json/members';
import { JsonSource } from '@/lib/json/source';
import type { PlayStep } from '@/lib/replay/compare/recorded-client';
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

/** Makes the arguments of a failing session smaller, those of the last message first. */
export async function smallestArguments(
  steps: readonly PlayStep[],
  oracle: Oracle,
  width: number,
  onSmaller: OnSmaller,
): Promise<readonly PlayStep[]> {
  let found = await withoutArguments(steps, oracle);
  if (found !== steps) onSmaller(found);
  for (let at = steps.length - 1; at >= 0; at--) {
    const step = found[at]!;
    const tree = treeInParams(step);
    if (!tree) continue;
    const withValue = (value: ValueTree) => found.with(at, withArgumentsOf(step, value));
    const fails = async (value: ValueTree) => (await oracle.play(withValue(value))) !== undefined;
    const isAlone = found.length === 1 && oracle.namesMessage;
    const smaller = isAlone
      ? await smallestAlone(tree, step, oracle, fails)
      : await smallestValue(tree, (values) => firstInTurn(values, fails, width));
    if (smaller === tree) continue;
    found = withValue(smaller);
    onSmaller(found);
  }
  return found;
}

/** Returns the session without any arguments if that fails, and with them otherwise. */
async function withoutArguments(steps: readonly PlayStep[], oracle: Oracle): Promise<readonly PlayStep[]> {
  const empty = steps.map((step) =>
    treeInParams(step) ? withArgumentsOf(step, { kind: 'object', members: [] }) : step,
  );
  return (await oracle.play(empty)) === undefined ? steps : empty;
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

/**
 * Makes the arguments of the only message smaller. Many values are tried on one server, so the result must also fail on
 * a new one. If it does not, because one value caused the failure of another, each step is tried on a new server.
 */
async function smallestAlone(
  tree: ValueTree,
  step: PlayStep,
  oracle: Oracle,
  fails: (value: ValueTree) => Promise<boolean>,
): Promise<ValueTree> {
  const firstOnOneServer = async (values: readonly ValueTree[]): Promise<ValueTree | undefined> => {
    const count = await oracle.play(values.map((value) => withArgumentsOf(step, value)));
    return count === undefined ? undefined : values[count - 1];
  };
  const smallest = await smallestValue(tree, firstOnOneServer);
  if (smallest === tree || (await fails(smallest))) return smallest;
  return smallestValue(tree, (values) => firstInTurn(values, fails, 1));
}

/** Returns the arguments that a call sends; undefined if it has none. */
function treeInParams(step: PlayStep): ValueTree | undefined {
  if (step.kind !== 'call' || step.params === undefined) return undefined;
  const given = JsonSource.parse(step.params)?.member('arguments');
  return given?.kind === 'object' ? treeOf(given) : undefined;
}

function withArgumentsOf(step: PlayStep, value: ValueTree): PlayStep {
  if (step.kind !== 'call' || step.params === undefined) return step;
  return { ...step, params: setMembers(step.params, [['arguments', treeText(value)]]) };
}
