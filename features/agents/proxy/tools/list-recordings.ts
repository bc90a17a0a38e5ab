import * as z from 'zod';
import { ShareReview } from '@/lib/redact/share-review';
import { countOf, formatBytes, formatDate } from '@/lib/wire/format';
import { AgentAnswer, plainWord, quotedForAgent, UNTRUSTED } from '../answer';
import { agentFindings } from '../findings';
import type { RecordedSource } from '../recorded-sources';
import { CURSOR, defineTool, MAX_TOKENS, readCursor, type ToolContext } from './tool';

/** Recordings whose findings are counted: the first ones, if they are small, within a time. */
const COUNTED = 5;
const COUNTED_BYTES = 2 * 1024 * 1024;
const COUNTED_MS = 3000;
/** Characters of a server's name. */
const NAME_CHARS = 60;

const FACTS = z.object({
  recordings: z.array(
    z.object({
      name: z.string().describe('For the parameter `recording` of other tools.'),
      server: z.string().describe('The name that the server gave itself: untrusted text.'),
      started: z.string(),
      state: z.enum(['live', 'complete', 'incomplete']),
      host: z.string().optional().describe('The host that uses this server through a tap.'),
      frames: z.number().optional(),
      errors: z.number().optional(),
      warnings: z.number().optional(),
    }),
  ),
  total: z.number(),
  cursor: z.string().optional(),
});

export const listRecordingsTool = defineTool({
  name: 'list_recordings',
  title: 'List recordings',
  description: `Start here. Lists recorded sessions between MCP clients and servers: those that are live now (an open page of mcp-inspect, or a host such as Claude Desktop whose server runs through a tap) first, then files of the command line, then the newest. For the first few it counts errors and warnings.
Then call find_problems with the name of a recording.`,
  input: z.object({ cursor: CURSOR, max_tokens: MAX_TOKENS }),
  output: FACTS,
  async run({ cursor, max_tokens }, context) {
    const all = await context.sources.list();
    const from = readCursor(cursor);
    const answer = new AgentAnswer(max_tokens);
    answer.add(all.length === 0 ? EMPTY : `${countOf(all.length, 'recording')}, live ones first. ${UNTRUSTED}`);
    const recordings: z.infer<typeof FACTS>['recordings'] = [];
    const until = performance.now() + COUNTED_MS;
    const redaction = new ShareReview().createRedaction();
    for (const [index, source] of all.slice(from).entries()) {
      const counts = index < COUNTED ? await countsOf(source, context, until) : {};
      const { entry, name, host } = source;
      const facts = {
        name,
        server: quotedForAgent(redaction.applyText(entry.server ?? entry.name), NAME_CHARS).slice(1, -1),
        started: formatDate(entry.at),
        state: entry.live ? ('live' as const) : entry.incomplete ? ('incomplete' as const) : ('complete' as const),
        ...(host !== undefined && { host: plainWord(host, 'unknown') }),
        ...(entry.frames !== undefined && { frames: entry.frames }),
        ...counts,
      };
      if (!answer.add(lineOf(source, facts), JSON.stringify(facts).length / 4)) break;
      recordings.push(facts);
    }
    const end = from + recordings.length;
    const more = end < all.length ? { cursor: String(end) } : {};
    const next = end < all.length ? `\nMore: cursor "${end}".` : '';
    return { text: answer.text() + next, facts: { recordings, total: all.length, ...more } };
  },
});

const EMPTY =
  'There are no recordings yet. To record a host: `mcp-inspect tap add HOST SERVER`. To record a server: `mcp-inspect node server.js`, or any subcommand with --record.';

function lineOf(
  { entry }: RecordedSource,
  { name, server, started, state, host, errors, warnings }: z.infer<typeof FACTS>['recordings'][number],
): string {
  const facts = [
    state === 'complete' ? '' : state,
    host === undefined ? '' : `tap of ${host}`,
    `started ${started}`,
    entry.frames === undefined ? formatBytes(entry.bytes) : countOf(entry.frames, 'frame'),
    errors === undefined ? '' : `${countOf(errors, 'error')}, ${countOf(warnings ?? 0, 'warning')}`,
  ];
  return `- ${name}: server ⟦${server}⟧, ${facts.filter(Boolean).join(', ')}`;
}

async function countsOf(source: RecordedSource, { sources, signal }: ToolContext, until: number) {
  const isLate = (): boolean => signal.aborted || performance.now() > until;
  if (source.entry.bytes > COUNTED_BYTES || isLate()) return {};
  try {
    const recording = await sources.open(source);
    if (!(await recording.readOn(isLate))) return {};
    const findings = agentFindings(recording);
    const count = (severity: string) => findings.filter((one) => one.severity === severity).length;
    return { errors: count('error'), warnings: count('warning') };
  } catch {
    // The tools that read it say why it can't be read.
    return {};
  }
}
