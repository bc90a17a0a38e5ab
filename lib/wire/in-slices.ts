/** How long work may keep the page from everything else at a time. */
const SLICE_MS = 8;

/**
 * Does all of `work` without keeping the page from anything for long: after some milliseconds others get a turn. Each step of
 * `work` must be short. `onPause` hears what was yielded last. Resolves with what `work` returns; undefined once aborted.
 */
export async function runInSlices<Step, Result>(
  work: Generator<Step, Result>,
  signal: AbortSignal,
  onPause?: (step: Step) => void,
): Promise<Result | undefined> {
  while (!signal.aborted) {
    const step = slice(work);
    if (step.done) return step.value;
    onPause?.(step.value);
    await nextTask();
  }
  return undefined;
}

/** The same, all of it: the result itself if one slice was enough. `pause`: what is waited for between slices. */
export function runYielding<Result>(work: Generator<unknown, Result>, pause = nextTask): Result | Promise<Result> {
  const step = slice(work);
  return step.done ? step.value : restInTurns(work, pause);
}

async function restInTurns<Result>(work: Generator<unknown, Result>, pause: () => Promise<void>): Promise<Result> {
  for (;;) {
    await pause();
    const step = slice(work);
    if (step.done) return step.value;
  }
}

function slice<Step, Result>(work: Generator<Step, Result>): IteratorResult<Step, Result> {
  const until = performance.now() + SLICE_MS;
  let step = work.next();
  while (!step.done && performance.now() < until) step = work.next();
  return step;
}

/** Does all of `work` at once. */
export function runToEnd<Result>(work: Generator<unknown, Result>): Result {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}

/** A task of its own later, behind input and painting; unlike timers it is not held back to 4 ms, or 1 s in hidden tabs. */
export function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(undefined);
  });
}
