import { NEEDS_ALL } from '@/lib/problems/needs-all';
import type { Problem } from '@/lib/problems/problem';
import { isLeft, type Unchecked } from '@/lib/problems/unchecked';
import type { FrameSelection } from '@/lib/recording/frame-selection';
import { prettyJson } from '@/lib/schema/json';
import { commandText } from '@/lib/snippets/command-line';
import { ownParams } from '@/lib/snippets/described-request';
import { shellQuote } from '@/lib/snippets/shell-quote';
import { messageSource } from '@/lib/store/answer-source';
import type { Exchange } from '@/lib/store/exchanges';
import { Log } from '@/lib/store/log';
import { LIMITS } from '@/lib/wire/limits';
import type { RecordingLacks } from '@/lib/wire/recording-facts';
import { BoundedFinder } from './bounded-finder';
import { codeBlock, codeSpan } from './markdown-text';
import { BY_ITSELF, reportSubject } from './report-subject';
import type { SharedFrame } from './shared-recording';
import { isBad } from './worst-frame';

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

/** Characters of a name in a line, of a command, and of a message. */
const WORD = 200;
const COMMAND = 600;
const MESSAGE = 6000;
const STEPS = 50;
const PROBLEMS = 30;
const NOTES = 30;
const EXCHANGES = 10;
const STDERR_LINES = 20;
/** In the place of a secret (lib/redact/placeholder.ts), and of what is masked in headers. */
const WHAT_WAS_TAKEN_OUT = /\[redacted:[a-z-]{1,40}:[0-9a-f]{8}\]|•••/g;

/**
 * A report of a session in Markdown: who talks to whom, what failed, what was noted, what the rules found, the steps there, the end of stderr, and
 * how to open the recording. `frames` have been redacted. What comes from outside is code, and can't leave that.
 */
export async function bugReport(frames: AsyncIterable<SharedFrame>, facts: ReportFacts): Promise<string> {
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
  const { problems, stoppedAt } = finder.end();
  const told =
    facts.lacks?.damaged || facts.lacks?.missing ? problems.filter(({ rule }) => !NEEDS_ALL.has(rule)) : problems;
  const part = inRange.length > 0 ? ([inRange[0]!, inRange.at(-1)!] as const) : undefined;
  const { main, shown } = reportSubject(log, told, chosen, part);
  const parts = [
    `# ${title(log, main)}`,
    identity(log, facts),
    ...exchangesText(log, main, shown),
    ...notesText(log),
    ...problemsText(told, stoppedAt),
    ...stepsText(log, main),
    ...stderrText(log),
    '## The recording',
    recordingText(facts),
  ];
  return `${parts.join('\n\n')}\n`;
}

function recordingText({ file, from }: ReportFacts): string {
  const opens = `${codeSpan(`npx mcp-inspect open ${shellQuote(file)}`, WORD)} opens it; \`#\` and a number is a frame in it.`;
  if (!from) return opens;
  const words = [
    'npx mcp-inspect share',
    shellQuote(from.file),
    ...from.options.map(shellQuote),
    '--out',
    shellQuote(file),
  ];
  return `${opens} Whoever has the whole makes it: ${codeSpan(words.join(' '), COMMAND)}.`;
}

function title(log: Log, about: number | undefined): string {
  const { info } = log.state.server;
  const server = codeSpan(info?.name || log.state.connection.start?.name || 'server', WORD);
  if (about === undefined) return `A session with ${server}`;
  const { method, name, kind } = log.row(about - 1);
  return method ? `${server}: ${codeSpan([method, name].filter(Boolean).join(' '), WORD)}` : `${server}: ${kind}`;
}

function identity(log: Log, { version, at }: ReportFacts): string {
  const { start, era, version: protocol, transport, failure, exit } = log.state.connection;
  const { info } = log.state.server;
  const target = start && ('url' in start ? start.url : [start.command, ...start.args].join(' '));
  const lines = [
    `mcp-inspect ${version}, recorded ${at || 'at an unknown time'}`,
    `Protocol: ${codeSpan([protocol ?? 'none agreed on', era, transport].filter(Boolean).join(', '), WORD)}`,
    ...(info ? [`Server: ${codeSpan(`${info.name} ${info.version}`, WORD)}`] : []),
    ...(target ? [`Started as: ${codeSpan(target, COMMAND)}`] : []),
    ...(failure ? [`The connection failed: ${codeSpan(`${failure.message} ${failure.advice}`, COMMAND)}`] : []),
    ...(exit && !exit.byUs ? [`The server exited by itself: ${codeSpan(String(exit.code ?? exit.signal), WORD)}`] : []),
  ];
  return lines.map((line) => `- ${line}`).join('\n');
}

/** True for what is of a part; false if there is none, only the whole. */
function isInPart(range: ReportFacts['range'], was: number): boolean {
  const { from, to } = range ?? {};
  if (from === undefined && to === undefined) return false;
  return was >= (from ?? 1) && was <= (to ?? Number.POSITIVE_INFINITY);
}

