import { formatPath } from '@/lib/json/outline-path';
import type { Problem } from './problem';

/** A result that breaks its schema. */
export interface InvalidResult {
  /** Id of the first problem. */
  readonly id: number;
  /** Path of the first fault in the result: `structuredContent.a`; '' for the whole result. Server text. */
  readonly field: string;
  /** The first fault: "Invalid result: `content` is missing". The path is server text. */
  readonly sentence: string;
  /** Number of further faults. */
  readonly more: number;
}

/** Returns how the result in a frame breaks its schema, from the frame's problems. undefined if it does not. */
export function invalidResult(problems: readonly Problem[]): InvalidResult | undefined {
  const faults = problems.filter(
    ({ severity, path, fault }) => severity === 'error' && fault !== undefined && path?.[0] === 'result',
  );
  const [first] = faults;
  if (first === undefined) return undefined;
  const [, ...inside] = first.path!;
  const field = inside.length === 0 ? '' : formatPath(inside);
  const sentence = `Invalid result: \`${field || 'result'}\` ${first.fault}`;
  return { id: first.id, field, sentence, more: faults.length - 1 };
}
