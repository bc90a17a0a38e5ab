import { type CallCase, callCases, canaryCases } from '@/features/check/lib/call-cases';
import type { CheckFinding } from '@/features/check/lib/report';
import { entryName, quotedName, toolTextPath } from '@/features/check/lib/tool-text';
import { isObject, type JsonObject, own, textOrJson } from '@/lib/json/value';
import { systemClock } from '@/lib/wire/clock';
import { isFailure } from '@/lib/wire/lifecycle';
import { choiceOf } from '@/proxy/cli/choice';
import type { ServerAnswer } from '@/proxy/commands/headless/server-connection';
import type { Session, SessionStep } from './check-session';
import { ENTRY_STEPS } from './entries';
import { runMeasured } from './measured';
import { memoryStep } from './memory';
import { findingsBy, type StepRule } from './step-finding';
import { AGAIN_TIMES } from './step-runner';
import { askAlive, finding as survivalFinding } from './survival';

/** Milliseconds for one call, if a step may take that long. */
const CALL_MS = 5000;

/** A busy machine does not shorten the time to make arguments from a schema. */
const within = (ms: number, work: () => void): boolean => runMeasured(ms, work) === 'done';

const CALLS = ['none', 'read-only', 'all'] as const;

/** Tools that are called: those that are explicitly read-only, or all. */
export type Calls = (typeof CALLS)[number];

/** Reads `--allow`. Throws an ExitError. */
export function readCalls(text: string | undefined): Calls {
  return choiceOf('--allow', text ?? 'none', CALLS);
}

/** Returns the steps that call tools, read resources and get prompts. Each tool is a step, known once it is listed. */
export function callSteps(calls: Calls): readonly SessionStep[] {
  if (calls === 'none') return [];
  return [
    ...ENTRY_STEPS,
    {
      name: 'call tools',
      run: async () => [],
      expand: ({ listed }) => {
        const called = (listed.tools ?? []).filter((tool) => mayCall(tool, calls));
        const repeated = called.find(isRepeatable);
        return [...called.map(toolStep), ...(repeated ? [repeatedStep(repeated)] : [])];
      },
    },
  ];
}

function hint(tool: JsonObject, name: string): unknown {
  const annotations = own(tool, 'annotations');
  return isObject(annotations) ? own(annotations, name) : undefined;
}

function mayCall(tool: JsonObject, calls: Calls): boolean {
  const execution = own(tool, 'execution');
  const needsTask = isObject(execution) && own(execution, 'taskSupport') === 'required';
  return !needsTask && entryName(tool) !== '' && (calls === 'all' || hint(tool, 'readOnlyHint') === true);
}

function toolStep(tool: JsonObject): SessionStep {
  const name = entryName(tool);
  const cases = callCases(own(tool, 'inputSchema'), within);
  return {
    name: `call ${quotedName(name)}`,
    // Each call has a limit of its own. None is repeated in another session, since it may change something.
    limitMs: (cases.length + 4 + AGAIN_TIMES) * CALL_MS,
    isAskedOnce: true,
    ...(cases.length === 0 && { skips: () => 'No valid arguments could be made from its schema.' }),
    run: async (session, signal) => {
      const found: CheckFinding[] = [];
      for (const each of cases) {
        let answer = await call(session, name, each.text, signal);
        // The machine may be busy. Wrong arguments change nothing.
        if (!answer && each.kind === 'wrong') answer = await call(session, name, each.text, signal, AGAIN_TIMES);
        if (!answer) {
          const late = lateFinding(session, tool, each);
          await askAlive(session, signal);
          return [...found, late];
        }
        found.push(...judgeCall(session, tool, each, answer));
      }
      found.push(...(await callTogether(session, tool, signal)));
      if (isRepeatable(tool)) found.push(...(await callAgain(session, tool, cases[0]!, signal)));
      return found;
    },
  };
}

/** Asks for progress, which the rules then judge. */
const ignoreProgress = (): void => {};

/**
 * Calls a tool, and cancels the call after its time, or that many times it; undefined then. Rejects if the server is
 * gone.
 */
async function call(
  { connection, stepMs }: Session,
  name: string,
  args: string,
  signal: AbortSignal,
  times = 1,
): Promise<ServerAnswer | undefined> {
  const cancel = new AbortController();
  const callOff = systemClock.after(Math.min(CALL_MS, stepMs) * times, () => cancel.abort());
  const params = `{"name":${JSON.stringify(name)},"arguments":${args}}`;
  try {
    return await connection.request('tools/call', params, ignoreProgress, AbortSignal.any([signal, cancel.signal]));
  } catch (error) {
    if (cancel.signal.aborted && isFailure(error)) return undefined;
    throw error;
  } finally {
    callOff();
  }
}

function lateFinding(session: Session, tool: JsonObject, { kind, about }: CallCase): CheckFinding {
  const name = quotedName(entryName(tool));
  // Other arguments were answered before.
  const waited = Math.min(CALL_MS, session.stepMs) / 1000;
  if (kind === 'wrong') {
    const again = `within ${waited} s, nor, when it was called again, within ${waited * AGAIN_TIMES} s`;
    return finding(
      session,
      'wrong-arguments-hang',
      `${name} did not answer ${again}, when ${about}.`,
      ...newestCall(session, tool),
    );
  }
  const message = `${name} took longer than ${waited} s and was cancelled (${about}).`;
  return finding(session, 'slow-call', message, ...newestCall(session, tool));
}

