import { NEEDS_ALL } from '@/lib/problems/needs-all';
import type { Problem } from '@/lib/problems/problem';
import { isLeft, type Unchecked } from '@/lib/problems/unchecked';
import type { FrameSelection } from '@/lib/recording/frame-selection';
import { shellQuote } from '@/lib/snippets/shell-quote';
import { Log } from '@/lib/store/log';
import type { RecordingLacks } from '@/lib/wire/recording-facts';
import { BoundedFinder } from './bounded-finder';
import { codeBlock, codeSpan } from './markdown-text';
import { CHARS } from './report-chars';
import { exchangesText } from './report-exchanges';
import { stepsText } from './report-steps';
import { reportSubject } from './report-subject';
import type { SharedFrame } from './shared-recording';

/** What a bug report is made of. */
export interface ReportFacts {
  /** Of mcp-inspect. */
  readonly version: string;
  /** ISO 8601. */
  readonly at: string;
  /** What the file is called that goes with it, in which frames have the numbers that they have here. */
  readonly file: string;
  /** Of a file that is not made yet: the recording that it is a part of, and the options of `share` that choose the part. */
  readonly from?: { readonly file: string; readonly options: readonly string[] };
  /** Seqs in the whole of the part that was chosen; absent: from the beginning, to the end. */
  readonly range?: Pick<FrameSelection, 'from' | 'to'>;
  /** seq that the frame it is about has in the whole; absent: it is about what was noted, else the worst one. */
  readonly about?: number;
  /** What the recording lacks: where that is frames, rules that need all of them say nothing. */
  readonly lacks?: RecordingLacks | undefined;
  /** Results that no rule holds against a schema, by seq in the whole. */
  readonly unchecked?: Unchecked;
  /**
   * Runs rules, which may take for ever, on a portion of the frames; false if it stopped them. Absent: nothing stops them but the end
   * of the Worker that this runs in.
   */
  readonly within?: (rules: () => void) => boolean;
}

const PROBLEMS = 30;
const NOTES = 30;
const STDERR_LINES = 20;

/**
 * A report of a session in Markdown: who talks to whom, what failed, what was noted, what the rules found, the steps there, the end of stderr, and
 * how to open the recording. `frames` have been redacted. What comes from outside is code, and can't leave that.
 */
export async function bugReport(frames: AsyncIterable<SharedFrame>, facts: ReportFacts): Promise<string> {
  const { log, problems, stoppedAt, chosen, part } = await gather(frames, facts);
  const { main, shown } = reportSubject(log, problems, chosen, part);
  const parts = [
    `# ${title(log, main)}`,
    identity(log, facts),
    ...exchangesText(log, main, shown),
    ...notesText(log),
    ...problemsText(problems, stoppedAt),
    ...stepsText(log, main),
    ...stderrText(log),
    '## The recording',
    recordingText(facts),
  ];
  return `${parts.join('\n\n')}\n`;
}

/** What the frames come to. Seqs are those that they have here. */
interface Gathered {
  readonly log: Log;
  readonly problems: readonly Problem[];
  /** From where on rules were stopped. */
  readonly stoppedAt: number | undefined;
  /** See {@link ReportFacts.about}. */
  readonly chosen: number | undefined;
  /** First and last of {@link ReportFacts.range}. */
  readonly part: readonly [first: number, last: number] | undefined;
}

async function gather(frames: AsyncIterable<SharedFrame>, facts: ReportFacts): Promise<Gathered> {
  const log = new Log('shared');
  const finder = new BoundedFinder(facts.within);
  const left: number[] = [];
  let allLeft = false;
  let chosen: number | undefined;
  const inRange: number[] = [];
  for await (const frame of frames) {
    log.append([frame]);
    if (!allLeft && isLeft(facts.unchecked, frame.was)) {
      allLeft = frame.was >= (facts.unchecked?.from ?? Number.POSITIVE_INFINITY);
      left.push(frame.seq);
      finder.leave({ seqs: left, ...(allLeft && { from: frame.seq }) });
    }
    finder.add(frame);
    if (frame.was === facts.about) chosen = frame.seq;
    if (isInPart(facts.range, frame.was)) inRange.push(frame.seq);
  }
  const { problems: found, stoppedAt } = finder.end();
  const lacking = facts.lacks?.damaged || facts.lacks?.missing;
  const problems = lacking ? found.filter(({ rule }) => !NEEDS_ALL.has(rule)) : found;
  const part = inRange.length > 0 ? ([inRange[0]!, inRange.at(-1)!] as const) : undefined;
  return { log, problems, stoppedAt, chosen, part };
}