/** What the report is about, exchange by exchange: the last of them, and the one that it is called after. */
function exchangesText(log: Log, main: number | undefined, shown: readonly number[]): readonly string[] {
  if (main === undefined) return [];
  const told = new Set([main, ...shown.slice(-EXCHANGES)]);
  const left = shown.filter((seq) => !told.has(seq)).length;
  const texts = shown.filter((seq) => told.has(seq)).map((seq) => exchangeText(log, seq));
  return [
    `## ${isBad(log, main) ? 'What went wrong' : 'What it is about'}`,
    ...(left > 0 ? [`${left} earlier exchanges are left out.`] : []),
    ...texts,
  ];
}

/** Both halves of the exchange that a frame is part of, or the frame. */
function exchangeText(log: Log, seq: number): string {
  const row = log.row(seq - 1);
  const request = row.kind === 'request' ? seq : row.peer;
  const exchange = request === undefined ? undefined : log.exchange(request);
  const seqs = exchange ? [exchange.requestSeq, exchange.responseSeq].filter((one) => one !== undefined) : [seq];
  const blocks = seqs.map((one) => `${frameLine(log, one)}\n\n${messageBlock(log, one)}`);
  const unanswered = exchange && exchange.responseSeq === undefined ? [`No answer came: ${exchange.status}.`] : [];
  return [...blocks, ...unanswered].join('\n\n');
}

function frameLine(log: Log, seq: number): string {
  const { direction, kind, time, status } = log.row(seq - 1);
  const way = direction === 'to-server' ? 'to the server' : 'to the client';
  return `#${seq}, ${kind} ${way}, at ${(time / 1e6).toFixed(3)} s${status ? `: ${status}` : ''}`;
}

function messageBlock(log: Log, seq: number): string {
  const text = log.text(seq - 1);
  const json = text.length <= LIMITS.formattedBytes && log.json(seq - 1) !== undefined;
  return codeBlock(json ? prettyJson(text) : text, json ? 'json' : 'text', MESSAGE);
}

function problemsText(problems: readonly Problem[], stoppedAt: number | undefined): readonly string[] {
  if (problems.length === 0 && stoppedAt === undefined) return [];
  const lines = problems.slice(0, PROBLEMS).map(({ severity, title: heading, message, seqs, url }) => {
    const where = seqs.slice(0, 5).map((seq) => `#${seq}`);
    return `- **${severity}** ${heading}: ${codeSpan(message, COMMAND)} (${where.join(', ')}${seqs.length > 5 ? ' …' : ''}; <${url}>)`;
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
  const lines = said.slice(0, NOTES).map(([seq, { text }]) => `- #${seq}: ${codeSpan(text, COMMAND)}`);
  const more = said.length > NOTES ? [`- and ${said.length - NOTES} more`] : [];
  return ['## Notes', [...lines, ...more].join('\n')];
}

/** What the client asked for up to the frame that the report is about, in order, as what it takes to ask again. */
function stepsText(log: Log, about: number | undefined): readonly string[] {
  const { start, era, version } = log.state.connection;
  const asked: Exchange[] = [];
  for (let seq = 1; seq <= (about ?? log.size); seq++) {
    const exchange = log.exchange(seq);
    if (exchange?.direction !== 'to-server' || exchange.status === 'refused') continue;
    if (exchange.status !== 'ok' || !BY_ITSELF.has(exchange.method)) asked.push(exchange);
  }
  if (asked.length === 0) return [];
  const lines = asked.slice(-STEPS).map((exchange, index) => {
    const { requestSeq, method, name, status } = exchange;
    const params = ownParams(messageSource(log, requestSeq)?.member('params')?.text);
    const what = codeSpan([method, name].filter(Boolean).join(' '), WORD);
    const text = start && commandText({ method, params, start, era, version });
    const command = text ? `\n   ${codeSpan(text, COMMAND)}` : '';
    return `${index + 1}. ${what} (#${requestSeq}): ${status}${command}${toGiveWords(text)}`;
  });
  const before = asked.length - lines.length;
  return ['## Steps', [...(before > 0 ? [`${before} earlier requests are left out.\n`] : []), ...lines].join('\n')];
}

/** That a command is not to be run as it stands. */
function toGiveWords(command = ''): string {
  const places = [...new Set(command.match(WHAT_WAS_TAKEN_OUT))];
  if (places.length === 0) return '';
  const which = places.map((place) => codeSpan(place, WORD)).join(', ');
  return `\n   A value belongs here in the place of ${which}: it was taken out.`;
}

function stderrText(log: Log): readonly string[] {
  const seqs = log.state.stderr.seqs.slice(-STDERR_LINES);
  if (seqs.length === 0) return [];
  return ['## The end of stderr', codeBlock(seqs.map((seq) => log.text(seq - 1)).join('\n'), 'text', MESSAGE)];
}
