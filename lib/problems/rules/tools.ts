import { isObject, own } from '@/lib/json/value';
import { RecentMap } from '@/lib/store/columns/collections';
import { LIMITS } from '@/lib/wire/limits';
import { readHeaderParams } from '@/lib/wire/param-headers';
import { OutputCheck } from '../output-check';
import type { ProtocolState, SeenMessage } from '../protocol-state';
import { type Checks, messageRule, type ProtocolRule, quote, type ReportFinding } from '../rule';
import { schemaFaults } from '../schema-faults';
import { pageTools } from './listings';

const SCHEMAS = ['inputSchema', 'outputSchema'] as const;

/** A listed tool's output schema. `slow`: a worker hung on a check against it. */
type Listed = { readonly schema: unknown; readonly seq: number; check?: OutputCheck; slow?: boolean };
type Call = (
  seen: SeenMessage,
  result: Readonly<Record<string, unknown>>,
  tool: Listed,
  name: string,
  report: ReportFinding,
  state: ProtocolState,
) => void;

/** Builds the checks of a rule about results of tools with an output schema. */
function outputChecks(judge: Call): () => Checks {
  return () => {
    const tools = new RecentMap<string, Listed>();
    return {
      kinds: ['response'],
      message: (seen, state, report) => {
        for (const { tool } of pageTools(seen)) {
          const name = own(tool, 'name');
          if (typeof name === 'string') tools.set(name, { schema: own(tool, 'outputSchema'), seq: seen.seq });
        }
        const { request, body } = seen;
        const result = own(body, 'result');
        if (request?.method !== 'tools/call' || request.answerSeq !== undefined || !isObject(result)) return;
        const name = own(request.params, 'name');
        const tool = typeof name === 'string' ? tools.get(name) : undefined;
        if (tool?.schema === undefined || own(result, 'isError') === true || own(result, 'content') === undefined)
          return;
        if (state.isCheckSkipped(seen.seq)) tool.slow = true;
        judge(seen, result, tool, name as string, report, state);
      },
    };
  };
}

/** Names a tool at the start of a sentence. */
function toolName(name: unknown): string {
  return typeof name === 'string' ? `Tool ${quote(name)}` : 'A tool without a name';
}

/** Rules about tool definitions and structured results. */
export const TOOL_RULES: readonly ProtocolRule[] = [
  {
    id: 'tool-schema',
    severity: 'warning',
    title: 'Invalid JSON Schema',
    topic: 'tools',
    advice: 'Fix the schema. Clients that validate arguments or results may reject the tool.',
    checks: () => ({
      kinds: ['response'],
      message: (seen, _state, report) => {
        // Earlier versions name no dialect for schemas without `$schema`.
        const unnamed = seen.version !== undefined && seen.version >= '2025-11-25' ? '2020-12' : undefined;
        for (const { tool, path } of pageTools(seen)) {
          for (const key of SCHEMAS) {
            if (!isObject(own(tool, key))) continue;
            for (const fault of schemaFaults(own(tool, key), unnamed)) {
              report({
                message: `${toolName(own(tool, 'name'))}: ${fault.message}`,
                path: [...path, key, ...fault.path],
              });
            }
          }
        }
      },
    }),
  },
  {
    id: 'tool-header',
    severity: 'error',
    title: 'Invalid x-mcp-header annotation',
    topic: 'http',
    advice: 'Fix the annotation. Over HTTP, clients ignore the tool.',
    checks: () => ({
      kinds: ['response'],
      message: (seen, _state, report) => {
        if (!seen.modern) return;
        for (const { tool, path } of pageTools(seen)) {
          const { problem } = readHeaderParams(own(tool, 'inputSchema'));
          if (problem !== undefined)
            report({ message: `${toolName(own(tool, 'name'))}: ${problem}`, path: [...path, 'inputSchema'] });
        }
      },
    }),
  },
  messageRule(
    {
      id: 'hints-contradict',
      kinds: ['response'],
      severity: 'info',
      title: 'Hints of a tool that contradict each other',
      topic: 'tools',
      advice: 'Leave destructiveHint out of a tool with readOnlyHint. It has no meaning there.',
    },
    (seen, _state, report) => {
      for (const { tool, path } of pageTools(seen)) {
        const hints = own(tool, 'annotations');
        if (!isObject(hints) || own(hints, 'readOnlyHint') !== true || own(hints, 'destructiveHint') !== true) continue;
        report({
          message: `${toolName(own(tool, 'name'))}: readOnlyHint and destructiveHint are true.`,
          path: [...path, 'annotations', 'destructiveHint'],
        });
      }
    },
  ),
  {
    id: 'output-missing',
    severity: 'error',
    title: 'Missing structured result',
    topic: 'tools',
    advice: 'Return structuredContent that matches outputSchema.',
    checks: outputChecks(({ request }, result, tool, name, report) => {
      if (own(result, 'structuredContent') !== undefined) return;
      report({
        message: `${toolName(name)} has an outputSchema, but its result has no structuredContent.`,
        path: ['result', 'structuredContent'],
        fault: 'is missing, but the tool has an outputSchema',
        seqs: [request!.seq, tool.seq],
      });
    }),
  },
  messageRule(
    {
      id: 'structured-without-text',
      kinds: ['response'],
      severity: 'info',
      title: 'Structured result without text',
      topic: 'tools',
      advice: 'Repeat structuredContent as JSON in a text block, for clients that do not read it.',
    },
    ({ body, request }, _state, report) => {
      const result = own(body, 'result');
      if (request?.method !== 'tools/call' || !isObject(result)) return;
      const content = own(result, 'content');
      if (own(result, 'structuredContent') === undefined || !Array.isArray(content)) return;
      if (content.some((block) => isObject(block) && own(block, 'type') === 'text')) return;
      report({
        message: 'The result has structuredContent, but no text.',
        path: ['result', 'content'],
        seqs: [request.seq],
      });
    },
  ),
  {
    id: 'output-mismatch',
    severity: 'error',
    title: 'Structured result does not match outputSchema',
    topic: 'tools',
    advice: 'Change structuredContent to match outputSchema, or fix the schema.',
    checks: outputChecks(({ seq, request }, result, tool, name, report, state) => {
      const value = own(result, 'structuredContent');
      if (value === undefined || tool.slow) return;
      state.onSchemaCheck(seq);
      tool.check ??= new OutputCheck(tool.schema);
      for (const found of tool.check.faults(value)) {
        const field = String(found.path.at(-1) ?? 'structuredContent').slice(0, 80);
        report({
          message: `${toolName(name)}: ${field} ${found.text}.`,
          path: ['result', 'structuredContent', ...found.path],
          fault: found.text,
          seqs: [request!.seq, tool.seq],
        });
      }
    }),
  },
  {
    id: 'output-unchecked',
    severity: 'warning',
    title: 'outputSchema too slow to check',
    topic: 'tools',
    advice: 'Simplify its patterns and references. Clients that validate results may hang.',
    checks: outputChecks((_seen, result, tool, name, report) => {
      if (!tool.slow || own(result, 'structuredContent') === undefined) return;
      report({
        message: `${toolName(name)}: checking a result against outputSchema took more than ${LIMITS.rulesMs / 1000} s. Later results are not checked.`,
        path: ['result', 'structuredContent'],
        seqs: [tool.seq],
      });
    }),
  },
];
