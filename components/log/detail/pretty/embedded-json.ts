import type { JsonOutline } from '@/lib/store/json-outline';
import { type OutlineFault, readOutline } from '@/lib/store/outline-reader';
import { stringBytes } from '@/lib/store/string-bytes';

/** Longer strings are read only when asked for; shorter ones are known to be JSON before it is offered. */
const CHECKED_BYTES = 20_000;

/** The outline of the JSON in a string. Yields now and then. */
export function* readEmbedded(outline: JsonOutline, node: number): Generator<unknown, JsonOutline | OutlineFault> {
  return yield* readOutline(yield* stringBytes(outline, node));
}

/** True for a string that begins and ends as an object or array does, and is one if it is short. */
export function holdsJson(outline: JsonOutline, node: number): boolean {
  if (outline.kind(node) !== 'string' || outline.end(node) - outline.start(node) < 4) return false;
  const { text, whole } = outline.stringStart(node);
  if (!/^\s*[[{]/.test(text)) return false;
  if (outline.end(node) - outline.start(node) > CHECKED_BYTES) return true;
  try {
    JSON.parse(whole ? text : outline.string(node));
    return true;
  } catch {
    return false;
  }
}
