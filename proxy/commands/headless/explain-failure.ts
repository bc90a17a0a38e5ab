import { type ConnectionHint, refusedStart } from '@/lib/doctor/connection-hints';
import { diagnose } from '@/lib/doctor/diagnose';
import { adviceText, causeText } from '@/lib/doctor/diagnosis';
import { exchangesOf } from '@/lib/doctor/exchange-facts';
import { type FrameParts, logOfParts } from '@/lib/doctor/log-of-parts';
import { ConnectionError } from '@/lib/transports/transport';
import { type Failure, isFailure } from '@/lib/wire/lifecycle';
import { EXIT, ExitError } from '@/proxy/cli/exit-code';
import { LateError } from './late-error';

/** The end of a subcommand, in the words of the doctor. */
interface ExplainedFailure {
  /** `code` is that of the failure, not of the diagnosis. */
  readonly failure: Failure;
  /** In the words of the connection. */
  readonly cause: Failure;
  /** The sentences say what the server printed. */
  readonly tellsPrinted: boolean;
  /** The same as an error to throw or print, with the exit code of the first. */
  readonly error: Error;
}

/** Explains an error that ended a subcommand, from frames of its connection. undefined for an error of another kind. */
export function explainFailure(error: unknown, frames: FrameParts): ExplainedFailure | undefined {
  const cause = failureIn(error);
  if (!cause) return undefined;
  const diagnosis = diagnose(logOfParts(frames), cause);
  const { code } = cause;
  const told = diagnosis ? { code, message: causeText(diagnosis), advice: adviceText(diagnosis) } : cause;
  const isLate = error instanceof LateError;
  return {
    failure: told,
    cause,
    tellsPrinted: diagnosis?.printed !== undefined || diagnosis?.code === 'answer-broken',
    error: isLate ? new ExitError(EXIT.timeout, `${told.message} ${told.advice}`) : new ConnectionError(told),
  };
}

/** Returns the failure of an error of a connection. */
function failureIn(error: unknown): Failure | undefined {
  if (error instanceof LateError) {
    return { code: 'timeout', message: error.message, advice: `Allow more time with \`${error.option}\`.` };
  }
  return isFailure(error) ? error : undefined;
}

/** Returns notes about a handshake whose last message the server refused. */
export function refusedStartIn(frames: FrameParts): readonly ConnectionHint[] {
  return refusedStart(exchangesOf(logOfParts(frames)));
}
