/** Whether the table goes along with what arrives. */
export interface Follow {
  /** How many frames the log had when it stopped; undefined while it follows. */
  readonly stoppedAt: number | undefined;
  /** It followed when it was sorted, and goes on once it is in order again. */
  readonly resumes: boolean;
}

/** It does, as nobody has said otherwise. */
export const FOLLOWING: Follow = { stoppedAt: undefined, resumes: false };

/** Stopped from the start, with a log that is still being fetched. */
export const NOT_YET: Follow = { stoppedAt: Number.POSITIVE_INFINITY, resumes: false };

/** The log has been fetched: it had `size` frames. */
export function followFrom(follow: Follow, size: number): Follow {
  return follow.stoppedAt === Number.POSITIVE_INFINITY ? { ...follow, stoppedAt: size } : follow;
}

/** Stopped for good by somebody, now that the log has `size` frames, or before. */
export function followStopped({ stoppedAt }: Follow, size: number): Follow {
  return { stoppedAt: stoppedAt ?? size, resumes: false };
}

/** The same when the table is sorted, by whatever, or put in order again. */
export function followAfterSort(follow: Follow, sorted: boolean, size: number): Follow {
  const { stoppedAt, resumes } = follow;
  if (sorted) return stoppedAt === undefined ? { stoppedAt: size, resumes: true } : follow;
  return resumes ? FOLLOWING : follow;
}
