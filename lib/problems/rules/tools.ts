import { isObject, own } from '@/lib/json/value';
import { RecentMap } from '@/lib/store/columns/collections';
import { readHeaderParams } from '@/lib/transports/param-headers';
import { LIMITS } from '@/lib/wire/limits';
import { formatOutputFault, OutputCheck } from '../output-check';
import type { ProtocolState, SeenMessage } from '../protocol-state';
import { type Checks, quote, type Report, type Rule } from '../rule';
import { schemaFaults } from '../schema-faults';
import { toolsOf } from './listings';

const SCHEMAS = ['inputSchema', 'outputSchema'] as const;
/** What tells of an icon's picture without asking the network for anything but a picture. */
const ICON_SCHEMES = /^(?:https:|data:)/i;

/** `slow`: its schema took for ever. */
type Listed = { readonly schema: unknown; readonly seq: number; check?: OutputCheck; slow?: boolean };
type Call = (
  seen: SeenMessage,
  result: Readonly<Record<string, unknown>>,
  tool: Listed,
  name: string,
  report: Report,
  session: ProtocolState,
) => void;

/** A rule about results of tools that promise a structured one. */
function outputChecks(judge: Call): () => Checks {
  return () => {
    const tools = new RecentMap<string, Listed>();
    return {
      kinds: ['response'],
      message: (seen, session, report) => {
        for (const { tool } of toolsOf(seen)) {
          const name = own(tool, 'name');
          if (typeof name === 'string') tools.set(name, { schema: own(tool, 'outputSchema'), seq: seen.seq });
        }
        const { kind, ask, body } = seen;
        const result = own(body, 'result');
        if (kind !== 'response' || ask?.method !== 'tools/call' || ask.answerSeq !== undefined || !isObject(result))
          return;
        const name = own(ask.params, 'name');
        const tool = typeof name === 'string' ? tools.get(name) : undefined;
        if (tool?.schema === undefined || own(result, 'isError') === true || own(result, 'content') === undefined)
          return;
        if (session.isUnchecked(seen.seq)) tool.slow = true;
        judge(seen, result, tool, name as string, report, session);
      },
    };
  };
}

/** What tools say of themselves, and whether they keep to it. */
export const TOOL_RULES: readonly Rule[] = [
  {
    id: 'tool-schema',
    severity: 'warning',
    title: 'A schema that is none',
    topic: 'tools',
    advice: 'Mend the schema: clients that check arguments or results may refuse the tool.',
    checks: () => ({
      kinds: ['response'],
      message: (seen, _session, report) => {
        for (const { tool, path } of toolsOf(seen)) {
          for (const key of SCHEMAS) {
            if (!isObject(own(tool, key))) continue;
            for (const fault of schemaFaults(own(tool, key))) {
              report({ message: `${quote(own(tool, 'name'))}: ${fault.message}`, path: [...path, key, ...fault.path] });
            }
          }
        }
      },
    }),
  },
  {
    id: 'tool-header',
    severity: 'error',
    title: 'An x-mcp-header that makes the tool unusable',
    topic: 'http',
    advice: 'Mend the annotation: over HTTP clients leave the tool out.',
    checks: () => ({
      kinds: ['response'],
      message: (seen, _session, report) => {
        if (!seen.modern) return;
        for (const { tool, path } of toolsOf(seen)) {
          const { problem } = readHeaderParams(own(tool, 'inputSchema'));
          if (problem !== undefined)
            report({ message: `${quote(own(tool, 'name'))}: ${problem}`, path: [...path, 'inputSchema'] });
        }
      },
    }),
  },
  {
    id: 'icon-address',
    severity: 'error',
    title: 'An icon at an address that clients refuse',
    topic: 'messages',
    advice: 'Use an https: or a data: address.',
    checks: () => ({
      kinds: ['response'],
      message: (seen, _session, report) => {
        for (const { tool, path } of toolsOf(seen)) {
          const icons = own(tool, 'icons');
          if (!Array.isArray(icons)) continue;
          icons.forEach((icon, index) => {
            const src = isObject(icon) ? own(icon, 'src') : undefined;
            if (typeof src !== 'string' || ICON_SCHEMES.test(src)) return;
            report({ message: `The icon is at ${quote(src)}.`, path: [...path, 'icons', index, 'src'] });
          });
        }
      },
    }),
  },
  {
    id: 'output-missing',
    severity: 'error',
    title: 'No structured result, though the tool promises one',
    topic: 'tools',
    advice: 'Put what outputSchema describes into structuredContent.',
    checks: outputChecks(({ ask }, result, tool, name, report) => {
      if (own(result, 'structuredContent') !== undefined) return;
      report({
        message: `${quote(name)} has an outputSchema, and its result no structuredContent.`,
        path: ['result', 'structuredContent'],
        seqs: [ask!.seq, tool.seq],
      });
    }),
  },
  {
    id: 'output-mismatch',
    severity: 'error',
    title: 'A structured result that does not fit its schema',
    topic: 'tools',
    advice: 'Make structuredContent what outputSchema says, or the schema what the tool sends.',
    checks: outputChecks(({ seq, ask }, result, tool, name, report, session) => {
      const value = own(result, 'structuredContent');
      if (value === undefined || tool.slow) return;
      session.onSchemaCheck(seq);
      tool.check ??= new OutputCheck(tool.schema);
      for (const fault of tool.check.faults(value)) {
        report({
          message: `${quote(name)}: ${formatOutputFault(fault)}`,
          path: ['result', 'structuredContent', ...fault.path],
          seqs: [ask!.seq, tool.seq],
        });
      }
    }),
  },
  {
    id: 'output-unchecked',
    severity: 'warning',
    title: 'A schema that takes too long to check',
    topic: 'tools',
    advice: 'Simplify its patterns and references: clients that check results hang on them.',
    checks: outputChecks((_seen, result, tool, name, report) => {
      if (!tool.slow || own(result, 'structuredContent') === undefined) return;
      report({
        message: `${quote(name)}: holding a result against its outputSchema took more than ${LIMITS.rulesMs / 1000} s, so none is from here on.`,
        path: ['result', 'structuredContent'],
        seqs: [tool.seq],
      });
    }),
  },
];
