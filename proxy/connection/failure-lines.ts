import { diagnose } from '@/lib/doctor/diagnose';
import type { Diagnosis } from '@/lib/doctor/diagnosis';
import { logOfParts } from '@/lib/doctor/log-of-parts';
import type { Connection } from '@/lib/hub/connection';
import { framesFrom } from '@/lib/hub/frame-log';
import { withoutAnsi } from '@/lib/wire/control-characters';
import type { Failure } from '@/lib/wire/lifecycle';
import type { Launch } from './launch';

/** Frames that are searched for the failure: from the start, and the newest ones. */
const FIRST_FRAMES = 150;
const NEWEST_FRAMES = 300;

/** Why a connection failed, and what its server printed about it. */
export interface ExplainedFailure {
  readonly diagnosis: Diagnosis;
  /** Code of the failure in the log, which says more to programs than that of the diagnosis. */
  readonly code: string;
  /** The newest lines of the newest process's stderr, without colours. */
  readonly stderr: readonly string[];
}

/**
 * Explains the newest failure in a connection's log, as the doctor does; undefined if there is none. `ended`: a failure
 * that is not in the log.
 */
export async function explainConnectionFailure(
  { log }: Connection<Launch>,
  ended?: Failure,
): Promise<ExplainedFailure | undefined> {
  const first = framesFrom(await log.segmentOf(1), 1).slice(0, FIRST_FRAMES);
  const after = first.at(-1)?.seq ?? 0;
  const end = await log.segmentOf(log.last);
  const newest = framesFrom(end, Math.max(end.first, log.last - NEWEST_FRAMES)).filter(({ seq }) => seq > after);
  const [next] = newest;
  const failed = logOfParts({ first, newest, missing: next ? next.seq - after - 1 : 0 });
  const { failure = ended, spawnedSeq = 0 } = failed.state.connection;
  const diagnosis = diagnose(failed, ended);
  if (!failure || !diagnosis) return undefined;
  const lines = failed.state.stderr.seqs.filter((seq) => seq > spawnedSeq);
  return { diagnosis, code: failure.code, stderr: lines.map((seq) => withoutAnsi(failed.text(seq - 1))) };
}
