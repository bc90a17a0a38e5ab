import { JsonOutline, readOutline } from './outline';
import { nodeAt, type OutlinePath } from './outline-path';

/** Runs a generator to its end and returns its result. */
export function finish<Result>(work: Generator<unknown, Result>): Result {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}

/** Returns the outline of a text. Throws for invalid JSON. */
export function outlineOf(text: string): JsonOutline {
  const outline = finish(readOutline(new TextEncoder().encode(text)));
  if (!(outline instanceof JsonOutline)) throw new Error(`${outline}: ${text}`);
  return outline;
}

/** Returns the value at a path, or the last existing one on the way. */
export function nodeOf(outline: JsonOutline, path: OutlinePath): number {
  return finish(nodeAt(outline, path));
}
