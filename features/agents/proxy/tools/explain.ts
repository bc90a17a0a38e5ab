import * as z from 'zod';
import { explainBrokenAnswer } from '@/lib/store/exchanges/answer-faults';
import { problemsOf } from '../agent-recording';
import { AgentAnswer, UNTRUSTED } from '../answer';
import { rowLine, sessionLine } from '../describe';
import { problemText, ruleFindings } from '../evidence/rules';
import { explainConnection } from '../explain-connection';
import { explainExchange } from '../explain-exchange';
import { agentFindings } from '../findings';
import { frameName, frameUri, readFrameName } from '../frame-link';
import { ToolError } from '../tool-error';
import { FRAME_PARAMETER } from './get-frame';
import { defineTool, MAX_TOKENS, type OpenedSource, openSource, RECORDING } from './tool';

/** Characters of server text. */
const DETAIL_CHARS = 300;
const LINE_CHARS = 240;
/** Problems, findings, lines of stderr and neighbours that are shown. */
const MOST_PROBLEMS = 6;
const MOST_FINDINGS = 4;
const MOST_STDERR = 8;
const NEIGHBOURS = 2;
/** Frames beyond the exchange in which its stderr is looked for. */
const STDERR_AFTER = 20;

export const explain = defineTool({
  name: 'explain',
  title: 'Explain a failure',
  description: `Explains one frame and what belongs to it: for a request or response, both with outcome and duration, broken rules with advice, whether the arguments fit the tool's schema, how other calls of the tool went, progress, and stderr at that time; for a failed connection or a crash, the cause, the doctor's steps, exit code and stderr.
Without frame, explains the most important problem of the recording.`,
  input: z.object({ frame: FRAME_PARAMETER.optional(), recording: RECORDING, max_tokens: MAX_TOKENS }),
  async run({ frame, recording: given, max_tokens }, context) {
    const place = frame === undefined ? undefined : readFrameName(frame, given);
    const opened = await openSource(context, place ? place.recording : given);
    const { recording, name, notes } = opened;
    const { log } = recording;
    const seq = place?.seq ?? agentFindings(recording)[0]?.seqs[0];
    const answer = new AgentAnswer(max_tokens);
    answer.add(sessionLine(opened));
    answer.addAll(notes);
    if (seq === undefined) {
      answer.add('No problems found, so there is nothing to explain. query_frames lists what happened.');
      return { text: answer.text() };
    }
    if (seq > log.size) throw new ToolError(`${name} has frames #1 to #${log.size}. ${notes.join(' ')}`.trimEnd());
    answer.add(`Frame ${frameName(name, seq)}. ${UNTRUSTED}`);
    const { about, lines } = await aboutFrame(opened, seq);
    answer.addAll([...lines, ...problemLines(opened, about), ...findingLines(opened, about)]);
    answer.addAll(stderrLines(opened, about));
    const cut = answer.isFull ? `\nCut to fit ${max_tokens} tokens.` : '';
    return { text: `${answer.text()}${cut}\nWhole frames: get_frame, or ${frameUri(name, seq)}` };
  },
});

/** Explains what a frame belongs to. `about`: the frames that are explained. */
async function aboutFrame(
  opened: OpenedSource,
  seq: number,
): Promise<{ readonly about: readonly number[]; readonly lines: readonly string[] }> {
  const { log } = opened.recording;
  const row = log.row(seq - 1);
  const request = row.kind === 'request' ? seq : (row.peer ?? row.unmatched ?? log.relations.ownerOf(seq));
  const exchange = request === undefined ? undefined : log.exchange(request);
  if (exchange) {
    const { requestSeq, responseSeq } = exchange;
    const about = [...new Set([requestSeq, responseSeq, seq])].filter((one) => one !== undefined);
    const lines = await explainExchange(exchange, opened);
    const isMember = seq !== requestSeq && seq !== responseSeq;
    const own = isMember ? [`${rowLine(opened, seq)} belongs to this request:`] : [];
    return { about, lines: [...own, ...lines] };
  }
  if (row.kind === 'lifecycle') return { about: [seq], lines: explainConnection(opened) };
  return { about: [seq], lines: await aloneLines(opened, seq) };
}

/** Explains a frame that belongs to no request: what it is, and what came before and after it. */
async function aloneLines(opened: OpenedSource, seq: number): Promise<readonly string[]> {
  const { recording, quote, isLate } = opened;
  const { log } = recording;
  const { kind, printed, id } = log.row(seq - 1);
  const text = (await recording.text(seq, isLate)) ?? '';
  const lines = [rowLine(opened, seq), `Its text: ${quote(text, 700)}`];
  if (kind === 'junk')
    lines.push(`Not a message: ${quote(explainBrokenAnswer(text, printed?.lines.length ?? 1, id), LINE_CHARS)}`);
  const near = [];
  for (let one = Math.max(1, seq - NEIGHBOURS); one <= Math.min(log.size, seq + NEIGHBOURS); one++) {
    if (one !== seq) near.push(`  ${rowLine(opened, one)}`);
  }
  return [...lines, 'Around it:', ...near];
}

function problemLines({ recording, quote }: OpenedSource, about: readonly number[]): readonly string[] {
  return problemsOf(recording, about)
    .slice(0, MOST_PROBLEMS)
    .map((problem) => {
      const { severity, rule, title, advice, related, url } = problem;
      const others =
        related.length > 0
          ? ` See ${related
              .slice(0, 3)
              .map((seq) => `#${seq}`)
              .join(', ')}.`
          : '';
      return `Problem (${severity} ${rule}): ${title}. ${quote(problemText(problem), DETAIL_CHARS)} ${quote(advice, DETAIL_CHARS)}${others} ${url}`;
    });
}

/** Findings whose text an explanation has anyway. */
const SAID = /^(?:request-|tool-error$)/;

/** Lists other evidence about these frames. */
function findingLines({ recording, quote }: OpenedSource, about: readonly number[]): readonly string[] {
  const ofRules = new Set(ruleFindings(recording).map(({ code }) => code));
  return agentFindings(recording)
    .filter(({ code, seqs }) => !ofRules.has(code) && !SAID.test(code) && seqs.some((seq) => about.includes(seq)))
    .slice(0, MOST_FINDINGS)
    .map(({ code, title, detail = '', advice = '' }) => {
      const text = detail === '' ? '' : ` ${quote(detail, DETAIL_CHARS)}`;
      const hint = advice === '' ? '' : ` ${quote(advice, DETAIL_CHARS)}`;
      return `Finding (${code}): ${title}.${text}${hint}`;
    });
}

/** Shows stderr between the first of these frames and shortly after the last one. */
function stderrLines({ recording: { log }, quote }: OpenedSource, about: readonly number[]): readonly string[] {
  const { columns, size } = log;
  if (about.length === 1 && columns.kind(about[0]! - 1) === 'lifecycle') return [];
  const [from, to] = [Math.min(...about), Math.min(size, Math.max(...about) + STDERR_AFTER)];
  const seqs: number[] = [];
  for (let seq = Math.max(1, from - NEIGHBOURS); seq <= to && seqs.length < MOST_STDERR; seq++) {
    if (columns.kind(seq - 1) === 'stderr' && log.hasBytes(seq)) seqs.push(seq);
  }
  if (seqs.length === 0) return ['No stderr at that time.'];
  return ['stderr at that time:', ...seqs.map((seq) => `  #${seq}: ${quote(log.text(seq - 1), LINE_CHARS)}`)];
}
