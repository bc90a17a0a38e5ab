import { formatPath } from '@/lib/json/outline-path';
import { type JsonObject, own } from '@/lib/json/value';

/**
 * How work ended: in time, after more time on the processor than it had, or stopped for another reason. `skipped`: it
 * did not begin, because the time for all work is over.
 */
export type Measured = 'done' | 'slow' | 'unknown' | 'skipped';

/** Runs work that may use the processor for `ms`. It can be run twice. */
export type Measure = (ms: number, work: () => void) => Measured;

/** How the quality of a list is checked. */
export interface QualityContext {
  /** Address of the specification of tools in the session's version. */
  readonly spec: string;
  readonly measure: Measure;
}

/** Returns the name of an entry for sentences and paths. */
export function entryName(entry: JsonObject): string {
  const name = own(entry, 'name');
  return typeof name === 'string' ? name : '';
}

/** Returns the path of a tool, or of a part of it. */
export function toolTextPath(tool: JsonObject, ...rest: readonly string[]): string {
  return `tools[${JSON.stringify(entryName(tool))}]${rest.length === 0 ? '' : formatPath(['x', ...rest]).slice(1)}`;
}

/** Quotes a name from the server, shortened. */
export function quotedName(name: string): string {
  return JSON.stringify(name.length <= 80 ? name : `${name.slice(0, 79)}…`);
}
