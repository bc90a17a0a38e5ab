import { diagnose } from '@/lib/doctor/diagnose';
import { adviceText, causeText } from '@/lib/doctor/diagnosis';
import type { Log } from '@/lib/store/log';
import { reasonInLog } from '@/lib/store/reason/log-reason';
import { errorLine } from '@/lib/store/rows/error-line';
import { withoutAnsi } from '@/lib/wire/control-characters';
import { countOf } from '@/lib/wire/format';
import { plainWord } from '../answer';
import { type AgentFinding, type EvidenceReader, WEIGHT } from './evidence';

/** Why the connection failed, or how the server ended by itself. */
export const connectionEnd: EvidenceReader = ({ log }) => {
  const { failure, exit, state, opened } = log.state.connection;
  const diagnosis = diagnose(log);
  if (diagnosis && !opened) {
    const { code, seq } = diagnosis;
    return [
      {
        code: plainWord(code, 'connection-failed'),
        severity: 'error',
        weight: WEIGHT.connection,
        title: 'The connection failed',
        detail: causeText(diagnosis),
        advice: adviceText(diagnosis),
        seqs: [seq],
        count: 1,
      },
    ];
  }
  if ((exit && !exit.byUs) || (failure && state === 'failed')) {
    return [
      {
        code: 'server-ended',
        severity: 'error',
        weight: WEIGHT.exit,
        title: 'The server ended by itself',
        detail: diagnosis
          ? causeText(diagnosis)
          : [newestExitText(log), stderrText(reasonInLog(log)?.text ?? '')].filter(Boolean).join('. '),
        advice: 'Look at the last request before it, and at stderr.',
        seqs: [endSeq(log)],
        count: 1,
      },
    ];
  }
  return [];
};

function stderrText(line: string): string {
  return line === '' ? '' : `stderr: ${line}`;
}

/** Says how the newest process ended; undefined while it runs. */
export function newestExitText(log: Log): string | undefined {
  const { exit } = log.state.connection;
  if (!exit) return undefined;
  return exit.signal !== null
    ? `ended by ${plainWord(exit.signal, 'a signal')}`
    : `exit code ${exit.code ?? 'unknown'}`;
}

/** Returns the newest lifecycle frame that reports something serious, otherwise the newest one. */
function endSeq(log: Log): number {
  const { seqs, lastLifecycleSeq } = log.state.connection;
  return seqs.findLast((seq) => log.columns.severity(seq - 1) === 'error') ?? Math.max(1, lastLifecycleSeq);
}

/** Requests that are looked at for what came before the server fell silent. */
const MOST_SILENT = 1000;
/** Messages that are named. */
const SILENT_SHOWN = 4;

/** The server sent nothing more, although requests came: the message before that is the likely cause. */
export const silence: EvidenceReader = ({ log }) => {
  const { columns, size } = log;
  const unanswered: number[] = [];
  let before: number | undefined;
  for (let index = size - 1; index >= 0; index--) {
    if (columns.channel(index) !== 'protocol') continue;
    if (columns.direction(index) === 'to-client') break;
    before = index + 1;
    // Nobody waits for a cancelled one.
    const isAwaited = columns.kind(index) === 'request' && columns.status(index) !== 'cancelled';
    if (isAwaited && unanswered.length < MOST_SILENT) unanswered.unshift(index + 1);
  }
  if (before === undefined || unanswered.length === 0) return [];
  // A process that ended can't answer, which another finding says.
  const { exit } = log.state.connection;
  if (exit && !exit.byUs) return [];
  const isWaiting = unanswered.length === 1 && unanswered[0] === before && columns.status(before - 1) === 'pending';
  if (isWaiting) return [];
  const got = [];
  for (let index = before - 1; index < size && got.length < SILENT_SHOWN; index++) {
    if (columns.channel(index) === 'protocol')
      got.push(`#${index + 1} ${columns.method(index) ?? columns.kind(index)}`);
  }
  const found: AgentFinding = {
    code: 'server-silent',
    severity: 'error',
    weight: WEIGHT.silence,
    title: 'The server stopped answering',
    detail: `It sent nothing after these messages: ${got.join(', ')}. ${countOf(unanswered.length, 'request')} unanswered.`,
    advice: 'One of the first of these messages makes it hang, so look at how the server handles them.',
    seqs: [before, ...unanswered.filter((seq) => seq !== before)].slice(0, 5),
    count: unanswered.length,
  };
  return [found];
};

/** An error on stderr, although the server goes on. */
export const stderrErrors: EvidenceReader = ({ log }) => {
  const { seqs } = log.state.stderr;
  const { exit } = log.state.connection;
  if (seqs.length === 0 || (exit && !exit.byUs)) return [];
  const textOf = (seq: number): string => withoutAnsi(log.text(seq - 1));
  const line = errorLine(seqs, textOf);
  if (line === undefined) return [];
  const seq = seqs.find((one) => textOf(one).trim().startsWith(line.slice(0, 200))) ?? seqs[0]!;
  return [
    {
      code: 'stderr-error',
      severity: 'warning',
      weight: WEIGHT.stderr,
      title: 'The server reports an error on stderr',
      detail: line,
      advice: 'Explain this frame to see the requests around it.',
      seqs: [seq],
      count: 1,
    },
  ];
};
