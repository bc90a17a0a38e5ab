import type { LanguageModelV3, SharedV3ProviderOptions } from '@ai-sdk/provider';
import type { ModelEndpoint } from '../model-endpoint';
import type { Carried } from '../prompt';

/** A tool's definition in the body of a request. */
export interface SentTool {
  readonly name: unknown;
  readonly schema: unknown;
}

/** How to speak a dialect by the SDK, and where things are in the bodies of its requests. */
export interface DialectAdapter extends Carried {
  /** Options for each request. */
  readonly fixed?: SharedV3ProviderOptions;
  /** Value of `strict` in each tool. Absent: the dialect has no such field, or leaves schemas alone. */
  readonly strict?: boolean;
  create(model: string, endpoint: ModelEndpoint, send: typeof globalThis.fetch): LanguageModelV3;
  sentTools(body: unknown): readonly SentTool[];
  /** Settings by name, with the path of each in the body. */
  readonly settings: Readonly<Record<'temperature', readonly string[]>>;
}

/** Returns what is at a path of a parsed body, if each step is an object or array. */
export function at(value: unknown, ...path: readonly string[]): unknown {
  let found = value;
  for (const step of path) found = Object(found)[step];
  return found;
}

/** Returns an array, or nothing. */
export function listAt(value: unknown, ...path: readonly string[]): readonly unknown[] {
  const found = at(value, ...path);
  return Array.isArray(found) ? found : [];
}
