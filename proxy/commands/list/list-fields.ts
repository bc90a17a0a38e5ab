import { type JsonObject, own } from '@/lib/json/value';
import { countFields, type FieldCounts } from '@/lib/schema/count-fields';
import type { BoxReason, FieldKind } from '@/lib/schema/view-types';
import { EXIT, type ExitCode } from '@/proxy/cli/exit-code';
import { table } from '@/proxy/cli/table';
import { NAMED_TOOLS } from '../headless/named-entries';
import type { ConnectedServer } from '../headless/on-server';
import { requestPages } from '../headless/read-pages';
import { requireResult } from '../headless/results';

/** The form of one tool. */
interface ToolForm {
  readonly name: string;
  readonly counts: FieldCounts;
}

const REASONS: Readonly<Record<BoxReason, string>> = {
  reference: 'has a $ref that leads nowhere',
  circle: 'refers to itself without end',
  'too-large': 'has too many parts',
  malformed: 'is malformed',
  contradiction: 'asks for two types at once',
  'unknown-type': 'has a type that JSON does not have',
  never: 'allows no value',
};

/** Lists which fields the form of each tool has, which parts can only be edited as JSON, and why. */
export async function listFields(server: ConnectedServer): Promise<ExitCode> {
  const { out } = server;
  const { entries, isInvalid, refused } = await requestPages(server, NAMED_TOOLS);
  if (refused) requireResult(refused);
  const tools = entries.map(formOf);
  if (out.json) out.printExact(JSON.stringify(report(tools)));
  else if (tools.length === 0 && !isInvalid) out.printNote('mcp-inspect', 'The server has no tools.');
  else if (tools.length > 0) {
    out.printText(table(['tool', 'fields', 'as JSON'], tools.map(row), out.width));
    const { toolsByFields } = report(tools);
    out.printText(`\nTools with a field for every argument: ${toolsByFields} of ${tools.length}.`);
  }
  return isInvalid ? EXIT.serverError : EXIT.fine;
}

function formOf(tool: JsonObject): ToolForm {
  const name = own(tool, 'name');
  return { name: typeof name === 'string' ? name : '(no name)', counts: countFields(own(tool, 'inputSchema') ?? null) };
}

function row({ name, counts }: ToolForm): readonly string[] {
  const most = Object.entries(counts.kinds).sort(([a, first], [b, second]) => second - first || (a < b ? -1 : 1));
  const fields = most.map(([kind, count]) => `${count} ${kind}`);
  const boxes = counts.boxes.map(
    ({ path, because }) => `${path === '' ? 'the schema' : path.slice(1)} ${REASONS[because]}`,
  );
  return [name, fields.join(', ') || 'none', boxes.join('; ')];
}

function report(tools: readonly ToolForm[]) {
  const fields: Partial<Record<FieldKind, number>> = {};
  for (const { counts } of tools) {
    for (const [kind, count] of Object.entries(counts.kinds) as [FieldKind, number][])
      fields[kind] = (fields[kind] ?? 0) + count;
  }
  const boxed = tools.filter(({ counts }) => counts.boxes.length > 0);
  return {
    tools: tools.length,
    toolsByFields: tools.length - boxed.length,
    fields,
    jsonBoxes: boxed.map(({ name, counts }) => ({ name, boxes: counts.boxes })),
  };
}
