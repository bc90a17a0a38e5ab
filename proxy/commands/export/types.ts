import { type Contradiction, DeclaredContract } from '@/lib/contract/contradictions';
import { jsonSchema } from '@/lib/contract/json-schema';
import { ToolResults } from '@/lib/contract/tool-results';
import { TYPE_FORMS } from '@/lib/contract/type-forms';
import { JsonSource } from '@/lib/json/source';
import type { RecordedTraffic } from '@/lib/replay/traffic/recorded-traffic';
import { countOf } from '@/lib/wire/format';
import { LIMITS } from '@/lib/wire/limits';
import { closest } from '@/proxy/cli/closest';
import { EXIT, type ExitCode, usageError } from '@/proxy/cli/exit-code';
import type { CommandContext } from '@/proxy/cli/grammar';
import { damageSentences } from '@/proxy/recorder/read-traffic';
import { openTrafficIn } from '../shared/open-traffic';
import { type OutputChoice, writeOutput } from '../shared/output-options';
import { runWithin } from '../shared/time-limit';
import type { ExportForm } from './masked-copies';

/** Infers the types of tools’ results, and lists results that contradict a declared outputSchema. */
export function typesForm(output: OutputChoice, context: CommandContext): ExportForm {
  const tools = new Map<string, ObservedTool>();
  return {
    async add(path, { shown }) {
      await readFile(path, shown, tools, context);
      return true;
    },
    end: () => writeTypes(tools, output, context),
  };
}

async function writeTypes(
  tools: ReadonlyMap<string, ObservedTool>,
  output: OutputChoice,
  context: CommandContext,
): Promise<ExitCode> {
  const { request, printText, printNote } = context;
  const { write } = TYPE_FORMS[output.format as keyof typeof TYPE_FORMS];
  const chosen = chosenTools(tools, request.given.get('tool') ?? []);
  const types = chosen.flatMap(({ results }) => results.learn() ?? []);
  const contradictions = chosen.flatMap((tool) => tool.contradictions.map((found) => ({ tool: tool.name, ...found })));
  if (request.given.has('json')) printText(JSON.stringify({ tools: chosen.map(toolJson), contradictions }));
  else {
    for (const tool of chosen) for (const sentence of notesOn(tool)) printNote(`${tool.name}: ${sentence}`);
    for (const { tool, file, frame, path, message } of contradictions.slice(0, MOST_PRINTED))
      printNote(`${file} #${frame} ${tool}: \`${path}\` ${message}`);
    const more = contradictions.length - MOST_PRINTED;
    if (more > 0) printNote(`And ${countOf(more, 'contradiction')} more. \`--json\` lists all.`);
    if (types.length > 0) await writeOutput(output, write(types), context);
  }
  if (types.length === 0) {
    printNote(
      'mcp-inspect: No result of a tool has data to learn from. Record calls that return structured content or JSON.',
    );
    return EXIT.serverError;
  }
  return contradictions.length > 0 ? EXIT.serverError : EXIT.fine;
}

/** Most contradictions printed for people. */
const MOST_PRINTED = 50;
/** Most characters of results that one tool's type is inferred from. */
const LEARNT_CHARS = 64 * 1024 * 1024;

interface FoundContradiction extends Contradiction {
  readonly file: string;
  /** Number of the frame with the result. */
  readonly frame: number;
}

/** A tool as the recordings show it. */
interface ObservedTool {
  readonly name: string;
  /** True if a recording has an outputSchema for it. */
  declared: boolean;
  readonly results: ToolResults;
  readonly contradictions: FoundContradiction[];
  /** Why results were not held against the outputSchema. */
  unchecked: string | undefined;
}

async function readFile(
  path: string,
  file: string,
  tools: Map<string, ObservedTool>,
  { status, printNote }: CommandContext,
): Promise<void> {
  const opened = await openTrafficIn({ path, shown: file }, 'after `export`', { status });
  for (const sentence of damageSentences(opened)) printNote(`${file}: ${sentence}`);
  try {
    addTraffic(file, opened.traffic, tools);
  } finally {
    await opened.close();
  }
}

