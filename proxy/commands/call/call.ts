import { isObject, type JsonObject, own } from '@/lib/json/value';
import type { ProtocolVersion } from '@/lib/wire/lifecycle';
import { CALLS_AS_TASKS, declaresTasks, taskSupportOf } from '@/lib/wire/task';
import { closest } from '@/proxy/cli/closest';
import { EXIT, type ExitCode } from '@/proxy/cli/exit-code';
import type { Output } from '@/proxy/cli/output';
import { argumentsText, readCallArguments } from '../headless/call-arguments';
import { type Action, type ConnectedServer, onServer } from '../headless/on-server';
import { entriesOf, printResult, request, requireResult, shownPages } from '../headless/results';
import { errorSentence, type ServerAnswer } from '../headless/server-connection';
import { resultForPeople } from '../shared/format-content';
import { callSeveral, readCallPlan } from './call-several';
import { checkOutput, noteUnchecked } from './output-schema';
import { ResultRules } from './result-rules';
import { printTaskReports, readTaskWish } from './task-options';

/**
 * Calls a tool. Lists the tools for the types of arguments and for the schema of the result, at most once. Judges the
 * result by the rules of `check`.
 */
export const run = onServer(async ({ words: [name], given }) => {
  const { whole, each } = await readCallArguments(given);
  const [task, plan] = [readTaskWish(given), readCallPlan(given)];
  const rules = new ResultRules();
  const strictly = (code: ExitCode, broken: number): ExitCode =>
    code === EXIT.fine && broken > 0 && given.has('strict') ? EXIT.serverError : code;
  const action: Action = async (server) => {
    let listing: Promise<FoundTool> | undefined;
    const find = (): Promise<FoundTool> => {
      listing ??= findTool(name!, server);
      return listing;
    };
    const isTyped = each.some(({ json }) => !json);
    const schema = isTyped ? inputSchema(name!, await find(), server.out) : undefined;
    const params = `{"name":${JSON.stringify(name)},"arguments":${whole ?? argumentsText(each, schema)}}`;
    if (plan) {
      const code = await callSeveral(server, params, plan);
      return strictly(code, await rules.report(server));
    }
    const answered = await request(server, 'tools/call', params, {
      ...(task && { task }),
      onTaskReport: printTaskReports(server.out),
    });
    if (!task && isRefusal(answered) && mayNeedTask(server)) {
      const { tool } = await find();
      if (tool && taskSupportOf(tool) === 'required') {
        server.out.printNote('mcp-inspect', `\`${name}\` runs only as a task: add \`--task\`.`);
      }
    }
    const answer = requireResult(answered, true);
    const asked = { method: 'tools/call', params: undefined };
    const printed = printResult(answer, asked, server, () => resultForPeople(answer.result, answer.text));
    if (printed !== EXIT.fine || !hasOutputSchemas(server)) {
      return strictly(printed, await rules.report(server, answer.result));
    }
    const { tool, failure } = await outputOf(find);
    // A failure that came before the call has been printed.
    if (failure !== undefined && !isTyped) noteUnchecked(failure, server.out);
    const checked = tool === undefined ? EXIT.fine : await checkOutput(answer, own(tool, 'outputSchema'), server.out);
    return strictly(checked, await rules.report(server, answer.result, checked !== EXIT.fine));
  };
  return Object.assign(action, { connect: { onFrame: rules.onFrame } });
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

/** A tool as the server lists it, or why it is not known. */
interface FoundTool {
  readonly tool?: JsonObject;
  /** Names of the other tools. */
  readonly names: readonly string[];
  /** Why the tools can’t be listed, as a sentence. */
  readonly failure?: string;
}

async function findTool(name: string, server: ConnectedServer): Promise<FoundTool> {
  const names: string[] = [];
  for await (const page of shownPages(server, 'tools/list')) {
    if (page.kind === 'error') return { names, failure: errorSentence(page.error) };
    const tools = entriesOf(page, 'tools');
    const tool = tools.find((entry) => entry.name === name);
    if (tool) return { tool, names };
    names.push(...tools.map((entry) => entry.name).filter((each) => typeof each === 'string'));
  }
  return { names };
}

/** Longest name, in characters, that is compared with the one given: comparing takes quadratic time. */
const LONGEST_NAME = 100;

/** Returns the input schema of a tool; undefined, with a note, if it is not known. */
function inputSchema(name: string, { tool, names, failure }: FoundTool, out: Output): unknown {
  if (tool) return own(tool, 'inputSchema');
  if (failure !== undefined) {
    out.printNote('mcp-inspect', `Sending the arguments as strings, since the tools can’t be listed. ${failure}`);
    return undefined;
  }
  const near = closest(
    name,
    names.filter((each) => each.length <= LONGEST_NAME),
  );
  const meant = near === undefined ? '' : ` (did you mean \`${near}\`?)`;
  out.printNote('mcp-inspect', `The server lists no tool \`${name}\`${meant}. Sending the arguments as strings.`);
  return undefined;
}

/** The result is printed already, so a server that ends or hangs now only stays unchecked. */
async function outputOf(find: () => Promise<FoundTool>): Promise<FoundTool> {
  try {
    return await find();
  } catch (error) {
    return { names: [], failure: error instanceof Error ? error.message : String(error) };
  }
}
