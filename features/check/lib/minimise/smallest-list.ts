/** Says whether these items still fail. Rejects with the reason of an abort. */
export type StillFails<T> = (items: readonly T[]) => Promise<boolean>;

interface SearchOptions<T> {
  /** Lists that probably fail alone, the most promising first. Each has items of the whole list, in its order. */
  readonly guesses: readonly (readonly T[])[];
  /** How many lists are tried at a time. */
  readonly width: number;
  /** Called with each smaller list that fails. */
  onSmaller(items: readonly T[]): void;
}

/**
 * Finds few items of a failing list that still fail in the same order. It looks for the last item from which on the
 * rest fails, keeps that item, drops those before it, and goes on with the rest. That takes about the logarithm of the
 * length for each item that is needed. Every list that it returns has failed.
 */
export async function smallestList<T>(
  items: readonly T[],
  stillFails: StillFails<T>,
  { guesses, width, onSmaller }: SearchOptions<T>,
): Promise<readonly T[]> {
  const guessed = await firstFailing(guesses, stillFails, width);
  let found = guessed ?? items;
  if (guessed) onSmaller(guessed);
  let kept: readonly T[] = [];
  let rest = found;
  // Nothing can be dropped from a list of one item, except that item.
  while (rest.length > 0) {
    const from = await lastStart(kept, rest, stillFails, width, kept.length > 0);
    if (from === rest.length) {
      found = kept;
      break;
    }
    kept = [...kept, rest[from]!];
    rest = rest.slice(from + 1);
    found = [...kept, ...rest];
    onSmaller(found);
  }
  return withoutNeedless(found, stillFails, width, onSmaller);
}

async function firstFailing<T>(
  lists: readonly (readonly T[])[],
  stillFails: StillFails<T>,
  width: number,
): Promise<readonly T[] | undefined> {
  for (let at = 0; at < lists.length; at += width) {
    const some = lists.slice(at, at + width);
    const failed = await Promise.all(some.map(stillFails));
    const first = failed.indexOf(true);
    if (first >= 0) return some[first];
  }
  return undefined;
}

/**
 * Returns where a part of `rest` begins that fails together with `kept`, but not without its first item;
 * `rest.length` if `kept` alone fails. `isNear`: tries first whether everything is needed, or nothing, as in a
 * failure that takes a number of calls.
 */
async function lastStart<T>(
  kept: readonly T[],
  rest: readonly T[],
  stillFails: StillFails<T>,
  width: number,
  isNear: boolean,
): Promise<number> {
  // The part from `fails` on has failed; the part from `passes` on has not.
  let fails = 0;
  let passes = rest.length + 1;
  let starts = isNear ? [rest.length, 1] : sections(fails, passes, width);
  while (passes - fails > 1) {
    const some = [...new Set(starts)].filter((start) => start > fails && start < passes);
    const tried = await Promise.all(
      some.map(async (start) => ({ start, failed: await stillFails([...kept, ...rest.slice(start)]) })),
    );
    for (const { start, failed } of tried.toSorted((a, b) => a.start - b.start)) {
      if (failed) fails = Math.max(fails, start);
    }
    for (const { start, failed } of tried) if (!failed && start > fails) passes = Math.min(passes, start);
    starts = sections(fails, passes, width);
  }
  return fails;
}

/** Returns up to `width` whole numbers between two, evenly spaced. */
function sections(low: number, high: number, width: number): number[] {
  const step = (high - low) / (width + 1);
  return Array.from({ length: width }, (_, at) => Math.round(low + step * (at + 1))).map((start) =>
    Math.min(Math.max(start, low + 1), high - 1),
  );
}

/** Drops each item without which the rest still fails. */
async function withoutNeedless<T>(
  items: readonly T[],
  stillFails: StillFails<T>,
  width: number,
  onSmaller: (items: readonly T[]) => void,
): Promise<readonly T[]> {
  let found = items;
  // Once more after each success: what was needed may no longer be.
  for (let at = 0; found.length > 1 && at < found.length; ) {
    const some = found.slice(at, at + width).map((_, index) => found.toSpliced(at + index, 1));
    const smaller = await firstFailing(some, stillFails, width);
    if (smaller) {
      found = smaller;
      onSmaller(found);
      at = 0;
    } else at += some.length;
  }
  return found;
}
