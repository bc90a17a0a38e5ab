import { oneBudget, SlowPattern } from '@/features/chat/lib/bounded-pattern';
import type { TimeLimit } from '@/lib/wire/time-limit';
import type { EvalCase } from './eval-case';
import type { RunFacts, RunTokens } from './run-facts';
import { type Score, scoreRun, type ToolChoice, UncheckedSchema } from './score';

/** One run of a case with a model and its score. It is JSON, so that an eval can be kept, resumed and shown. */
export interface EvalAttempt {
  /** From 1, among all attempts of the eval. */
  readonly number: number;
  readonly file: string;
  readonly line: number;
  readonly name: string;
  readonly model: string;
  /** From 1. */
  readonly repeat: number;
  /** Why it failed, a sentence each; none if it passed. */
  readonly reasons: readonly string[];
  /** For the confusion matrix. */
  readonly choices: readonly ToolChoice[];
  /** Code of what kept the model or a server from answering. Then the run says nothing about the model. */
  readonly error?: string;
  /** Beginning of the answer. */
  readonly text: string;
  /** The turn in the recorded chat, and the file if it was recorded. */
  readonly turn: string;
  readonly recording?: string;
  readonly calls: readonly AttemptCall[];
  /** Recordings of its servers, which other runs may share. */
  readonly servers?: readonly ServerRecording[];
  /** Calls that nobody had allowed. */
  readonly refused: number;
  readonly tokens: RunTokens;
  readonly milliseconds: number;
}

/** A call of the model, with its frame in the recorded connection if it ran. */
export interface AttemptCall {
  readonly name: string;
  readonly arguments: string;
  readonly decision: string;
  readonly server?: string;
  readonly connection?: string;
  readonly frame?: number;
}

export interface ServerRecording {
  /** Id of the recording, which calls name. */
  readonly connection: string;
  readonly server: string;
  readonly recording: string;
}

/** A case that ran once with a model. */
export interface EvalRun {
  /** The file of the case. */
  readonly file: string;
  readonly case: EvalCase;
  readonly model: string;
  /** From 1. */
  readonly repeat: number;
  readonly facts: RunFacts;
  readonly milliseconds: number;
  /** File of the recorded chat. */
  readonly recording?: string;
  readonly servers?: readonly ServerRecording[];
}

/** Characters of an answer, and of arguments, that are kept. */
const KEPT_CHARS = 2000;

/** Scores a run. `within` bounds the checks of schemas. */
export function attemptOf(
  { file, case: one, model, repeat, facts, ...run }: EvalRun,
  number: number,
  within: TimeLimit,
): EvalAttempt {
  const { calls, text, turn, tokens, failure, reason } = facts;
  // A limit is reached by the model. Any other failure is that of a provider or a server.
  const failed = reason === 'error' ? failure : undefined;
  const { reasons, choices, error } = failed
    ? { ...NO_SCORE, reasons: [`${failed.message} ${failed.advice}`], error: failed.code }
    : scoreOrError(one, facts, within);
  return {
    number,
    file,
    line: one.line,
    name: one.name,
    model,
    repeat,
    reasons,
    choices,
    turn,
    tokens,
    ...(error !== undefined && { error }),
    text: text.slice(0, KEPT_CHARS),
    calls: calls.map(({ name, argumentsText, decision = 'refuse', server, sent }) => ({
      name,
      arguments: argumentsText.slice(0, KEPT_CHARS),
      decision,
      ...(server !== undefined && { server }),
      ...(sent && { connection: sent.connection, frame: sent.seq }),
    })),
    refused: calls.filter(({ decision, by }) => decision === 'refuse' && by !== 'loop').length,
    milliseconds: run.milliseconds,
    ...(run.recording !== undefined && { recording: run.recording }),
    ...(run.servers && { servers: run.servers }),
  };
}

const NO_SCORE: Score = { reasons: [], choices: [] };

function scoreOrError(one: EvalCase, facts: RunFacts, within: TimeLimit): Score & { readonly error?: string } {
  try {
    return scoreRun(one, facts, oneBudget(within));
  } catch (error) {
    if (error instanceof SlowPattern) return { ...NO_SCORE, reasons: [error.message], error: 'pattern-slow' };
    if (!(error instanceof UncheckedSchema)) throw error;
    return { ...NO_SCORE, reasons: [error.message], error: 'schema-unchecked' };
  }
}