const RULES = {
  'wrong-arguments-accepted': [
    'error',
    'Wrong arguments accepted',
    'Check arguments against the schema, and answer with isError or error −32602.',
    'tools',
  ],
  'wrong-arguments-hang': ['error', 'No answer to wrong arguments', 'Answer with isError or error −32602.', 'tools'],
  'slow-call': ['info', 'Slow tool', 'Report progress, so that clients wait. Its other calls were left out.', 'tools'],
  'valid-arguments-refused': [
    'warning',
    'Valid arguments refused as invalid',
    'Make the schema say what the tool accepts, or accept what the schema allows.',
    'tools',
  ],
  'stack-trace': [
    'warning',
    'Stack trace in an answer',
    'Describe the error in a sentence. A stack trace helps no model, and shows paths of your machine.',
    'tools',
  ],
  'read-only-differs': [
    'info',
    'Two equal calls with different results',
    'Check that the tool changes nothing, as it declares. Times and random values are fine.',
    'tools',
  ],
} as const satisfies Record<string, StepRule>;

const finding = findingsBy(RULES);

/** Returns the newest answer to a call, and the path of its tool. */
function newestCall({ frames }: Session, tool: JsonObject): readonly [frames: readonly number[], path: string] {
  return [frames.newestAnswer('tools/call'), toolTextPath(tool)];
}

/** True for an answer that says that something went wrong, or asks for more. */
function isRefusal(answer: ServerAnswer): boolean {
  if (answer.kind === 'error' || !isObject(answer.result)) return true;
  const type = own(answer.result, 'resultType');
  return own(answer.result, 'isError') === true || (type !== undefined && type !== 'complete');
}

/** Stack frames of JavaScript, Python, Java and Go. */
const STACK_TRACE =
  /Traceback \(most recent call last\)|\n\s+at [^\n]{1,200}:\d+:\d+\)?\n\s+at |\n\s+at [\w.$]{1,200}\([\w]{1,80}\.java:\d+\)|goroutine \d+ \[running\]/;

function judgeCall(
  session: Session,
  tool: JsonObject,
  { kind, about }: CallCase,
  answer: ServerAnswer,
): readonly CheckFinding[] {
  const name = quotedName(entryName(tool));
  const found: CheckFinding[] = [];
  if (kind === 'wrong' && !isRefusal(answer)) {
    const message = `${name} answered with a result, although ${about}.`;
    found.push(finding(session, 'wrong-arguments-accepted', message, ...newestCall(session, tool)));
  }
  if (kind !== 'wrong' && answer.kind === 'error' && answer.error.code === -32602) {
    const message = `${name} refused arguments that its schema accepts (${about}): ${answer.error.message}`;
    found.push(finding(session, 'valid-arguments-refused', message, ...newestCall(session, tool)));
  }
  if (STACK_TRACE.test(`\n${textOf(answer)}`)) {
    found.push(
      finding(session, 'stack-trace', `${name} answered with a stack trace (${about}).`, ...newestCall(session, tool)),
    );
  }
  return found;
}

/** Text of an answer that people or models read. */
function textOf(answer: ServerAnswer): string {
  if (answer.kind === 'error') return answer.error.message;
  const content = isObject(answer.result) ? own(answer.result, 'content') : undefined;
  if (!Array.isArray(content) || !isRefusal(answer)) return '';
  return content.map((block) => (isObject(block) ? textOrJson(own(block, 'text')) : '')).join('\n');
}

/** True for a tool that should do the same each time: it changes nothing, and depends on nothing outside. */
function isRepeatable(tool: JsonObject): boolean {
  return hint(tool, 'readOnlyHint') === true && hint(tool, 'openWorldHint') === false;
}

/** Calls a tool twice at a time, with different texts. An answer must not have only the text of the other call. */
async function callTogether(session: Session, tool: JsonObject, signal: AbortSignal): Promise<readonly CheckFinding[]> {
  const pair = canaryCases(own(tool, 'inputSchema'), within);
  const answers = await Promise.all(pair.map(({ text }) => call(session, entryName(tool), text, signal)));
  const texts = answers.map((answer) => (answer?.kind === 'error' ? JSON.stringify(answer.error) : answer?.text));
  const swapped = pair.some(({ canary }, at) => {
    const text = texts[at] ?? '';
    return !text.includes(canary) && pair.some((other) => other.canary !== canary && text.includes(other.canary));
  });
  if (!swapped) return [];
  const message = `${quotedName(entryName(tool))}: one of two calls at a time got what the other one asked for.`;
  return [survivalFinding(session, 'answer-swapped', message, ...newestCall(session, tool))];
}

/** Calls a tool that changes nothing very often, and looks at the memory of the server. */
function repeatedStep(tool: JsonObject): SessionStep {
  const [first] = callCases(own(tool, 'inputSchema'), within);
  return memoryStep(
    `memory over many calls of ${quotedName(entryName(tool))}`,
    (session, signal) => call(session, entryName(tool), first!.text, signal),
    () => (first ? undefined : 'No valid arguments could be made from its schema.'),
  );
}

async function callAgain(
  session: Session,
  tool: JsonObject,
  { text }: CallCase,
  signal: AbortSignal,
): Promise<readonly CheckFinding[]> {
  const answers: (string | undefined)[] = [];
  for (let times = 0; times < 2; times++) {
    const answer = await call(session, entryName(tool), text, signal);
    answers.push(answer?.kind === 'error' ? JSON.stringify(answer.error) : answer?.text);
  }
  if (answers.includes(undefined)) return [];
  if (answers[0] === answers[1]) return [];
  const message = `${quotedName(entryName(tool))} declares that it only reads a closed world, but two equal calls differ.`;
  return [finding(session, 'read-only-differs', message, ...newestCall(session, tool))];
}