function addTraffic(file: string, { sent }: RecordedTraffic, tools: Map<string, ObservedTool>): void {
  const contracts = new Map<string, DeclaredContract>();
  for (const call of sent) {
    if (call.kind !== 'call' || !call.answer) continue;
    const { method, name, answer } = call;
    if (method === 'tools/list' && answer.kind === 'result') readDeclared(answer.text, contracts);
    if (method !== 'tools/call' || name === undefined) continue;
    const tool = tools.get(name) ?? newTool(name);
    tools.set(name, tool);
    const contract = contracts.get(name);
    tool.declared ||= contract !== undefined;
    if (answer.kind === 'error') tool.results.addError();
    else addResult(tool, answer.text, contract, { file, frame: answer.seq });
  }
}

function newTool(name: string): ObservedTool {
  const results = new ToolResults(name, LEARNT_CHARS);
  return { name, declared: false, results, contradictions: [], unchecked: undefined };
}

/** Reads the outputSchemas of a list of tools. */
function readDeclared(list: string, contracts: Map<string, DeclaredContract>): void {
  const tools = JsonSource.parse(list)?.member('tools');
  if (tools?.kind !== 'array') return;
  for (const { source } of tools.children(Number.POSITIVE_INFINITY).children) {
    const [name, schema] = [source.member('name')?.value, source.member('outputSchema')];
    if (typeof name !== 'string') continue;
    if (schema?.kind === 'object') contracts.set(name, new DeclaredContract(schema.text));
    else contracts.delete(name);
  }
}

function addResult(
  tool: ObservedTool,
  text: string,
  contract: DeclaredContract | undefined,
  at: { readonly file: string; readonly frame: number },
): void {
  const found = tool.results.add(text);
  if (!contract || found === 'error' || found === 'unfinished') return;
  const structured = found !== 'no JSON' && found.from === 'structuredContent' ? found.text : undefined;
  addContradictions(tool, contract, structured, at);
}

function addContradictions(
  tool: ObservedTool,
  contract: DeclaredContract,
  text: string | undefined,
  at: { readonly file: string; readonly frame: number },
): void {
  if (tool.unchecked !== undefined) return;
  let found: readonly Contradiction[] = [];
  const isDone = runWithin(LIMITS.rulesMs, () => {
    found = contract.check(text);
  });
  tool.unchecked = isDone ? contract.unchecked : `a check took more than ${LIMITS.rulesMs / 1000} s`;
  if (isDone) tool.contradictions.push(...found.map((one) => ({ ...at, ...one })));
}

function chosenTools(tools: ReadonlyMap<string, ObservedTool>, names: readonly string[]): readonly ObservedTool[] {
  if (names.length === 0) return [...tools.values()];
  return names.map((name) => {
    const found = tools.get(name);
    if (found) return found;
    const near = closest(name, [...tools.keys()]);
    const advice =
      near === undefined ? `choose from ${[...tools.keys()].join(', ') || 'none'}` : `did you mean \`${near}\`?`;
    throw usageError(
      `No call of the tool \`${name.slice(0, 100)}\` is recorded: ${advice.replace(/\?$/, '')}${near === undefined ? '.' : '?'}`,
    );
  });
}

function toolJson({ name, results, declared, unchecked }: ObservedTool) {
  const learnt = results.learn();
  return {
    tool: name,
    results: learnt?.results ?? 0,
    from: results.from ?? null,
    declared,
    ...results.skipped,
    ...(unchecked !== undefined && { unchecked }),
    schema: learnt ? jsonSchema(learnt.type) : null,
  };
}

function notesOn({ results, unchecked }: ObservedTool): readonly string[] {
  return [...results.notes, ...(unchecked === undefined ? [] : [`Not held against outputSchema: ${unchecked}.`])];
}
