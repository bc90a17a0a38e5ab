/** Longest time that work blocks the page at once: half a frame at 60 Hz. */
const SLICE_MS = 8;

/**
 * Runs `work` in slices of a few milliseconds, so that the page stays responsive. Each step of `work` must be short.
 * `onPause` gets the last value yielded. Resolves with the result of `work`, or undefined once aborted.
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

/**
 * Runs `work` in slices and returns its result, without a promise if one slice is enough. Awaits `pause` between
 * slices.
 */
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

/** Runs `work` to its end at once. */
export function runToEnd<Result>(work: Generator<unknown, Result>): Result {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}

/**
 * Resolves in a later task, after input and painting. Unlike timers, it is not throttled to 4 ms, or to 1 s in hidden
 * tabs.
 */
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
