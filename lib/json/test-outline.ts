import { JsonOutline, readOutline } from './outline';
import { nodeAt, type OutlinePath } from './outline-path';

/** Does all of a generator's work. */
export function finish<Result>(work: Generator<unknown, Result>): Result {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}

/** The outline of a text; throws for what is no JSON. */
export function outlineOf(text: string): JsonOutline {
  const outline = finish(readOutline(new TextEncoder().encode(text)));
  if (!(outline instanceof JsonOutline)) throw new Error(`${outline}: ${text}`);
  return outline;
}

/** The value at a path, at once. */
export function nodeOf(outline: JsonOutline, path: OutlinePath): number {
  return finish(nodeAt(outline, path));
}
