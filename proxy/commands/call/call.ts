import { parseBounded } from '@/lib/json/parse';
import { isObject, own } from '@/lib/json/value';
import { systemClock } from '@/lib/wire/clock';
import { countOf } from '@/lib/wire/format';
import type { Frame } from '@/lib/wire/frame';
import type { ProtocolVersion } from '@/lib/wire/lifecycle';
import { CALLS_AS_TASKS, declaresTasks, taskSupportOf } from '@/lib/wire/task';
import { suggestion } from '@/proxy/cli/closest';
import { EXIT, type ExitCode, ExitError } from '@/proxy/cli/exit-code';
import { argumentsText, readCallArguments } from '../headless/call-arguments';
import { type FoundEntry, SettledEntry, TOOLS } from '../headless/named-entries';
import { type Action, type ConnectedServer, onServer } from '../headless/on-server';
import { printResult, request, requireResult } from '../headless/results';
import type { ServerAnswer } from '../headless/server-connection';
import { resultForPeople } from '../shared/format-content';
import { callSeveral, readCallPlan } from './call-several';
import { checkOutput, noteUnchecked } from './output-schema';
import { ResultRules } from './result-rules';
import { printTaskReports, readTaskWish } from './task-options';

/**
 * Calls a tool that the server lists. The list, which is read once, also has the types of the arguments and the schema
 * of the result. Judges the result by the rules of `check`.
 */
export const run = onServer(async ({ words: [name], given }) => {
  const { whole, each } = await readCallArguments(given);
  const [task, plan] = [readTaskWish(given), readCallPlan(given)];
  const [rules, tools] = [new ResultRules(), new SettledEntry()];
  const strictly = (code: ExitCode, broken: number): ExitCode =>
    code === EXIT.fine && broken > 0 && given.has('strict') ? EXIT.serverError : code;
  const action: Action = async (server) => {
    // Without a handshake we send nothing by ourselves, unless the types are needed.
    const isTyped = each.some(({ json }) => !json);
    const found = isTyped || server.negotiated ? await listedInTime(tools.require(server, TOOLS, name!), server) : {};
    const { entry, failure, isLate }: Listed = found;
    if ((isTyped || isLate) && failure !== undefined) {
      const how = isTyped ? 'the arguments as strings' : 'the call';
      server.out.printNote('mcp-inspect', `Sending ${how}, since the tools can’t be listed. ${failure}`);
    }
    const schema = entry && own(entry, 'inputSchema');
    const params = `{"name":${JSON.stringify(name)},"arguments":${whole ?? argumentsText(each, schema)}}`;
    for (const note of unknownArguments(params, schema, name!)) server.out.printNote('mcp-inspect', note);
    if (plan) {
      const code = await callSeveral(server, params, plan);
      return strictly(code, await rules.report(server));
    }
    const answered = await request(server, 'tools/call', params, {
      ...(task && { task }),
      onTaskReport: printTaskReports(server.out),
    });
    if (!task && isRefusal(answered) && mayNeedTask(server) && entry && taskSupportOf(entry) === 'required') {
      server.out.printNote('mcp-inspect', `\`${name}\` runs only as a task: add \`--task auto\`.`);
    }
    const answer = requireResult(answered, true);
    const asked = { method: 'tools/call', params: undefined };
    const printed = printResult(answer, asked, server, () => resultForPeople(answer.result, answer.text));
    if (printed !== EXIT.fine || !hasOutputSchemas(server)) {
      return strictly(printed, await rules.report(server, answer.result));
    }
    // With typed arguments, or late, the failure has been printed before the call.
    if (failure !== undefined && !isTyped && !isLate) noteUnchecked(failure, server.out);
    const checked = entry === undefined ? EXIT.fine : await checkOutput(answer, own(entry, 'outputSchema'), server.out);
    return strictly(checked, await rules.report(server, answer.result, checked !== EXIT.fine));
  };
  const onFrame = (frame: Frame): void => {
    rules.onFrame(frame);
    tools.onFrame(frame);
  };
  return Object.assign(action, { connect: { onFrame } });
});

/** Milliseconds that a call waits for the list of tools. Then it is sent without its schema. */
const LIST_MS = 10_000;

/** The tool as the list of tools has it. */
interface Listed extends Partial<FoundEntry> {
  /** The list did not come in time. */
  readonly isLate?: true;
}

/** Waits for the list of tools, but no longer than half of the time that is left. */
async function listedInTime(found: Promise<FoundEntry>, { connection }: ConnectedServer): Promise<Listed> {
  const waitMs = Math.min(LIST_MS, connection.leftMs / 2);
  let callOff = (): void => {};
  const late = new Promise<Listed>((resolve) => {
    const failure = `tools/list had no response within ${countOf(Math.round(waitMs / 1000), 'second')}.`;
    callOff = systemClock.after(waitMs, () => resolve({ failure, isLate: true }));
  });
  const listed = found.catch((error: unknown): Listed => {
    if (error instanceof ExitError && error.exitCode === EXIT.timeout) return { failure: error.message, isLate: true };
    throw error;
  });
  listed.catch(() => {});
  return Promise.race([listed, late]).finally(() => callOff());
}

/** Members of a schema that may name further arguments. */
const OPEN = ['patternProperties', '$ref', 'allOf', 'anyOf', 'oneOf'];

/** Says which arguments the schema of the tool does not name, unless it allows others. */
function unknownArguments(params: string, schema: unknown, tool: string): readonly string[] {
  const properties = isObject(schema) ? own(schema, 'properties') : undefined;
  if (!isObject(schema) || !isObject(properties) || OPEN.some((key) => own(schema, key) !== undefined)) return [];
  if ((own(schema, 'additionalProperties') ?? false) !== false) return [];
  const request = parseBounded(params);
  const sent = isObject(request) ? own(request, 'arguments') : undefined;
  const names = Object.keys(properties);
  return Object.keys(isObject(sent) ? sent : {})
    .filter((name) => !names.includes(name))
    .map((name) => {
      const advice = names.length === 0 ? 'it has none.' : suggestion(name, names);
      return `\`${tool}\` has no argument \`${name.slice(0, 60)}\` in its inputSchema: ${advice} It is sent.`;
    });
}

/** The version that introduced `outputSchema`. */
const OUTPUT_SINCE: ProtocolVersion = '2025-06-18';

/** False without a handshake, after which we send nothing by ourselves. */
function hasOutputSchemas({ negotiated }: ConnectedServer): boolean {
  return negotiated !== undefined && negotiated.version >= OUTPUT_SINCE;
}

/** True for an error, also for one that the tool reports. */
function isRefusal(answer: ServerAnswer): boolean {
  return answer.kind !== 'result' || (isObject(answer.result) && own(answer.result, 'isError') === true);
}

/** True if the server may have tools that run only as tasks (2025-11-25). */
function mayNeedTask({ negotiated }: ConnectedServer): boolean {
  return negotiated?.era === 'legacy' && declaresTasks(negotiated.capabilities, CALLS_AS_TASKS);
}
