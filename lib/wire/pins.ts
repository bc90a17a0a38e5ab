import { type Checked, isNumber, isText, listOf, objectWith, oneOf, optional } from '@/lib/json/value';

/**
 * How a pinned call went. `same`: as accepted · `changed`: another answer · `broken`: an error or no answer where a
 * result was accepted · `new`: nothing is accepted yet · `skipped`: a value that it uses is missing.
 */
export const PIN_VERDICTS = ['same', 'changed', 'broken', 'new', 'skipped'] as const;
export type PinVerdict = (typeof PIN_VERDICTS)[number];

/** One place where an answer differs from the accepted one. The values are JSON, shortened; '' if absent. */
const difference = objectWith({
  kind: oneOf('missing', 'added', 'changed', 'type'),
  path: isText,
  before: isText,
  after: isText,
});
export type PinDifference = Checked<typeof difference>;

const seq = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) > 0;

/** Accepts how a pinned call went, with what a page needs to show it. Secrets are masked. */
export const isPinOutcome = objectWith({
  key: isText,
  name: isText,
  verdict: oneOf(...PIN_VERDICTS),
  /** Why it was skipped or is broken, as a sentence. */
  why: optional(isText),
  /** Seq of the request's frame. Absent if nothing was sent. */
  seq: optional(seq),
  /** Seq of the frame with the answer. */
  answerSeq: optional(seq),
  /** Milliseconds to the answer, now and when it was last played. */
  ms: isNumber,
  msBefore: optional(isNumber),
  /** How the calls ended, if differently: `a result`, `error -32602` … */
  ends: optional(
    (value: unknown): value is readonly [before: string, after: string] =>
      Array.isArray(value) && value.length === 2 && value.every(isText),
  ),
  differences: optional(listOf(difference)),
  /** Digest of the answer, and of the accepted one that it was compared with. */
  answer: optional(isText),
  accepted: optional(isText),
});
export type PinOutcome = Checked<typeof isPinOutcome>;

/** A step of playing pinned calls. */
export type PinStep =
  /** `calls`: how many are played. `by`: what started it. */
  | { readonly phase: 'started'; readonly calls: number; readonly by: 'user' | 'save' }
  | ({ readonly phase: 'played' } & PinOutcome)
  /** `why`: a sentence, if not all calls were played. */
  | { readonly phase: 'ended'; readonly why?: string };
