import { isObject, own } from '@/lib/json/value';
import type { Frame } from '@/lib/wire/frame';
import type { ProtocolVersion } from '@/lib/wire/lifecycle';
import { CALLS_AS_TASKS, declaresTasks, taskSupportOf } from '@/lib/wire/task';
import { EXIT, type ExitCode } from '@/proxy/cli/exit-code';
import { argumentNotes, toolArgumentsOf } from '../headless/argument-notes';
import { argumentsText, readCallArguments } from '../headless/call-arguments';
import { type FoundEntry, type InListTime, inListTime, NAMED_TOOLS, SettledEntry } from '../headless/named-entries';
import { type CommandAction, type ConnectedServer, onServer } from '../headless/on-server';
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
  const action: CommandAction = async (server) => {
    // Without a handshake we send nothing by ourselves, unless the types are needed.
    const isTyped = each.some(({ json }) => !json);
    const found =
      isTyped || server.negotiated
        ? await inListTime(tools.require(server, NAMED_TOOLS, name!), server, NAMED_TOOLS)
        : {};
    const { entry, failure, isLate }: InListTime<FoundEntry> = found;
    if ((isTyped || isLate) && failure !== undefined) {
      const how = isTyped ? 'the arguments as strings' : 'the call';
      server.out.printNote('mcp-inspect', `Sending ${how}, since the tools can’t be listed. ${failure}`);
    }
    const schema = entry && own(entry, 'inputSchema');
    const params = `{"name":${JSON.stringify(name)},"arguments":${whole ?? argumentsText(each, schema)}}`;
    for (const note of argumentNotes(params, name!, toolArgumentsOf(entry))) server.out.printNote('mcp-inspect', note);
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
