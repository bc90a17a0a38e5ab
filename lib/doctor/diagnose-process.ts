import type { Log } from '@/lib/store/log';
import { USAGE } from '@/lib/store/reason/line-kinds';
import { errorLine } from '@/lib/store/rows/error-line';
import { formatStartedTwice } from '@/lib/store/rows/labels';
import type { Failure } from '@/lib/wire/lifecycle';
import { brokenAnswerFinding } from './broken-answer';
import type { Diagnosis } from './diagnosis';
import type { DoctorFinding, Evidence } from './finding';
import { printedCause, wrongFraming } from './printed-causes';
import { type ProcessFacts, processFactsOf } from './process-facts';
import { quoteLine } from './quote-line';
import { SILENCE } from './silence';

/** Explains why a server that was started by a command failed. Returns undefined for other logs. */
export function diagnoseProcess(log: Log, ended?: Failure): Diagnosis | undefined {
  const facts = processFactsOf(log, ended);
  if (!facts) return undefined;
  const { startedTwice, said, failureSeq } = facts;
  const found = findCause(facts);
  const quotes = found.quotesLine && said !== undefined;
  return {
    code: found.code,
    what: found.what,
    ...(found.printed !== undefined && { printed: found.printed }),
    advice: found.advice,
    ...(quotes && { said: { text: quoteLine(said.text), seq: said.seq } }),
    // After the handshake, the first start has nothing to do with the failure.
    ...(startedTwice && !facts.opened && { did: formatStartedTwice(startedTwice) }),
    seq: found.seq ?? failureSeq,
    evidence: evidenceOf(facts),
    actions: [],
    steps: [],
  };
}

interface ProcessFinding extends DoctorFinding {
  readonly code: string;
  readonly printed?: string | undefined;
  /** The line that explains the end is quoted before the finding. */
  readonly quotesLine?: true;
}

/** Returns the cause: the error that ended the process, then a broken answer, then silence, then what was reported. */
function findCause(facts: ProcessFacts): ProcessFinding {
  const { exit, failure, unmatched, said, printed } = facts;
  const isOver = exit !== undefined && failure.code === 'server-exited';
  const isMute = SILENCE.has(failure.code) || (failure.code === 'stdin-closed' && facts.messageSeq === undefined);
  const known = printed && (isOver || isMute) ? printedCause(printed) : undefined;
  if (known) {
    const what = `${isOver ? exitSentence(facts, exit) : failure.message} ${known.what}`;
    return { ...known, what, ...(isOver && { quotesLine: true }), seq: said?.seq };
  }
  if (isOver && (said !== undefined || !unmatched)) return ended(facts, exit);
  // A message after a Content-Length header has no newline.
  const framing = unmatched?.unended && printed ? wrongFraming(printed) : undefined;
  if (framing) return { ...framing, seq: unmatched!.seq };
  // The failure already names both ids.
  if (unmatched && failure.code !== 'wrong-id') return { code: 'answer-broken', ...brokenAnswerFinding(unmatched) };
  if (isMute) return silent(facts);
  return { code: failure.code, what: failure.message, advice: failure.advice, seq: undefined };
}

const textOf = ({ text }: { readonly text: string }): string => text;

type Exit = NonNullable<ProcessFacts['exit']>;

function exitSentence({ opened, asked }: ProcessFacts, { code, signal }: Exit): string {
  const how = signal === null ? `exited with code ${code ?? 'unknown'}` : `was ended by ${signal}`;
  const before = !opened ? ' before it was ready' : asked ? ` before it answered ${asked.method}` : '';
  return `The server ${how}${before}.`;
}

function ended(facts: ProcessFacts, exit: Exit): ProcessFinding {
  const { code, seq } = exit;
  const { said, stdoutLines } = facts;
  const printed = said === undefined || stdoutLines > 0 ? printedSentence(facts) : undefined;
  return {
    code: 'server-exited',
    what: exitSentence(facts, exit),
    printed,
    advice:
      code === 0 && facts.opened
        ? `It ended itself without an error. Check what it does${facts.asked ? ` on ${facts.asked.method}` : ''}.`
        : code === 0
          ? 'It exited without an error. Check that the command starts a server and waits for messages on stdin.'
          : endingAdvice(facts, exit),
    seq: said?.seq ?? seq,
    quotesLine: true,
  };
}

