/**
 * How a pinned call went. `same`: as accepted · `changed`: another answer · `broken`: an error or no answer where a
 * result was accepted · `new`: nothing is accepted yet · `skipped`: a value that it uses is missing.
 */
export const PIN_VERDICTS = ['same', 'changed', 'broken', 'new', 'skipped'] as const;
export type PinVerdict = (typeof PIN_VERDICTS)[number];

/** One place where an answer differs from the accepted one. The values are JSON, shortened; '' if absent. */
export interface PinDifference {
  readonly kind: 'missing' | 'added' | 'changed' | 'type';
  readonly path: string;
  readonly before: string;
  readonly after: string;
}

/** A step of playing pinned calls. */
export type PinStep =
  /** `calls`: how many are played. `by`: what started it. */
  | { readonly phase: 'started'; readonly calls: number; readonly by: 'user' | 'save' }
  | ({ readonly phase: 'played' } & PinOutcome)
  /** `why`: a sentence, if not all calls were played. */
  | { readonly phase: 'ended'; readonly why?: string };

/** How a pinned call went, with what a page needs to show it. Secrets are masked. */
export interface PinOutcome {
  readonly key: string;
  readonly name: string;
  readonly verdict: PinVerdict;
  /** Why it was skipped or is broken, as a sentence. */
  readonly why?: string;
  /** Seq of the request's frame. Absent if nothing was sent. */
  readonly seq?: number;
  /** Seq of the frame with the answer. */
  readonly answerSeq?: number;
  /** Milliseconds to the answer, now and when it was last played. */
  readonly ms: number;
  readonly msBefore?: number;
  /** How the calls ended, if differently: `a result`, `error -32602` … */
  readonly ends?: readonly [before: string, after: string];
  readonly differences?: readonly PinDifference[];
  /** Digest of the answer, and of the accepted one that it was compared with. */
  readonly answer?: string;
  readonly accepted?: string;
}
