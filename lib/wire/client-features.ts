import { isObject, own } from './message';

/** What a server may ask of us, as a person may allow it or not. */
export const CLIENT_FEATURES = ['elicitation', 'elicitation-url', 'sampling', 'roots'] as const;
export type ClientFeature = (typeof CLIENT_FEATURES)[number];

/** A place that a server may work in, as `roots/list` tells it. */
export interface Root {
  /** As it is sent, whatever it is; the specification wants a `file:` URI. */
  readonly uri: string;
  readonly name?: string;
}

/** The roots in what a log says they are, which need not be one of ours. */
export function rootsIn(value: unknown): readonly Root[] {
  return Array.isArray(value) ? value.filter((root) => isObject(root) && typeof own(root, 'uri') === 'string') : [];
}
