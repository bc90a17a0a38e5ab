import { formatPath } from '@/lib/json/outline-path';
import { type JsonObject, own } from '@/lib/json/value';
import type { Within } from './judge-frames';

/** How the quality of a list is checked. */
export interface QualityContext {
  /** Address of the specification of tools in the session's version. */
  readonly spec: string;
  readonly within: Within;
}

/** Returns the name of an entry for sentences and paths. */
export function nameOf(entry: JsonObject): string {
  const name = own(entry, 'name');
  return typeof name === 'string' ? name : '';
}

/** Returns the path of a tool, or of a part of it. */
export function toolPath(tool: JsonObject, ...rest: readonly string[]): string {
  return `tools[${JSON.stringify(nameOf(tool))}]${rest.length === 0 ? '' : formatPath(['x', ...rest]).slice(1)}`;
}

/** Quotes a name from the server, shortened. */
export function quoted(name: string): string {
  return JSON.stringify(name.length <= 80 ? name : `${name.slice(0, 79)}…`);
}
