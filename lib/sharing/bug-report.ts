import { prettyJson } from '@/lib/json/exact';
import { type InvalidResult, invalidResult } from '@/lib/problems/invalid-result';
import { NEEDS_EVERY_FRAME, type Problem } from '@/lib/problems/problem';
import { isSkipped, type SkippedChecks } from '@/lib/problems/protocol-state';
import { SEVERITY_RANK } from '@/lib/problems/rule';
import type { Exchange } from '@/lib/store/exchanges/exchanges';
import { Log } from '@/lib/store/log';
import { messageSource } from '@/lib/store/message-source';
import { reasonInLog } from '@/lib/store/reason/log-reason';
import type { RowStatus } from '@/lib/store/rows/row';
import { presentProfile } from '@/lib/wire/client-profile';
import { HIDDEN_CHARACTERS } from '@/lib/wire/control-characters';
import { LIMITS } from '@/lib/wire/limits';
import type { RecordingLacks } from '@/lib/wire/recording-facts';
import { AUTOMATIC_METHODS } from './automatic-methods';
import { BoundedProblemFinder } from './bounded-problems';
import { exchangeOf, isFailedFrame, reportSubject } from './report-subject';
import type { FrameSelection } from './selection';
import type { SharedFrame } from './shared-recording';
import { ownParams } from './snippets/described-request';
import { inspectCommandText, shellQuote } from './snippets/shell-commands';

/** The input of a bug report. */
export interface ReportFacts {
  /** Version of mcp-inspect. */
  readonly version: string;
  /** ISO 8601. */
  readonly at: string;
  /** Name of the recording that accompanies the report. The report uses its frame numbers. */
  readonly file: string;
  /** Set if that file does not exist yet: the full recording, and the `share` options that make the file from it. */
  readonly from?: {
    readonly file: string;
    readonly options: readonly string[];
    /** Number of further options `--mask`. Their values are secret. */
    readonly masks?: number;
  };
  /** The chosen range, in seqs of the whole recording; absent: from the start, to the end. */
  readonly range?: Pick<FrameSelection, 'from' | 'to'>;
  /** The frame to report, as its seq in the whole recording; absent: the noted frames, else the worst one. */
  readonly about?: number;
  /** Parts that the recording lacks. Rules that need every frame are off if frames are missing. */
  readonly lacks?: RecordingLacks | undefined;
  /** Results without schema checks, by seq in the whole recording. */
  readonly unchecked?: SkippedChecks;
  /**
   * Runs rules on a portion of frames, and returns false if it stopped them because they took too long. Absent: rules
   * that hang can only be stopped by terminating the Worker.
   */
  readonly within?: (rules: () => void) => boolean;
}

/**
 * Writes a bug report in Markdown: client and server, failures, notes, problems of the shown frames, steps to
 * reproduce, the end of stderr, and how to open the recording. `frames` have been redacted. Untrusted text is put into
 * code that it cannot break out of.
 */
export async function bugReport(frames: AsyncIterable<SharedFrame>, facts: ReportFacts): Promise<string> {
  const { log, problems, problemsOf, stoppedAt, chosen, part } = await gather(frames, facts);
  const { main, shown } = reportSubject(log, problems, chosen, part);
  const invalidOf: InvalidOf = (seq) => (seq === undefined ? undefined : invalidResult(problemsOf(seq)));
  const kept = keptExchanges(main, shown);
  const listed = main === undefined ? problems : problemsIn(log, kept, problemsOf);
  const parts = [
    `# ${title(log, main)}`,
    identity(log, facts),
    ...exchangesText(log, main, { kept, left: shown.length - kept.length }, invalidOf),
    ...notesText(log),
    ...problemsText(listed, stoppedAt),
    ...stepsText(log, main, invalidOf),
    ...stderrText(log),
    '## The recording',
    recordingText(facts),
  ];
  return `${parts.join('\n\n')}\n`;
}

