import type { Action, Evidence, StepId } from './finding';

/**
 * `unused`: this connection has no such step. `unknown`: the log does not show it, for example for requests of the
 * page.
 */
export type StepState = 'ok' | 'failed' | 'not reached' | 'unused' | 'unknown';

export interface Step {
  readonly id: StepId;
  readonly title: string;
  readonly state: StepState;
  /** Milliseconds. */
  readonly ms?: number;
  readonly evidence: readonly Evidence[];
}

/** Explains why a connection, or a request on it, failed: the cause, its evidence, and what to do. */
export interface Diagnosis {
  /** Code of the cause. Stable. */
  readonly code: string;
  /** The line with which the server itself names the cause. It comes before `what`. */
  readonly said?: Evidence;
  /** The cause, in one to three sentences. */
  readonly what: string;
  /** Sentences about the output of the process, where that helps. */
  readonly printed?: string;
  /** The fix, in one to three sentences. */
  readonly advice: string;
  /** A sentence about something that mcp-inspect did, such as a second start. It comes last. */
  readonly did?: string;
  /** The frame that shows the cause best. */
  readonly seq: number;
  /** Facts that show the cause. For a URL, those of the step that failed. */
  readonly evidence: readonly Evidence[];
  readonly actions: readonly Action[];
  /** How far a connection to a URL got; empty for a command. */
  readonly steps: readonly Step[];
}

/** Returns the words for a step without evidence. */
export function stepLabel({ id, state }: Pick<Step, 'id' | 'state'>): string {
  if (state === 'unused') return id === 'tcp' ? 'by the HTTP proxy' : 'not used with http';
  return state === 'unknown' ? 'not in the log' : state;
}

const MARKS: Readonly<Record<StepState, string>> = {
  ok: 'ok',
  failed: 'FAILED',
  'not reached': '-',
  unused: '-',
  unknown: '?',
};

/** A diagnosis as text needs it. */
type Told = Omit<Diagnosis, 'seq' | 'actions'>;

/** Returns what happened, with the server's own words first, as text on one line. */
export function causeText({ said, what, printed }: Pick<Diagnosis, 'said' | 'what' | 'printed'>): string {
  return [said && `\`${said.text}\`.`, what, printed].filter(Boolean).join(' ');
}

/** Returns what to do, and what mcp-inspect did, as text on one line. */
export function adviceText({ advice, did }: Pick<Diagnosis, 'advice' | 'did'>): string {
  return did ? `${advice} ${did}` : advice;
}

/** Returns a diagnosis as plain text, for a terminal or a bug report. `server` is its URL or command, as shown. */
export function diagnosisText(diagnosis: Told, server: string): string {
  const { steps, code, evidence } = diagnosis;
  const facts = steps.length > 0 ? stepLines(steps) : evidence.map(lineOf);
  const told = [causeText(diagnosis), adviceText(diagnosis), `Code: ${code}`];
  return [`Connection doctor: ${server}`, '', ...facts, '', ...told].join('\n');
}

/** Formats steps as plain text, each with its facts below it. */
export function stepLines(steps: readonly Step[]): readonly string[] {
  return steps.flatMap(({ id, title, state, ms, evidence }) => {
    const isTried = state === 'ok' || state === 'failed';
    const note = !isTried ? stepLabel({ id, state }) : ms === undefined ? '' : `${ms} ms`;
    const head = `${MARKS[state].padEnd(7)} ${title.padEnd(14)} ${note}`.trimEnd();
    return [head, ...evidence.map(lineOf)];
  });
}

function lineOf({ text, seq }: Evidence): string {
  return `          ${text}${seq === undefined ? '' : `  (#${seq})`}`;
}
