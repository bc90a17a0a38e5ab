import type { OfferedTool } from '@/features/chat/lib/chat-frame';
import { toolNamed, toolWritten, writtenNames } from '@/features/chat/lib/tool-names';
import type { JsonObject } from '@/lib/json/value';
import { SchemaChecker } from '@/lib/schema/check';
import type { CheckResult } from '@/lib/schema/schema-worker';
import { LIMITS } from '@/lib/wire/limits';
import type { TimeLimit } from '@/lib/wire/time-limit';
import type { ToolChoice } from './eval-attempt';
import type { EvalCase, ExpectedCall } from './eval-case';
import type { MadeCall, RunFacts } from './run-facts';
import { failedTest, isSameValue, shownValue, valueByPointer } from './value-test';

/** Stands for no tool in a confusion matrix. */
export const NO_TOOL = '(none)';

/** The verdict on one run of a case. */
export interface Score {
  /** Why it failed, a sentence each; none if it passed. */
  readonly reasons: readonly string[];
  /** For the confusion matrix. */
  readonly choices: readonly ToolChoice[];
}

/** A schema of a case can’t be checked, so nobody knows whether the model was right. The message is a sentence. */
export class UncheckedSchema extends Error {}

/** Compares what a model did with what a case expects. Throws {@link UncheckedSchema} and SlowPattern. */
export function scoreRun({ expect }: EvalCase, facts: RunFacts, within: TimeLimit): Score {
  const { calls, offered, text, failure, reason } = facts;
  const { matches, reasons } = matchCalls(expect.calls, calls, offered, within);
  const forbidden = calls.filter((call) => expect.forbidden.some((tool) => isNamed(call, tool, offered)));
  const tests = expect.text.flatMap((test) => failedTest(text, test, within) ?? []);
  const { mostCalls } = expect;
  return {
    reasons: [
      ...(failure
        ? [`${failure.message} ${failure.advice}`]
        : reason === 'stop'
          ? []
          : [`The answer ended: ${reason}.`]),
      ...reasons,
      ...[...new Set(forbidden.map(({ name }) => name))].map((name) => `\`${name}\` is forbidden, but was called.`),
      ...tests.map((wanted) => `The text is ${shownValue(text)}, expected ${wanted}.`),
      ...(mostCalls !== undefined && calls.length > mostCalls
        ? [`${calls.length} ${calls.length === 1 ? 'call was' : 'calls were'} made, expected at most ${mostCalls}.`]
        : []),
    ],
    choices: choicesOf(expect.calls, matches, calls, offered, mostCalls === 0),
  };
}

/** Finds for each expected call one that was made. No call counts for two. */
function matchCalls(
  expected: readonly ExpectedCall[],
  calls: readonly MadeCall[],
  offered: readonly OfferedTool[],
  within: TimeLimit,
): { readonly matches: readonly (MadeCall | undefined)[]; readonly reasons: readonly string[] } {
  const left = new Set(calls);
  const reasons: string[] = [];
  const matches = expected.map((wanted) => {
    const named = [...left].filter((call) => isNamed(call, wanted.tool, offered));
    const faults = named.map((call) => argumentFaults(call, wanted, within));
    const right = named[faults.findIndex((found) => found.length === 0)];
    const match = right ?? named[0];
    if (match) left.delete(match);
    if (!match) reasons.push(missingCall(wanted.tool, calls, offered));
    else if (!right) reasons.push(...faults[0]!);
    return match;
  });
  return { matches, reasons };
}

function missingCall(tool: string, calls: readonly MadeCall[], offered: readonly OfferedTool[]): string {
  if (toolWritten(offered, tool) === undefined)
    return `\`${tool}\` was expected, but no server offers it: there is ${list(offered.map(({ name }) => name))}.`;
  const made = calls.length === 0 ? 'no tool' : list(calls.map(({ name }) => name));
  return `\`${tool}\` was expected, but the model called ${made}.`;
}

/** Most names of a sentence. */
const MOST_NAMES = 20;

function list(names: readonly string[]): string {
  if (names.length === 0) return 'none';
  const quoted = [...new Set(names)].map((name) => `\`${name}\``);
  const more = quoted.length - MOST_NAMES;
  return more > 0 ? `${quoted.slice(0, MOST_NAMES).join(', ')} and ${more} more` : quoted.join(', ');
}

function isNamed({ name, tool }: MadeCall, wanted: string, offered: readonly OfferedTool[]): boolean {
  const called = toolNamed(offered, name);
  return name === wanted || tool === wanted || (called !== undefined && writtenNames(called).includes(wanted));
}

/** Most faults of a schema that are reported. */
const MOST_FAULTS = 5;

function argumentFaults(
  { name, arguments: args, argumentsText }: MadeCall,
  wanted: ExpectedCall,
  within: TimeLimit,
): readonly string[] {
  const about = `The arguments of \`${name}\` are`;
  if (args === undefined) return [`${about} not valid JSON: ${shownValue(argumentsText)}.`];
  const faults: string[] = [];
  if (wanted.arguments && !isSameValue(args, wanted.arguments))
    faults.push(`${about} ${shownValue(args)}, expected ${shownValue(wanted.arguments)}.`);
  for (const { path, test } of wanted.where) {
    const value = valueByPointer(args, path);
    const expected = failedTest(value, test, within);
    if (expected !== undefined)
      faults.push(`\`${path}\` of the arguments of \`${name}\` is ${shownValue(value)}, expected ${expected}.`);
  }
  if (wanted.schema) {
    const { findings, unchecked } = checkWithin(wanted.schema, JSON.stringify(args), within);
    if (unchecked !== undefined)
      throw new UncheckedSchema(`The schema for \`${name}\` can’t be checked: ${unchecked}.`);
    for (const { path, text } of findings.slice(0, MOST_FAULTS))
      faults.push(`\`/${path.join('/')}\` of the arguments of \`${name}\`: ${text}.`);
  }
  return faults;
}

/** Schemas that took too long. Each try costs half a second, in which nothing else runs. */
const slowSchemas = new WeakSet<object>();

/** Checks arguments. A pattern of a schema may take for ever. */
function checkWithin(schema: JsonObject, text: string, within: TimeLimit): CheckResult {
  let checked: CheckResult = { findings: [], unchecked: 'it takes too long, most likely in a pattern' };
  if (slowSchemas.has(schema)) return checked;
  const isDone = within(LIMITS.schemaWorkMs, () => {
    checked = new SchemaChecker(JSON.stringify(schema)).check(text, new Map());
  });
  if (!isDone) slowSchemas.add(schema);
  return checked;
}

/** Pairs each expected tool with the one that was called for it, or in its place. */
function choicesOf(
  expected: readonly ExpectedCall[],
  matches: readonly (MadeCall | undefined)[],
  calls: readonly MadeCall[],
  offered: readonly OfferedTool[],
  expectsNone: boolean,
): readonly ToolChoice[] {
  const others = calls.filter((call) => !matches.includes(call));
  if (expectsNone) return [{ expected: NO_TOOL, chosen: calls[0]?.name ?? NO_TOOL }];
  return expected.map(({ tool }, index) => {
    return {
      expected: toolWritten(offered, tool)?.name ?? tool,
      chosen: (matches[index] ?? others.shift())?.name ?? NO_TOOL,
    };
  });
}