/** Data gathered from the frames. Seqs are those of the shared frames. */
interface Gathered {
  readonly log: Log;
  readonly problems: readonly Problem[];
  /** Returns the problems of a frame. */
  readonly problemsOf: (seq: number) => readonly Problem[];
  /** The frame where rules were stopped. */
  readonly stoppedAt: number | undefined;
  /** See {@link ReportFacts.about}. */
  readonly chosen: number | undefined;
  /** First and last frame of {@link ReportFacts.range}. */
  readonly part: readonly [first: number, last: number] | undefined;
}

async function gather(frames: AsyncIterable<SharedFrame>, facts: ReportFacts): Promise<Gathered> {
  const log = new Log('shared');
  const finder = new BoundedProblemFinder(facts.within);
  const left: number[] = [];
  let allLeft = false;
  let chosen: number | undefined;
  const inRange: number[] = [];
  for await (const frame of frames) {
    log.append([frame]);
    if (!allLeft && isSkipped(facts.unchecked, frame.originalSeq)) {
      allLeft = frame.originalSeq >= (facts.unchecked?.from ?? Number.POSITIVE_INFINITY);
      left.push(frame.seq);
      finder.skipSchemaChecks({ seqs: left, ...(allLeft && { from: frame.seq }) });
    }
    finder.addFrame(frame);
    if (frame.originalSeq === facts.about) chosen = frame.seq;
    if (isInPart(facts.range, frame.originalSeq)) inRange.push(frame.seq);
  }
  const { problems: found, marks, stoppedAt } = finder.end();
  const lacking = facts.lacks?.damaged || facts.lacks?.missing;
  const problems = lacking ? found.filter(({ rule }) => !NEEDS_EVERY_FRAME.has(rule)) : found;
  const problemsOf = (seq: number) => {
    const ids = marks.get(seq);
    return ids ? problems.filter(({ id }) => ids.has(id)) : [];
  };
  const part = inRange.length > 0 ? ([inRange[0]!, inRange.at(-1)!] as const) : undefined;
  return { log, problems, problemsOf, stoppedAt, chosen, part };
}

/** Returns true if a frame is in the range; false if the whole recording is shared. */
function isInPart(range: ReportFacts['range'], seq: number): boolean {
  const { from, to } = range ?? {};
  if (from === undefined && to === undefined) return false;
  return seq >= (from ?? 1) && seq <= (to ?? Number.POSITIVE_INFINITY);
}