function endingAdvice({ said }: ProcessFacts, { signal }: Exit): string {
  if (said && USAGE.test(said.text)) return 'It printed its usage. Check the arguments of the command.';
  if (said?.isError) return 'Fix this error, then start the server again.';
  if (signal === 'SIGKILL')
    return 'Something outside killed it, often because memory ran out. Check the memory and the system’s log.';
  return said === undefined
    ? 'Run the command in a terminal to see why it ends.'
    : 'This is the last line that it printed. If it does not say why, run the command in a terminal.';
}

/** For a process that printed on stderr only. */
const ON_STDIO = 'Check that the command starts an MCP server on stdio, which reads its stdin and flushes its stdout.';

const READ_STDIN = 'Check that it reads its stdin, where messages arrive one per line, and that it flushes its stdout.';

/** For a process that has sent a message, so it is an MCP server. */
const MORE_TIME = 'Allow it more time, or look in its log for what it waits for.';

function silent(facts: ProcessFacts): ProcessFinding {
  const { failure, asked, stderr, said } = facts;
  const last = stderr.at(-1);
  const error = said?.isError && said.on === 'stderr' ? said : undefined;
  const onStderr = error
    ? ` It reported on stderr: \`${quoteLine(error.text)}\`.`
    : last === undefined
      ? ''
      : ` Its last line on stderr: \`${quoteLine(last.text)}\`.`;
  const isMute = facts.stdoutLines === 0 && last === undefined && facts.messageSeq === undefined;
  const hasAnswered = facts.messageSeq !== undefined;
  const advice = hasAnswered
    ? MORE_TIME
    : isMute && !facts.opened
      ? READ_STDIN
      : facts.stdoutLines === 0 && !facts.opened
        ? ON_STDIO
        : 'Check that the command starts an MCP server on stdio.';
  return {
    code: failure.code === 'timeout' ? 'silent' : failure.code,
    what: failure.message,
    printed: `${printedSentence(facts)}${onStderr}`,
    advice: failure.code === 'timeout' ? `${facts.opened || hasAnswered ? '' : `${advice} `}${failure.advice}` : advice,
    seq: asked?.seq,
  };
}

/** Says what the newest process printed. */
function printedSentence({ stdout, stdoutLines, stderr, messageSeq }: ProcessFacts): string {
  const [first] = stdout;
  if (first) {
    const lines =
      stdoutLines === 1
        ? '1 line on stdout that is not an MCP message'
        : `${stdoutLines} lines on stdout that are not MCP messages`;
    const error = errorLine(stdout, textOf);
    const then = error === undefined || error === first.text ? '' : ` Then: \`${quoteLine(error)}\`.`;
    return `It printed ${lines}. First: \`${quoteLine(first.text)}\`.${then}`;
  }
  if (messageSeq !== undefined) return 'It printed only other MCP messages on stdout.';
  return stderr.length === 0 ? 'It printed nothing.' : 'It printed nothing on stdout.';
}

function evidenceOf({ spawned, asked, stdout, said, exit, opened }: ProcessFacts): readonly Evidence[] {
  const [first] = stdout;
  return [
    ...(spawned ? [{ text: `started as process ${spawned.pid}`, seq: spawned.seq }] : []),
    ...(opened ? [{ text: 'the handshake was done' }] : []),
    ...(asked ? [{ text: `${asked.method} has no response`, seq: asked.seq }] : []),
    ...(first ? [{ text: `stdout: ${quoteLine(first.text)}`, seq: first.seq }] : []),
    ...(said && said !== first ? [{ text: `${said.on}: ${quoteLine(said.text)}`, seq: said.seq }] : []),
    ...(exit
      ? [{ text: exit.signal === null ? `exited with code ${exit.code}` : `ended by ${exit.signal}`, seq: exit.seq }]
      : []),
  ];
}
