import { oneBudget, SlowPattern } from '@/features/chat/lib/bounded-pattern';
import type { TimeLimit } from '@/lib/wire/time-limit';
import type { EvalAttempt, ServerRecording } from './eval-attempt';
import type { EvalCase } from './eval-case';
import type { RunFacts } from './run-facts';
import { type Score, scoreRun, UncheckedSchema } from './score';

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