function recordingText({ file, from }: ReportFacts): string {
  const opens = `${untrustedCodeSpan(`npx mcp-inspect open ${shellQuote(file)}`, REPORT_CHARS.word)} opens it. \`#\` with a number refers to a frame in it.`;
  if (!from) return opens;
  const words = [
    'npx mcp-inspect share',
    shellQuote(from.file),
    ...from.options.map(shellQuote),
    '--out',
    shellQuote(file),
  ];
  const make = `${opens} To make it from the full recording: ${untrustedCodeSpan(words.join(' '), REPORT_CHARS.command)}`;
  const { masks = 0 } = from;
  if (masks === 0) return `${make}.`;
  return `${make}, with ${masks === 1 ? 'the option `--mask`' : `the ${masks} options \`--mask\``} of this report, which it does not repeat.`;
}

function title(log: Log, about: number | undefined): string {
  const { info } = log.state.server;
  const server = untrustedCodeSpan(info?.name || log.state.connection.start?.name || 'server', REPORT_CHARS.word);
  if (about === undefined) return `Recording of ${server}`;
  const { method, name, kind } = log.row(about - 1);
  const end = endText(log);
  if (!method) return `${server}: ${end && kind === 'lifecycle' ? end : kind}`;
  const request = untrustedCodeSpan([method, name].filter(Boolean).join(' '), REPORT_CHARS.word);
  return end && log.exchange(exchangeOf(log, about))?.status === 'lost'
    ? `${server}: ${request}, then ${end}`
    : `${server}: ${request}`;
}

/** Says how the server ended by itself, as in the middle of a sentence; undefined if it did not. */
function endText(log: Log): string | undefined {
  const { exit } = log.state.connection;
  if (!exit || exit.byUs) return undefined;
  const { code, signal } = exit;
  if (signal !== null) return `the server was ended by ${untrustedCodeSpan(signal, REPORT_CHARS.word)}`;
  return code === null ? 'the server exited' : `the server exited with code ${code}`;
}

/** Quotes what the server printed about its end. */
function printedReason(log: Log): string {
  const reason = endText(log) === undefined ? undefined : reasonInLog(log);
  return reason ? ` On ${reason.stream}: ${untrustedCodeSpan(reason.text, REPORT_CHARS.command)}.` : '';
}

function identity(log: Log, { version, at }: ReportFacts): string {
  const { start, era, version: protocol, transport, failure } = log.state.connection;
  const { info } = log.state.server;
  const end = endText(log);
  const target = start && ('url' in start ? start.url : [start.command, ...start.args].join(' '));
  const lines = [
    `mcp-inspect ${version}, recorded ${at || 'at an unknown time'}`,
    `Protocol: ${untrustedCodeSpan([protocol ?? 'none negotiated', era, transport].filter(Boolean).join(', '), REPORT_CHARS.word)}`,
    ...(info ? [`Server: ${untrustedCodeSpan(`${info.name} ${info.version}`, REPORT_CHARS.word)}`] : []),
    ...(target ? [`Started as: ${untrustedCodeSpan(target, REPORT_CHARS.command)}`] : []),
    ...(end ? [`${end.charAt(0).toUpperCase()}${end.slice(1)}.${printedReason(log)}`] : []),
    ...(failure && !end ? [`The connection failed: ${untrustedCodeSpan(failure.message, REPORT_CHARS.command)}`] : []),
  ];
  return lines.map((line) => `- ${line}`).join('\n');
}

/** Most problems, notes and lines of stderr in a report. */
const MOST_PROBLEMS = 30;
const MOST_NOTES = 30;
const STDERR_LINES = 20;

function problemsText(problems: readonly Problem[], stoppedAt: number | undefined): readonly string[] {
  if (problems.length === 0 && stoppedAt === undefined) return [];
  const worstFirst = problems.toSorted((a, b) => SEVERITY_RANK[b.severity] - SEVERITY_RANK[a.severity]);
  const lines = worstFirst.slice(0, MOST_PROBLEMS).map(({ severity, title: heading, message, seqs, url }) => {
    const where = seqs.slice(0, 5).map((seq) => `#${seq}`);
    return `- **${severity}** ${heading}: ${untrustedCodeSpan(message, REPORT_CHARS.command)} (${where.join(', ')}${seqs.length > 5 ? ' …' : ''}; <${url}>)`;
  });
  const more = problems.length - lines.length;
  const stopped = `- Frames from #${stoppedAt} on were not checked. Checking took too long, probably because of a pattern in a schema.`;
  const rest = [...(more > 0 ? [`- and ${more} more`] : []), ...(stoppedAt === undefined ? [] : [stopped])];
  return ['## Problems', [...lines, ...rest].join('\n')];
}

/** Returns the section with people's notes. */
function notesText(log: Log): readonly string[] {
  const noted = [...log.state.notes.notes].filter(([, { text }]) => text !== '').sort(([one], [other]) => one - other);
  if (noted.length === 0) return [];
  const lines = noted
    .slice(0, MOST_NOTES)
    .map(([seq, { text }]) => `- #${seq}: ${untrustedCodeSpan(text, REPORT_CHARS.command)}`);
  const more = noted.length > MOST_NOTES ? [`- and ${noted.length - MOST_NOTES} more`] : [];
  return ['## Notes', [...lines, ...more].join('\n')];
}

function stderrText(log: Log): readonly string[] {
  const seqs = log.state.stderr.seqs.slice(-STDERR_LINES);
  if (seqs.length === 0) return [];
  return [
    '## Last lines of stderr',
    codeBlock(seqs.map((seq) => log.text(seq - 1)).join('\n'), 'text', REPORT_CHARS.message),
  ];
}

/** Most exchanges shown in a report. */
const MOST_EXCHANGES = 10;

/** Returns how the result in a frame breaks its schema, if it does. */
type InvalidOf = (seq: number | undefined) => InvalidResult | undefined;