/** True for what is of a part; false if there is none, only the whole. */
function isInPart(range: ReportFacts['range'], was: number): boolean {
  const { from, to } = range ?? {};
  if (from === undefined && to === undefined) return false;
  return was >= (from ?? 1) && was <= (to ?? Number.POSITIVE_INFINITY);
}

function recordingText({ file, from }: ReportFacts): string {
  const opens = `${codeSpan(`npx mcp-inspect open ${shellQuote(file)}`, CHARS.word)} opens it; \`#\` and a number is a frame in it.`;
  if (!from) return opens;
  const words = [
    'npx mcp-inspect share',
    shellQuote(from.file),
    ...from.options.map(shellQuote),
    '--out',
    shellQuote(file),
  ];
  return `${opens} Whoever has the whole makes it: ${codeSpan(words.join(' '), CHARS.command)}.`;
}

function title(log: Log, about: number | undefined): string {
  const { info } = log.state.server;
  const server = codeSpan(info?.name || log.state.connection.start?.name || 'server', CHARS.word);
  if (about === undefined) return `A session with ${server}`;
  const { method, name, kind } = log.row(about - 1);
  return method ? `${server}: ${codeSpan([method, name].filter(Boolean).join(' '), CHARS.word)}` : `${server}: ${kind}`;
}

function identity(log: Log, { version, at }: ReportFacts): string {
  const { start, era, version: protocol, transport, failure, exit } = log.state.connection;
  const { info } = log.state.server;
  const target = start && ('url' in start ? start.url : [start.command, ...start.args].join(' '));
  const lines = [
    `mcp-inspect ${version}, recorded ${at || 'at an unknown time'}`,
    `Protocol: ${codeSpan([protocol ?? 'none agreed on', era, transport].filter(Boolean).join(', '), CHARS.word)}`,
    ...(info ? [`Server: ${codeSpan(`${info.name} ${info.version}`, CHARS.word)}`] : []),
    ...(target ? [`Started as: ${codeSpan(target, CHARS.command)}`] : []),
    ...(failure ? [`The connection failed: ${codeSpan(`${failure.message} ${failure.advice}`, CHARS.command)}`] : []),
    ...(exit && !exit.byUs
      ? [`The server exited by itself: ${codeSpan(String(exit.code ?? exit.signal), CHARS.word)}`]
      : []),
  ];
  return lines.map((line) => `- ${line}`).join('\n');
}

function problemsText(problems: readonly Problem[], stoppedAt: number | undefined): readonly string[] {
  if (problems.length === 0 && stoppedAt === undefined) return [];
  const lines = problems.slice(0, PROBLEMS).map(({ severity, title: heading, message, seqs, url }) => {
    const where = seqs.slice(0, 5).map((seq) => `#${seq}`);
    return `- **${severity}** ${heading}: ${codeSpan(message, CHARS.command)} (${where.join(', ')}${seqs.length > 5 ? ' …' : ''}; <${url}>)`;
  });
  const more = problems.length - lines.length;
  const stopped = `- From #${stoppedAt} on nothing was looked at: checking took too long, most likely in a pattern of a schema.`;
  const rest = [...(more > 0 ? [`- and ${more} more`] : []), ...(stoppedAt === undefined ? [] : [stopped])];
  return ['## Problems', [...lines, ...rest].join('\n')];
}

/** What somebody said of frames. */
function notesText(log: Log): readonly string[] {
  const said = [...log.state.notes.notes].filter(([, { text }]) => text !== '').sort(([one], [other]) => one - other);
  if (said.length === 0) return [];
  const lines = said.slice(0, NOTES).map(([seq, { text }]) => `- #${seq}: ${codeSpan(text, CHARS.command)}`);
  const more = said.length > NOTES ? [`- and ${said.length - NOTES} more`] : [];
  return ['## Notes', [...lines, ...more].join('\n')];
}

function stderrText(log: Log): readonly string[] {
  const seqs = log.state.stderr.seqs.slice(-STDERR_LINES);
  if (seqs.length === 0) return [];
  return ['## The end of stderr', codeBlock(seqs.map((seq) => log.text(seq - 1)).join('\n'), 'text', CHARS.message)];
}
