import type { Failure } from '@/lib/wire/lifecycle';
import type { Decision, Rank, RuleId } from './rules';

/** Where something was found. */
export interface Place {
  /** Of the frame. */
  readonly seq: number;
  readonly channel: string;
  /** Within it: `params.arguments.apiKey`; '' for text that is no JSON. Hostile text. */
  readonly path: string;
}

/** One value that a person decides on before a recording is shared. */
export interface Finding {
  /** Stable within a review. */
  readonly id: string;
  /**
   * `masked`: taken out already, when it was recorded; nothing is left to decide. `secret`: stands in the frames, and what
   * happens to it is a person's choice.
   */
  readonly kind: 'masked' | 'secret';
  /** '' for what was masked as `•••`. */
  readonly rule: RuleId | '';
  /** What it is, for the middle of a sentence: “GitHub token”. */
  readonly label: string;
  readonly rank: Rank;
  /** What is done unless the person says otherwise. */
  readonly decision: Decision;
  /**
   * Enough of the value to tell it from others, its middle left out, and its length in characters; of a masked one the
   * placeholder, and 0. Hostile text.
   */
  readonly sample: string;
  readonly length: number;
  /** How often it was seen, in however many frames. Repetitions before the first place that gave it away are not counted, but masked. */
  readonly count: number;
  /** The first ones, at most `FINDING_PLACES`. */
  readonly places: readonly Place[];
}

/** What a review found, what matters most first. */
export interface Findings {
  readonly list: readonly Finding[];
  /**
   * How often something was found that has no finding of its own, since there were `FINDINGS` already: it is treated as its rule's
   * default says, and only the newest `LIMITS.redactedValues` are found where they are repeated.
   */
  readonly unlisted: number;
}

/** Text that the person wants out, too: as it stands, in any form it may have (JSON, URL, base64), or by a regular expression. */
export type ExtraPattern = { readonly literal: string } | { readonly regex: string };

/** What the person decided. */
export interface Choices {
  /** By a finding's id; what is not here goes by its own `decision`. */
  readonly decisions?: ReadonlyMap<string, Decision>;
  readonly patterns?: readonly ExtraPattern[];
}

/** A pattern that can't be used. Codes: `pattern-too-short`, `pattern-too-long`, `pattern-not-regex`, `too-many-patterns`. */
export class PatternError extends Error implements Failure {
  readonly code: string;
  readonly advice: string;

  constructor(code: string, message: string, advice: string) {
    super(message);
    this.name = 'PatternError';
    this.code = code;
    this.advice = advice;
  }
}