/** Returns the exchanges to show: the last ones, and always the main exchange. */
function keptExchanges(main: number | undefined, shown: readonly number[]): readonly number[] {
  const kept = new Set([main, ...shown.slice(-MOST_EXCHANGES)]);
  return shown.filter((seq) => kept.has(seq));
}

/** Returns the problems of the frames of exchanges, each with these frames only. */
function problemsIn(log: Log, exchanges: readonly number[], problemsOf: Gathered['problemsOf']): readonly Problem[] {
  const seqsOf = new Map<Problem, number[]>();
  for (const seq of exchanges.flatMap((exchange) => framesOfExchange(log, exchange))) {
    for (const problem of problemsOf(seq)) seqsOf.set(problem, [...(seqsOf.get(problem) ?? []), seq]);
  }
  return [...seqsOf].map(([problem, seqs]) => ({ ...problem, seqs }));
}

function exchangesText(
  log: Log,
  main: number | undefined,
  { kept, left }: { readonly kept: readonly number[]; readonly left: number },
  invalidOf: InvalidOf,
): readonly string[] {
  if (main === undefined) return [];
  const isWrong = isFailedFrame(log, main) || framesOfExchange(log, main).some((seq) => invalidOf(seq));
  return [
    `## ${isWrong ? 'What went wrong' : 'What happened'}`,
    ...(left > 0 ? [leftOut(left, 'exchange')] : []),
    ...kept.map((seq) => exchangeText(log, seq, invalidOf)),
  ];
}

/** Returns the seqs of both halves of a frame's exchange, or the frame's own. */
function framesOfExchange(log: Log, seq: number): readonly number[] {
  const exchange = log.exchange(exchangeOf(log, seq));
  return exchange ? [exchange.requestSeq, exchange.responseSeq].filter((one) => one !== undefined) : [seq];
}

function exchangeText(log: Log, seq: number, invalidOf: InvalidOf): string {
  const exchange = log.exchange(exchangeOf(log, seq));
  const seqs = framesOfExchange(log, seq);
  const invalid = seqs.map(invalidOf).find((one) => one !== undefined);
  const blocks = seqs.map((one) => `${frameLine(log, one, invalid !== undefined)}\n\n${messageBlock(log, one)}`);
  const unanswered = exchange && exchange.responseSeq === undefined ? [withoutAnswer(log, exchange)] : [];
  const broken = invalid ? [untrustedCodeSpan(invalid.sentence, REPORT_CHARS.command)] : [];
  return [...blocks, ...broken, ...unanswered].join('\n\n');
}

function withoutAnswer(log: Log, { status, unmatchedSeq }: Exchange): string {
  if (unmatchedSeq !== undefined) {
    return `No response has this request’s id. #${unmatchedSeq} looks like its response.`;
  }
  if (status !== 'lost') return UNANSWERED[status] ?? 'There was no response yet.';
  return `There was no response: ${endText(log) ?? 'the connection ended'} first.${printedReason(log)}`;
}

const UNANSWERED: { readonly [S in RowStatus]?: string } = {
  timeout: 'There was no response in time.',
  cancelled: 'The request was cancelled before a response came.',
};

/** Statuses that are words of this program, in plain English. */
const PLAIN_STATUS: { readonly [S in RowStatus]?: string } = {
  lost: 'no response',
  timeout: 'timed out',
  'tool-error': 'isError',
  pending: 'no response yet',
};

function frameLine(log: Log, seq: number, isInvalid: boolean): string {
  const { direction, kind, time, status } = log.row(seq - 1);
  const way = direction === 'to-server' ? 'to the server' : 'to the client';
  return `#${seq}, ${kind} ${way}, at ${(time / 1e6).toFixed(3)} s${status ? `: ${outcomeWord(status, isInvalid)}` : ''}`;
}

/** Returns the outcome of an exchange. The page shows a result that breaks its schema as a failure too. */
function outcomeWord(status: RowStatus, isInvalid: boolean): string {
  return status === 'ok' && isInvalid ? 'invalid result' : (PLAIN_STATUS[status] ?? status);
}

