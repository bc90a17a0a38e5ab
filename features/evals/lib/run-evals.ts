/** One run that has to be made. */
export interface PlannedRun<Case, Model> {
  readonly case: Case;
  readonly model: Model;
  /** From 1. */
  readonly repeat: number;
}

/** Plans cases × models × repetitions. All repetitions of a case follow one another. */
export function planRuns<Case, Model>(
  cases: readonly Case[],
  models: readonly Model[],
  repeats: number,
): readonly PlannedRun<Case, Model>[] {
  return cases.flatMap((one) =>
    models.flatMap((model) => Array.from({ length: repeats }, (_, index) => ({ case: one, model, repeat: index + 1 }))),
  );
}

/**
 * Makes the planned runs, `jobs` at a time, and returns their results in the planned order, however long each takes.
 * Once `signal` is aborted no run begins, and those without a result are left out. Rejects as a run does.
 */
export async function runAll<Run, Result>(
  planned: readonly Run[],
  jobs: number,
  run: (one: Run) => Promise<Result>,
  signal: AbortSignal,
): Promise<readonly Result[]> {
  const results = new Map<number, Result>();
  let next = 0;
  const work = async (): Promise<void> => {
    for (let at = next++; at < planned.length && !signal.aborted; at = next++) {
      const result = await run(planned[at]!).catch((error: unknown) => {
        // Stopping ends the run in an error, which says nothing of the case.
        if (signal.aborted) return undefined;
        throw error;
      });
      if (result !== undefined) results.set(at, result);
    }
  };
  await Promise.all(Array.from({ length: Math.min(jobs, planned.length) }, work));
  return planned.flatMap((_, at) => results.get(at) ?? []);
}
