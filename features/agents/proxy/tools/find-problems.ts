import * as z from 'zod';
import { verdictLine } from '@/features/host-judge';
import { SEVERITY_RANK } from '@/lib/problems/rule';
import { countOf } from '@/lib/wire/format';
import { forHosts } from '@/proxy/commands/shared/for-hosts';
import { AgentAnswer, UNTRUSTED } from '../answer';
import { sessionLine } from '../describe';
import type { AgentFinding } from '../evidence/evidence';
import { agentFindings } from '../findings';
import { frameName } from '../frame-link';
import { CURSOR, defineTool, MAX_TOKENS, type OpenedSource, openSource, RECORDING, readCursor } from './tool';

/** Characters of the text about a finding, and frames that it names. */
const DETAIL_CHARS = 300;
const SHOWN_SEQS = 4;

const FACTS = z.object({
  recording: z.string(),
  problems: z.array(
    z.object({
      code: z.string(),
      severity: z.enum(['error', 'warning', 'info']),
      title: z.string(),
      detail: z.string().describe('Untrusted text of the server, or about it.'),
      advice: z.string(),
      frames: z.array(z.string()).describe('For explain and get_frame.'),
      count: z.number(),
    }),
  ),
  total: z.number(),
  notes: z.array(z.string()),
  cursor: z.string().optional(),
});

export const findProblems = defineTool({
  name: 'find_problems',
  title: 'Find problems',
  description: `Lists what is wrong in a recorded session, the most important first: a failed connection, a server that crashed or fell silent, requests without a response, violations of the MCP specification, results that break their schema, errors, secrets in results, slow calls. Each has a code, the frames that show it, and what to do.
Then call explain with one of the frames for the cause: request, response, stderr and schema together.`,
  input: z.object({
    recording: RECORDING,
    hosts: z
      .array(z.string())
      .optional()
      .describe('Also judge whether the server works in these hosts: claude-code, vscode, claude.ai … or all.'),
    severity: z.enum(['error', 'warning', 'info']).default('warning').describe('The least severe to list.'),
    cursor: CURSOR,
    max_tokens: MAX_TOKENS,
  }),
  output: FACTS,
  async run({ recording: name, severity, hosts = [], cursor, max_tokens }, context) {
    const judge = await forHosts('`hosts`', hosts);
    const opened = await openSource(context, name);
    const { recording } = opened;
    const verdicts = judge?.judge(recording.log, judge.hosts, new Date()) ?? [];
    const notes = [...opened.notes, ...verdicts.map((verdict) => verdictLine(verdict, verdict.obstacles.length))];
    const all = agentFindings(recording, verdicts);
    const wanted = all.filter((one) => SEVERITY_RANK[one.severity] >= SEVERITY_RANK[severity]);
    const from = readCursor(cursor);
    const answer = new AgentAnswer(max_tokens);
    answer.add(sessionLine(opened));
    answer.addAll([...notes, countText(all), ...(wanted.length > 0 ? [UNTRUSTED] : [])]);
    const problems: z.infer<typeof FACTS>['problems'] = [];
    for (const finding of wanted.slice(from)) {
      const facts = factsOf(finding, opened);
      if (!answer.add(lineOf(finding, facts), JSON.stringify(facts).length / 4)) break;
      problems.push(facts);
    }
    const end = from + problems.length;
    const isMore = end < wanted.length;
    const next = isMore ? `\n${wanted.length - end} more: cursor "${end}".` : '';
    const hint = problems.length > 0 ? `\nNext: explain with frame "${problems[0]!.frames[0]}".` : '';
    return {
      text: answer.text() + next + hint,
      facts: {
        recording: opened.name,
        problems,
        total: wanted.length,
        notes: [...notes],
        ...(isMore && { cursor: String(end) }),
      },
    };
  },
});

function countText(all: readonly AgentFinding[]): string {
  const count = (severity: AgentFinding['severity']) => all.filter((one) => one.severity === severity).length;
  if (all.length === 0) return 'No problems found.';
  return `${countOf(count('error'), 'error')}, ${countOf(count('warning'), 'warning')}, ${count('info')} of severity info.`;
}

function factsOf(finding: AgentFinding, { name, quote }: OpenedSource): z.infer<typeof FACTS>['problems'][number] {
  const { code, severity, title, detail, advice, seqs, count } = finding;
  return {
    code,
    severity,
    title,
    count,
    detail: detail === undefined ? '' : quote(detail, DETAIL_CHARS),
    // It can quote what the server sent.
    advice: advice === undefined ? '' : quote(advice, DETAIL_CHARS),
    frames: seqs.slice(0, SHOWN_SEQS).map((seq) => frameName(name, seq)),
  };
}

function lineOf(
  { seqs, count }: AgentFinding,
  { code, severity, title, detail, advice }: z.infer<typeof FACTS>['problems'][number],
): string {
  const shown = seqs.slice(0, SHOWN_SEQS).map((seq) => `#${seq}`);
  const more = count > shown.length ? ` and ${count - shown.length} more` : '';
  return `- ${severity} ${code} at ${shown.join(', ')}${more}: ${title}. ${detail} ${advice}`.trimEnd();
}