function messageBlock(log: Log, seq: number): string {
  const text = log.text(seq - 1);
  const json = text.length <= LIMITS.formattedBytes && log.json(seq - 1) !== undefined;
  return codeBlock(json ? prettyJson(text) : text, json ? 'json' : 'text', REPORT_CHARS.message);
}

/** Most steps in a report. Earlier requests are counted. */
const MOST_STEPS = 50;
/** Matches placeholders of secrets (lib/redact/placeholders.ts) and masked header values. */
const MASKED_PLACES = /\[redacted:[a-z-]{1,40}:[0-9a-f]{8}\]|•••/g;

/** Returns the client's requests up to the reported frame, in order, with commands to repeat them. */
function stepsText(log: Log, about: number | undefined, invalidOf: InvalidOf): readonly string[] {
  const { start, era, version, profile: latest } = log.state.connection;
  const profile = presentProfile(latest, start);
  const asked: Exchange[] = [];
  for (let seq = 1; seq <= (about ?? log.size); seq++) {
    const exchange = log.exchange(seq);
    if (exchange?.direction !== 'to-server' || exchange.status === 'refused') continue;
    if (exchange.status !== 'ok' || !AUTOMATIC_METHODS.has(exchange.method)) asked.push(exchange);
  }
  if (asked.length === 0) return [];
  const lines = asked.slice(-MOST_STEPS).map((exchange, index) => {
    const { requestSeq, responseSeq, method, name, status } = exchange;
    const params = ownParams(messageSource(log, requestSeq)?.member('params')?.text);
    const what = untrustedCodeSpan([method, name].filter(Boolean).join(' '), REPORT_CHARS.word);
    const text = start && inspectCommandText({ method, params, start, era, version, profile });
    const command = text ? `\n   ${untrustedCodeSpan(text, REPORT_CHARS.command)}` : '';
    const outcome = outcomeWord(status, invalidOf(responseSeq) !== undefined);
    return `${index + 1}. ${what} (#${requestSeq}): ${outcome}${command}${maskedWarning(text)}`;
  });
  const before = asked.length - lines.length;
  return ['## Steps', [...(before > 0 ? [`${leftOut(before, 'request')}\n`] : []), ...lines].join('\n')];
}

function leftOut(count: number, kind: 'exchange' | 'request'): string {
  return count === 1 ? `1 earlier ${kind} is left out.` : `${count} earlier ${kind}s are left out.`;
}

/** Returns a warning if a command cannot be run as it is. */
function maskedWarning(command = ''): string {
  const places = [...new Set(command.match(MASKED_PLACES))];
  if (places.length === 0) return '';
  const which = places.map((place) => untrustedCodeSpan(place, REPORT_CHARS.word)).join(', ');
  return `\n   Replace ${which} with the value that was removed here.`;
}

const HIDDEN = new RegExp(`[${HIDDEN_CHARACTERS}]`, 'gu');

/** Returns untrusted text as a Markdown code span that it cannot break out of. Invisible characters are escaped. */
export function untrustedCodeSpan(text: string, mostCharacters: number): string {
  const line = visible(cut(text, mostCharacters)).replace(/\s+/g, ' ').trim();
  if (line === '') return '` `';
  const ticks = '`'.repeat(longestRun(line) + 1);
  // Markdown strips one space at each end. Text that starts or ends with a backtick needs them.
  return /^`|`$/.test(line) ? `${ticks} ${line} ${ticks}` : `${ticks}${line}${ticks}`;
}

/** Returns untrusted text as a code block. The fence is longer than any in the text. */
export function codeBlock(text: string, language: string, mostCharacters: number): string {
  const fence = '`'.repeat(Math.max(3, longestRun(text) + 1));
  return `${fence}${language}\n${visible(cut(text, mostCharacters)).replace(/\n+$/, '')}\n${fence}`;
}

function longestRun(text: string): number {
  return Math.max(0, ...Array.from(text.matchAll(/`+/g), ([run]) => run.length));
}

function cut(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most).toWellFormed()}… (${text.length - most} characters more)` : text;
}

function visible(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(HIDDEN, (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`);
}

/** Longest name, command and message in a bug report, in characters. */
const REPORT_CHARS = { word: 200, command: 600, message: 6000 } as const;
