import { diagnose } from '@/lib/doctor/diagnose';
import { adviceText, causeText, stepLabel } from '@/lib/doctor/diagnosis';
import type { Evidence } from '@/lib/doctor/finding';
import { reasonInLog } from '@/lib/store/reason/log-reason';
import { plainWord } from './answer';
import { rowLine } from './describe';
import { newestExitText } from './evidence/connection';
import type { OpenedSource } from './tools/tool';

/** Characters of server text. */
const LINE_CHARS = 240;
/** Characters of the cause, which quotes the server in our sentences. */
const CAUSE_CHARS = 800;
/** Lines of stderr and of stdout, requests and events that are shown. */
const MOST_STDERR = 10;
const MOST_JUNK = 3;
const MOST_REQUESTS = 3;
const MOST_EVENTS = 8;

/** Explains how a connection failed or ended: cause, advice, the steps of the doctor, and output of the server. */
export function explainConnection(opened: OpenedSource): readonly string[] {
  const { quote, recording } = opened;
  const { log } = recording;
  const { connection, stderr, junk } = log.state;
  const { seqs } = connection;
  const diagnosis = diagnose(log);
  const lines: string[] = [];
  if (diagnosis) {
    lines.push(
      `The connection failed (${plainWord(diagnosis.code, 'other')}): ${quote(causeText(diagnosis), CAUSE_CHARS)}`,
      quote(adviceText(diagnosis), CAUSE_CHARS),
    );
    if (diagnosis.steps.length === 0)
      lines.push(...diagnosis.evidence.map((fact) => `Evidence: ${factLine(fact, quote)}`));
    for (const { id, title, state, evidence } of diagnosis.steps) {
      const shown = state === 'ok' || state === 'failed' ? state : stepLabel({ id, state });
      const facts = evidence.slice(0, 3).map((fact) => factLine(fact, quote));
      lines.push(`${title}: ${shown}${facts.length > 0 ? `: ${facts.join(', ')}` : ''}`);
    }
  }
  const exit = newestExitText(log);
  if (exit !== undefined)
    lines.push(`The server process: ${exit}${connection.exit?.byUs ? ', ended by its client' : ', by itself'}.`);
  const crash = diagnosis?.said ? '' : (reasonInLog(log)?.text ?? '');
  if (crash !== '') lines.push(`stderr names: ${quote(crash, LINE_CHARS)}`);
  if (junk.count > 0) {
    lines.push(`${junk.count} lines on stdout are not MCP messages:`);
    lines.push(...junk.seqs.slice(0, MOST_JUNK).map((seq) => `  #${seq}: ${quote(log.text(seq - 1), LINE_CHARS)}`));
  }
  const requests = lastRequests(opened);
  if (requests.length > 0) lines.push('The last requests:', ...requests);
  if (stderr.seqs.length > 0) {
    lines.push('The end of stderr:');
    lines.push(...stderr.seqs.slice(-MOST_STDERR).map((seq) => `  #${seq}: ${quote(log.text(seq - 1), LINE_CHARS)}`));
  }
  lines.push('Events of the connection:');
  lines.push(...seqs.slice(-MOST_EVENTS).map((seq) => `  ${rowLine(opened, seq)}`));
  return lines;
}

function factLine({ text, seq }: Evidence, quote: OpenedSource['quote']): string {
  return quote(text, LINE_CHARS) + (seq ? ` (#${seq})` : '');
}

function lastRequests(opened: OpenedSource): readonly string[] {
  const { columns, size } = opened.recording.log;
  const seqs: number[] = [];
  for (let index = size - 1; index >= 0 && seqs.length < MOST_REQUESTS; index--) {
    if (columns.kind(index) === 'request' && columns.direction(index) === 'to-server') seqs.unshift(index + 1);
  }
  return seqs.map((seq) => `  ${rowLine(opened, seq)}`);
}
